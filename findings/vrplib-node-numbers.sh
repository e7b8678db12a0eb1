#!/usr/bin/env bash
# vrplib 2.2.0: the numbers of a NODE_COORD_SECTION are dropped. When a file lists its cities
# in another order than 1, 2, 3, row 0 is the first line's city, not city 1.
# Expected: rows in the order of the numbers.
# Seen: row 0 is [5, 0], the coordinates of city 2.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check vrplib==2.2.0
"$folder/venv/bin/python" - <<'PY'
import tempfile
from pathlib import Path

import vrplib

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "three.tsp"
    path.write_text("""NAME: three
TYPE: TSP
DIMENSION: 3
EDGE_WEIGHT_TYPE: EUC_2D
NODE_COORD_SECTION
2 5 0
3 0 7
1 1 1
EOF
""")
    coordinates = vrplib.read_instance(path)["node_coord"].tolist()
print(coordinates)
assert coordinates == [[5, 0], [0, 7], [1, 1]]
PY
