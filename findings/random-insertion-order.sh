#!/usr/bin/env bash
# random-insertion 0.3.0.post1: without an order, cities are inserted as the file lists them,
# nothing is drawn; and coordinates are cut to 32 bits, also in the length that it returns.
# Guess before the run: another tour each time, and lengths of 64 bits.
# Seen: 5 times the tour of the order 0, 1, 2, ...; a rectangle of 3 by 4 has length 14, and 16
# where its coordinates are those of a map in metres.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check random-insertion==0.3.0.post1 numpy==2.4.6
"$folder/venv/bin/python" - <<'PY'
import numpy as np
from random_insertion import tsp_random_insertion

cities = np.random.default_rng(1).random((50, 2))
tours = {tuple(tsp_random_insertion(cities)[0].tolist()) for _ in range(5)}
in_order, _ = tsp_random_insertion(cities, np.arange(50))
shuffled, _ = tsp_random_insertion(cities, np.arange(50)[::-1].copy())
print(len(tours), tours == {tuple(in_order.tolist())})
assert tours == {tuple(in_order.tolist())}
assert in_order.tolist() != shuffled.tolist()

rectangle = np.array([[0, 0], [3, 0], [3, 4], [0, 4]], dtype=np.float64)
near, far = (tsp_random_insertion(rectangle + [shift, 0])[1] for shift in (0, 2**25))
print(near, far)
assert (near, far) == (14, 16)
PY
