#!/usr/bin/env bash
# NVIDIA H200 (CUDA 13.0, driver 580.159.04): of the 60 MB of its L2 a table may have 48 MB and is
# read as fast as one of 8 MB, by all multiprocessors, though the chip has two halves. A larger one
# that is read in order, again and again, comes from memory as a whole from 72 MB on; rows of 8 KB
# in random order lose little by little.
# Guess before the run: half of the L2, as each half keeps a copy of what its side reads.
# Seen, rows at random and in order: 9,402 and 8,259 GB/s of 8 MB, 8,992 and 8,516 of 48 MB, 7,853
# and 6,558 of 60 MB, 7,086 and 4,601 of 72 MB, 4,954 and 4,443 of 400 MB.
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
cat > "$folder/rows.cu" <<'CU'
#include <algorithm>
#include <cstdio>
// Each warp reads rows of 8 KB, whole or only its own share, in an order that looks random.
__global__ void read_rows(const float4 *table, unsigned rows, int times, float *out) {
  unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32, state = warp * 2654435761u + 1;
  float sum = 0;
  for (int k = 0; k < times; k++) {
    state = state * 1664525u + 1013904223u;
    const float4 *row = table + (size_t)((state >> 8) % rows) * 512;
    for (int i = lane; i < 512; i += 32) sum += __ldcg(row + i).x;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
__global__ void read_in_order(const float4 *table, size_t count, int times, float *out) {
  float sum = 0;
  for (int k = 0; k < times; k++)
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x)
      sum += __ldcg(table + i).x;
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
int main() {
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  int blocks = device.multiProcessorCount * 2, threads = 1024;
  float *out;
  cudaMalloc(&out, 4 * blocks * threads);
  float rate[2][16];
  int sizes[] = {8, 16, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 72, 96, 160, 400};
  for (int s = 0; s < 16; s++) {
    size_t bytes = (size_t)sizes[s] << 20;
    float4 *table;
    cudaMalloc(&table, bytes);
    cudaMemset(table, 0, bytes);
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    for (int kind = 0; kind < 2; kind++) {
      int times = kind ? (int)(8000 / sizes[s]) + 2 : 100;
      double total = kind ? (double)bytes * times : (double)blocks * threads / 32 * times * 8192;
      float least = 1e9;
      for (int k = 0; k < 5; k++) {
        cudaEventRecord(begin);
        if (kind) read_in_order<<<blocks, threads>>>(table, bytes / 16, times, out);
        else read_rows<<<blocks, threads>>>(table, bytes / 8192, times, out);
        cudaEventRecord(end);
        cudaEventSynchronize(end);
        float ms;
        cudaEventElapsedTime(&ms, begin, end);
        least = std::min(least, ms);
      }
      rate[kind][s] = total / least / 1e6;
    }
    printf("%d %.0f %.0f\n", sizes[s], rate[0][s], rate[1][s]);
    cudaFree(table);
  }
  return cudaDeviceSynchronize();
}
CU
nvcc -O3 -arch=native -o "$folder/rows" "$folder/rows.cu"
"$folder/rows" > "$folder/rates"
python3 - "$folder/rates" <<'PY'
import sys

rows, in_order = {}, {}
for line in open(sys.argv[1]):
    size, *rates = map(int, line.split())
    rows[size], in_order[size] = rates
    print(f"{size:3} MiB: rows {rows[size]} GB/s, in order {in_order[size]} GB/s")
assert rows[48] > 0.9 * rows[8] and in_order[48] > 0.9 * in_order[8]
assert in_order[72] < 0.7 * in_order[48]
assert rows[72] > 1.3 * rows[400]
PY
