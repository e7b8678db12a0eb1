#!/usr/bin/env bash
# numba-cuda 0.30.4 with NumPy 2.4: the simulator computes a kernel by NumPy's rules, where a
# Python number takes the type of the other; compiled code makes float32 / 3 a float64, and an
# unsigned 64-bit number with a literal signed. So a kernel that passes in the simulator may
# compute something else on a GPU.
# Guess before the run: the same numbers, as the simulator knows Numba's types.
# Seen: 0.1 / 3 is 0.03333333507 in the simulator and 0.03333333383 compiled; (2**63 + 3) % 10 is
# 1 and 5. Compiled by Numba for the processor here; an NVIDIA H200 gives the compiled numbers.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check numba==0.68.1 numpy==2.4.6 numba-cuda==0.30.4
cat > "$folder/compute.py" <<'PY'
import sys

import numpy as np
from numba import cuda, njit


def compute(out, small, large):
    out[0] = small[0] / 3
    out[1] = large[0] % 10


out = np.zeros(2)
arrays = out, np.array([0.1], np.float32), np.array([2**63 + 3], np.uint64)
if sys.argv[1] == "compiled":
    njit(compute)(*arrays)
else:
    cuda.jit(compute)[1, 1](*arrays)
print(f"{out[0]:.11f} {out[1]:.0f}")
PY
simulated=$(NUMBA_ENABLE_CUDASIM=1 "$folder/venv/bin/python" "$folder/compute.py" simulated)
compiled=$("$folder/venv/bin/python" "$folder/compute.py" compiled)
echo "simulated: $simulated; compiled: $compiled"
[ "$simulated" = "0.03333333507 1" ] || exit 1
[ "$compiled" = "0.03333333383 5" ] || exit 1
