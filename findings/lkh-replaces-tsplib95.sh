#!/usr/bin/env bash
# lkh 2.0.0, the wrapper of LKH, has a changed tsplib95 among its files. Installed after
# tsplib95 0.7.1 it replaces that package's, and pip still lists tsplib95 0.7.1: what the
# same program reads depends on what else is installed, and in which order.
# Expected: a dependency, or files of its own name; parse() as before.
# Seen: what render() returns is refused before, and parsed after; the version stays 0.7.1.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
cat >"$folder/read.py" <<'PY'
import sys
from importlib.metadata import version

import tsplib95

problem = tsplib95.parse("""NAME: three
TYPE: TSP
DIMENSION: 3
EDGE_WEIGHT_TYPE: EXPLICIT
EDGE_WEIGHT_FORMAT: FULL_MATRIX
EDGE_WEIGHT_SECTION
0 1 2
1 0 4
2 4 0
EOF
""")
try:
    tsplib95.parse(problem.render())
    answer = "parsed"
except tsplib95.exceptions.ParsingError:
    answer = "refused"
print(version("tsplib95"), answer)
assert (version("tsplib95"), answer) == ("0.7.1", sys.argv[1])
PY
"$folder/venv/bin/pip" install -q --disable-pip-version-check tsplib95==0.7.1
"$folder/venv/bin/python" "$folder/read.py" refused
"$folder/venv/bin/pip" install -q --disable-pip-version-check lkh==2.0.0
"$folder/venv/bin/python" "$folder/read.py" parsed
