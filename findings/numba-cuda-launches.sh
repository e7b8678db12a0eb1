#!/usr/bin/env bash
# numba-cuda 0.30.4 (NVIDIA H200, Intel Xeon): what a launch costs on the host depends on the number
# of its arrays, at 6 to 7 microseconds each, though nothing of them is copied; the kernel and its
# grid may be bound before.
# Guess before the run: 8 microseconds with 1 array, 15 with 12.
# Seen: 24 with 1, 44 with 4, 97 with 12.
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
cat > "$folder/launches.py" <<'PY'
import time
import warnings

import numpy as np
from numba import cuda

warnings.simplefilter("ignore")


@cuda.jit
def of_one(a):
    a[0] = 1


@cuda.jit
def of_twelve(a, b, c, d, e, f, g, h, i, j, k, m):
    a[0] = 1


def measure(kernel, count):
    """Return the least microseconds of the host for a launch."""
    arrays = [cuda.to_device(np.zeros(8)) for _ in range(count)]
    launch = kernel[1, 1]
    launch(*arrays)
    times = []
    for _ in range(20):
        cuda.synchronize()
        begin = time.perf_counter()
        for _ in range(100):
            launch(*arrays)
        times.append(1e4 * (time.perf_counter() - begin))
    return min(times)


one, twelve = measure(of_one, 1), measure(of_twelve, 12)
print(f"{one:.1f} {twelve:.1f}")
assert twelve > 2 * one
PY
"$python" "$folder/launches.py"
