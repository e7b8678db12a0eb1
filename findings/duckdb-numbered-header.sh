#!/usr/bin/env bash
# DuckDB 2.0.1 and pandas 3.1.1: to_csv(index=False) writes the numbers 0, 1, 2, 3 of a matrix's
# columns as the first line. DuckDB finds no header in numbers and reads the line as one more city;
# pandas reads a header always.
# Guess before the run: the line is a header.
# Seen: 5 rows of 4 from DuckDB, 4 from pandas; with header=True, or letters, 4.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check duckdb==2.0.1 pandas==3.1.1 numpy==2.4.6
"$folder/venv/bin/python" - <<'PY'
import tempfile
from pathlib import Path

import duckdb
import pandas as pd

MATRIX = [[0, 5, 9, 2], [5, 0, 4, 7], [9, 4, 0, 3], [2, 7, 3, 0]]
with tempfile.TemporaryDirectory() as folder:
    path = str(Path(folder) / "matrix.csv")
    pd.DataFrame(MATRIX).to_csv(path, index=False)
    found = duckdb.read_csv(path).fetchall()
    told = duckdb.read_csv(path, header=True).fetchall()
    shape = pd.read_csv(path).shape
    pd.DataFrame(MATRIX, columns=list("abcd")).to_csv(path, index=False)
    letters = duckdb.read_csv(path).fetchall()
print(found, shape)
assert found == [(0, 1, 2, 3), *map(tuple, MATRIX)]
assert told == letters == list(map(tuple, MATRIX))
assert shape == (4, 4)
PY
