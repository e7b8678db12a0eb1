#!/usr/bin/env bash
# PyVRP 0.14.1: read(round_func="round") rounds halves to the even number, where TSPLIB rounds
# them up: a distance of 2.5 is 2. It also rounds the coordinates of the problem that it returns,
# so a plot, or distances computed from them, are of other cities.
# Guess before the run: 3, and coordinates as in the file.
# Seen: 2; (1.5, 2), (3, 4.5) and (10, 0.5) become (2, 2), (3, 4) and (10, 0).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check pyvrp==0.14.1
"$folder/venv/bin/python" - <<'PY'
import tempfile
from pathlib import Path

import pyvrp

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "four.tsp"
    path.write_text("""NAME: four
TYPE: TSP
DIMENSION: 4
EDGE_WEIGHT_TYPE: EUC_2D
NODE_COORD_SECTION
1 0 0
2 1.5 2
3 3 4.5
4 10 0.5
EOF
""")
    problem = pyvrp.read(path, round_func="round")
cities = [(place.x, place.y) for place in problem.locations()]
distances = problem.distance_matrix(0).tolist()
print(cities, distances)
assert cities == [(0, 0), (2, 2), (3, 4), (10, 0)]
assert distances == [[0, 2, 5, 10], [2, 0, 3, 9], [5, 3, 0, 8], [10, 9, 8, 0]]
PY
