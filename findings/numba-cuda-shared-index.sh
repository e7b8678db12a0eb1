#!/usr/bin/env bash
# numba-cuda 0.30.4 beside Numba 0.68.1: both keep the index of one function's compiled code
# in one file, "so CPU and CUDA targets can continue to share" it (its source says). Numba
# stamps it with a hash of the source, numba-cuda with the file's time: each drops the entries
# of the other, so a function cached for both is compiled again and again. Needs no GPU: what
# compiles for one would store its code by the class that is called here.
# One would guess: both find their own.
# Seen: one file; Numba's entry is lost once numba-cuda stores one, and the other way round.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check \
  numba-cuda==0.30.4 numba==0.68.1 numpy==2.4.6 cuda-core==1.2.2 cuda-bindings==12.9.10
printf 'def double(x):\n    return 2 * x\n' > "$folder/kernel.py"
cat > "$folder/seen.py" <<'PY'
import numba
from kernel import double
from numba.cuda.dispatcher import CUDACache


def load_for_cores():
    compiled = numba.njit(cache=True)(double)
    compiled(1)
    return "hit" if compiled.stats.cache_hits else "miss"


of_gpu = CUDACache(double)._cache_file
of_cores = numba.njit(cache=True)(double)._cache._cache_file
print("one-file" if of_gpu._index_path == of_cores._index_path else "two-files")
print(load_for_cores(), load_for_cores())
of_gpu.save("key", b"machine code")
print("stored" if of_gpu.load("key") else "lost")
print(load_for_cores(), load_for_cores())
print("stored" if of_gpu.load("key") else "lost")
PY
seen=$(cd "$folder" && NUMBA_CACHE_DIR="$folder/cache" venv/bin/python seen.py)
echo $seen
[ "$(echo $seen)" = "one-file miss hit stored miss hit lost" ] || exit 1
