#!/usr/bin/env bash
# python-tsp 0.5.0: euclidean_distance_matrix squares coordinates in their own type. Cities
# that a file holds as 16 or 32 bits get wrong distances when the squares overflow; no
# warning.
# Expected: 500 and 72111, as for the same numbers in 64 bits.
# Seen: 231.07 for (0, 0) to (300, 400) in int16; 30083.76 for (60000, 40000) in int32.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check python-tsp==0.5.0 numpy==2.4.6
"$folder/venv/bin/python" - <<'PY'
import numpy as np
from python_tsp.distances import euclidean_distance_matrix


def measure(x, y, dtype):
    return float(euclidean_distance_matrix(np.array([[0, 0], [x, y]], dtype=dtype))[0, 1])


print(measure(300, 400, np.int16), measure(60_000, 40_000, np.int32))
assert measure(300, 400, np.int64) == 500
assert round(measure(300, 400, np.int16), 2) == 231.07
assert round(measure(60_000, 40_000, np.int64)) == 72_111
assert round(measure(60_000, 40_000, np.int32), 2) == 30_083.76
PY
