#!/usr/bin/env bash
# vrplib 2.2.0: a line of an EDGE_WEIGHT_SECTION is a row of the matrix. TSPLIB separates the numbers of
# a FULL_MATRIX by blanks or line breaks; several of its directed instances break rows over lines.
# Expected: DIMENSION x DIMENSION numbers, or an error.
# Seen: four cities on two lines are a matrix of 2 x 8, without a warning; lower triangles are read whole.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check vrplib==2.2.0
"$folder/venv/bin/python" - <<'PY'
import tempfile
from pathlib import Path

import vrplib

HEAD = "NAME: four\nTYPE: ATSP\nDIMENSION: 4\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: "


def shape(layout, lines):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "four.atsp"
        path.write_text(f"{HEAD}{layout}\nEDGE_WEIGHT_SECTION\n{lines}\nEOF\n")
        return vrplib.read_instance(path)["edge_weight"].shape


rows = shape("FULL_MATRIX", "0 1 2 3\n1 0 4 5\n2 4 0 6\n3 5 6 0")
broken = shape("FULL_MATRIX", "0 1 2 3 1 0 4 5\n2 4 0 6 3 5 6 0")
triangle = shape("LOWER_ROW", "1 2 4 3\n5 6")
print("a row a line:", rows, "two rows a line:", broken, "a triangle on two lines:", triangle)
assert rows == (4, 4) and broken == (2, 8) and triangle == (4, 4)
PY
