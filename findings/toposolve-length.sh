#!/usr/bin/env bash
# toposolve 0.1.17, an exact solver by dynamic programming: the length that it returns is not that of
# its tour, and the tour need not be the shortest.
# Guess before the run: the optimum of a directed matrix.
# Seen: 4 for a triangle whose only tour has length 7; for 8 cities a tour of 2,029 with the length
# 445, where the shortest has 1,903.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check toposolve==0.1.17
"$folder/venv/bin/python" - <<'PY'
import itertools
import random

from toposolve import TSPSolver


def measure(distances, tour):
    return sum(distances[a][b] for a, b in itertools.pairwise(tour))


def solve(distances):
    """Return the length that it says, that of its tour, and that of the shortest."""
    length, tour = TSPSolver().solve_tsp(distances)
    orders = itertools.permutations(range(1, len(distances)))
    return length, measure(distances, tour), min(measure(distances, (0, *order, 0)) for order in orders)


draw = random.Random(0)
directed = [[0 if a == b else draw.randint(1, 1000) for a in range(8)] for b in range(8)]
results = solve([[0, 1, 2], [1, 0, 4], [2, 4, 0]]), solve(directed)
print(*results)
assert results[0] == (4, 7, 7)
assert results[1] == (445, 2029, 1903)
PY
