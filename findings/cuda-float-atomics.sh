#!/usr/bin/env bash
# NVIDIA H200 (numba-cuda 0.30.4, driver 580.159.04): additions to one address by all threads differ
# by type. Integers of 32 bits are added within a warp first, those of 64 bits only where all lanes
# add the same number, floats never. Floats of one warp are added in the order of its lanes: one
# warp always gives the same sum, a block does not.
# Guess before the run: the same speed within 20 %.
# Seen: 2**20 threads that read what they add take 0.067 ms in int32, 0.81 ms in int64 and 1.89 ms in
# float32 and float64; if they add the constant 1, 0.06 ms in int64. 200 sums of 32 floats are one
# number, of 1,024 floats ten.
# Needs a GPU; FINDINGS_PYTHON names a Python with numba-cuda where nothing can be installed.
set -euo pipefail
if ! nvidia-smi > /dev/null 2>&1; then
  echo "needs a GPU"
  exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python=${FINDINGS_PYTHON:-$folder/venv/bin/python}
if [ -z "${FINDINGS_PYTHON:-}" ]; then
  python3 -m venv "$folder/venv"
  "$folder/venv/bin/pip" install -q --disable-pip-version-check numba==0.68.1 numpy==2.4.6 "numba-cuda[cu13]==0.30.4"
fi
cat > "$folder/atomics.py" <<'PY'
import warnings

import numpy as np

warnings.simplefilter("ignore")
from numba import cuda


@cuda.jit
def add(out, values):
    cuda.atomic.add(out, 0, values[cuda.grid(1)])


def measure(dtype):
    """Return the least milliseconds of one addition by 2**20 threads."""
    out, values = cuda.to_device(np.zeros(1, dtype)), cuda.to_device(np.ones(1 << 20, dtype))
    times = []
    for _ in range(6):
        begin, end = cuda.event(), cuda.event()
        begin.record()
        add[1024, 1024](out, values)
        end.record()
        end.synchronize()
        times.append(cuda.event_elapsed_time(begin, end))
    return min(times[1:])


def count_sums(threads):
    values = cuda.to_device(np.random.default_rng(1).random(threads).astype(np.float32))
    sums = set()
    for _ in range(200):
        out = cuda.to_device(np.zeros(1, np.float32))
        add[1, threads](out, values)
        sums.add(float(out.copy_to_host()[0]))
    return len(sums)


times = {dtype.__name__: measure(dtype) for dtype in (np.int32, np.int64, np.float32, np.float64)}
sums = count_sums(32), count_sums(1024)
print(times, sums)
assert times["float32"] > 5 * times["int32"]
assert times["int64"] > 3 * times["int32"]
assert times["float64"] > 1.5 * times["int64"]
assert sums[0] == 1
assert sums[1] > 1
PY
"$python" "$folder/atomics.py"
