#!/usr/bin/env bash
# NVIDIA H200 (CUDA 13.0, driver 580.159.04): an array of a thread that does not fit its registers
# is allocated for all threads that the GPU could hold at once. The first launch of a kernel with
# 48 KB a thread takes 12 GiB of memory, be it of one thread, and keeps them.
# Guess before the run: none, it was seen on the way to another.
# Seen: 12,110 MiB less are free after a launch of one thread, and after the next kernel too.
# Needs a GPU and nvcc.
set -euo pipefail
if ! nvidia-smi > /dev/null 2>&1 || ! command -v nvcc > /dev/null; then
  echo "needs a GPU"
  exit 0
fi
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | grep -m 1 '^NVIDIA H200, 580\.'
nvcc --version | grep -o 'release 13\.0.*'
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat > "$folder/local.cu" <<'CU'
#include <cstdio>
__global__ void use_array(int *out, int n) {
  int array[12000];
  for (int i = 0; i < n; i++) array[i * 7 % 12000] = i;
  out[0] = array[n % 12000];
}
__global__ void use_none(int *out) { out[0] = 1; }
size_t count_free() {
  size_t free, total;
  cudaDeviceSynchronize();
  cudaMemGetInfo(&free, &total);
  return free >> 20;
}
int main() {
  int *out;
  cudaMalloc(&out, 4);
  use_none<<<1, 1>>>(out);
  size_t before = count_free();
  use_array<<<1, 1>>>(out, 100);
  size_t after = count_free();
  use_none<<<1, 1>>>(out);
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  long resident = (long)device.multiProcessorCount * device.maxThreadsPerMultiProcessor * 48000 >> 20;
  long taken = before - after, kept = before - count_free();
  printf("%ld %ld %ld\n", taken, kept, resident);
  return cudaDeviceSynchronize();
}
CU
nvcc -O3 -arch=native -o "$folder/local" "$folder/local.cu"
read -r taken kept resident < <("$folder/local")
echo "$taken MiB taken, $kept kept; 48,000 bytes for each resident thread are $resident"
python3 -c "assert 0.9 * $resident < $taken < 1.1 * $resident and $kept == $taken"
