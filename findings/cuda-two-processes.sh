#!/usr/bin/env bash
# NVIDIA H200 (CUDA 13.0, driver 580.159.04): two processes take turns on a GPU, however little each
# needs of it, and a turn costs. Kernels of one warp each, on a GPU of 132 multiprocessors, take
# almost three times as long with a second process that does the same.
# Guess before the run: both at full speed, as they fit side by side.
# Seen: 0.34 ms a launch alone, 0.935 ms in both of two processes.
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
cat > "$folder/work.cu" <<'CU'
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>
__global__ void work(float *out) {
  float a = threadIdx.x, b = 1;
  for (int i = 0; i < 80000; i++) a = fmaf(a, .999f, b), b = fmaf(b, .998f, a);
  out[threadIdx.x] = a + b;
}
double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }
int main() {
  float *out;
  cudaMalloc(&out, 128);
  work<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  std::vector<double> times;
  for (double end = now() + 3; now() < end;) {
    double begin = now();
    work<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    times.push_back(1e3 * (now() - begin));
  }
  std::sort(times.begin(), times.end());
  printf("%.3f\n", times[times.size() / 2]);
}
CU
nvcc -O3 -arch=native -o "$folder/work" "$folder/work.cu"
alone=$("$folder/work")
"$folder/work" > "$folder/other" &
beside=$("$folder/work")
wait
echo "$alone ms alone, $beside and $(cat "$folder/other") ms together"
python3 -c "assert $beside > 1.8 * $alone"
