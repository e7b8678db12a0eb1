#!/usr/bin/env bash
# hygese 0.1.0: solve_tsp rounds the distances of coordinates to whole numbers unless it is told
# otherwise (rounding=True), those of a matrix never. Cities less than half a unit apart, such as
# degrees in one town, are all at distance 0. Coordinates below 0 are refused by an assertion
# without words.
# Guess before the run: rounded; that a matrix is not was not guessed.
# Seen: length 0.0 by coordinates, 1.316 by their matrix, for the same four cities.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check hygese==0.1.0 numpy==2.4.6
"$folder/venv/bin/python" - <<'PY'
import math

import hygese
import numpy as np

CITIES = np.array([(0, 0), (0.3, 0), (0.3, 0.3), (0, 0.4)])
solver = hygese.Solver(parameters=hygese.AlgorithmParameters(nbIter=100, seed=1), verbose=False)


def solve(cities, **options):
    return solver.solve_tsp({"x_coordinates": cities[:, 0], "y_coordinates": cities[:, 1]}, **options).cost


matrix = np.array([[math.dist(a, b) for b in CITIES] for a in CITIES])
lengths = solve(CITIES), solver.solve_tsp({"distance_matrix": matrix}).cost, solve(CITIES, rounding=False)
print(*lengths)
assert lengths[0] == 0
assert math.isclose(lengths[1], 1 + math.sqrt(0.1)) and math.isclose(lengths[2], lengths[1])
try:
    solve(CITIES - 1)
except AssertionError as error:
    print("AssertionError:", repr(str(error)))
    assert str(error) == ""
else:
    raise ValueError("coordinates below 0 are taken")
PY
