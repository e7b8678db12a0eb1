#!/usr/bin/env bash
# haversine 2.9.0: haversine_vector(a, b, comb=True) has a row for each place of b and a column for
# each of a. cdist(a, b) of scipy and every other table of two lists has them the other way round;
# with as many of both the mistake shows in no shape.
# Guess before the run: a row for each of a.
# Seen: 2 x 3 for three places and two; table[0, 1] is the distance of a[1] and b[0].
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check haversine==2.9.0 numpy==2.4.6
"$folder/venv/bin/python" - <<'PY'
from haversine import haversine, haversine_vector

starts, ends = [(0, 0), (0, 1), (0, 2)], [(0, 0), (0, 5)]
table = haversine_vector(starts, ends, comb=True)
print(table.round())
assert table.shape == (2, 3)
for row, end in enumerate(ends):
    for column, start in enumerate(starts):
        assert abs(table[row, column] - haversine(start, end)) < 1e-6

square = haversine_vector(starts[:2], ends, comb=True)
assert abs(square[0, 1] - haversine(starts[1], ends[0])) < 1e-6
assert square[0, 1] < 200 < square[1, 0]
PY
