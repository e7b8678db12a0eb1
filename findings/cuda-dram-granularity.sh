#!/usr/bin/env bash
# NVIDIA H200 (CUDA 13.0, driver 580.159.04, Nsight Compute 2025.3.1): memory is read in pieces of
# 64 bytes, though a sector of the caches has 32. A table read at one byte of every 64 costs as much
# as all of it. Written in part, a sector is read first: one byte of every 32 reads and writes the
# whole table.
# Guess before the run: 32 bytes for each byte that is read.
# Seen, of a table of 2**30 bytes: read at every 32nd or 64th byte 1.07e9 bytes, at every 128th
# 5.37e8; written at every 32nd byte 1.06e9 bytes are read and 1.06e9 written, at every 64th half.
# Needs a GPU, nvcc and ncu.
set -euo pipefail
if ! nvidia-smi > /dev/null 2>&1 || ! command -v nvcc > /dev/null || ! command -v ncu > /dev/null; then
  echo "needs a GPU"
  exit 0
fi
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | grep -m 1 '^NVIDIA H200, 580\.'
nvcc --version | grep -o 'release 13\.0.*'
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat > "$folder/bytes.cu" <<'CU'
template <int STEP>
__global__ void read(const unsigned char *table, long bytes, unsigned *out) {
  unsigned sum = 0;
  for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < bytes / STEP; i += (long)gridDim.x * blockDim.x)
    sum += table[i * STEP];
  if (sum) *out = sum;
}
template <int STEP>
__global__ void write(unsigned char *table, long bytes) {
  for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < bytes / STEP; i += (long)gridDim.x * blockDim.x)
    table[i * STEP] = 1;
}
int main() {
  long bytes = 1L << 30;
  unsigned char *table;
  unsigned *out;
  cudaMalloc(&table, bytes);
  cudaMalloc(&out, 4);
  cudaMemset(table, 0, bytes);
  read<32><<<528, 512>>>(table, bytes, out);
  read<64><<<528, 512>>>(table, bytes, out);
  read<128><<<528, 512>>>(table, bytes, out);
  write<32><<<528, 512>>>(table, bytes);
  write<64><<<528, 512>>>(table, bytes);
  return cudaDeviceSynchronize();
}
CU
nvcc -O3 -arch=native -o "$folder/bytes" "$folder/bytes.cu"
ncu --clock-control none --metrics dram__bytes_read.sum,dram__bytes_write.sum --print-units base --csv \
  "$folder/bytes" > "$folder/counts.csv"
python3 - "$folder/counts.csv" <<'PY'
import csv
import sys

with open(sys.argv[1]) as file:
    rows = list(csv.DictReader(line for line in file if line.startswith('"')))
values = [float(row["Metric Value"].replace(",", "")) / 2**30 for row in rows]
shares = [(round(a, 2), round(b, 2)) for a, b in zip(values[::2], values[1::2], strict=True)]
print(shares)
read = [share for share, _ in shares]
assert 0.95 < read[0] < 1.05 and 0.95 < read[1] < 1.05 and 0.45 < read[2] < 0.55
assert 0.95 < read[3] < 1.05 and 0.45 < read[4] < 0.55
assert 0.9 < shares[3][1] < 1.1
PY
