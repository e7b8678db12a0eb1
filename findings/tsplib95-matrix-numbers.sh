#!/usr/bin/env bash
# tsplib95 0.7.1: the cities of an EXPLICIT matrix are numbered from 0, and from 1 once the
# file has a DISPLAY_DATA_SECTION, which is only for pictures. Without that section, a
# TSPLIB tour, numbered from 1, can't be measured.
# Expected: numbered from 1, as TSPLIB does, with and without the section.
# Seen: nodes [0, 1, 2] and IndexError; with the section [1, 2, 3] and a length of 7.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check tsplib95==0.7.1
"$folder/venv/bin/python" - <<'PY'
import tsplib95

MATRIX = """NAME: three
TYPE: TSP
DIMENSION: 3
EDGE_WEIGHT_TYPE: EXPLICIT
EDGE_WEIGHT_FORMAT: FULL_MATRIX
EDGE_WEIGHT_SECTION
0 1 2
1 0 4
2 4 0
"""
DISPLAY = "DISPLAY_DATA_SECTION\n1 0 0\n2 1 0\n3 0 1\n"

plain = tsplib95.parse(MATRIX + "EOF\n")
print(list(plain.get_nodes()))
assert list(plain.get_nodes()) == [0, 1, 2]
try:
    length = plain.trace_tours([[1, 2, 3]])
except IndexError as error:
    print("IndexError:", error)
else:
    raise AssertionError(length)

shown = tsplib95.parse(
    MATRIX.replace("DIMENSION", "DISPLAY_DATA_TYPE: TWOD_DISPLAY\nDIMENSION") + DISPLAY + "EOF\n"
)
print(list(shown.get_nodes()), shown.trace_tours([[1, 2, 3]]))
assert list(shown.get_nodes()) == [1, 2, 3]
assert shown.trace_tours([[1, 2, 3]]) == [7]
PY
