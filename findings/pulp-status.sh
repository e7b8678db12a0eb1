#!/usr/bin/env bash
# PuLP 3.3.2 with the CBC that it brings: a search that a limit ended has the status "Optimal" once
# it has any tour. That the tour is only a feasible one is in sol_status, and no gap is told.
# Guess before the run: "Not Solved".
# Seen, with a limit of one node: "Optimal", 193, where the shortest tour of the 8 cities has 162.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check pulp==3.3.2
"$folder/venv/bin/python" - <<'PY'
import itertools
import random

import pulp

CITIES = range(8)
draw = random.Random(16)
distances = [[0] * 8 for _ in CITIES]
for a in CITIES:
    for b in range(a):
        distances[a][b] = distances[b][a] = draw.randint(1, 100)


def make_model():
    """Return the model of Miller, Tucker and Zemlin."""
    model = pulp.LpProblem("tour", pulp.LpMinimize)
    arcs = {(a, b): pulp.LpVariable(f"x_{a}_{b}", cat="Binary") for a in CITIES for b in CITIES if a != b}
    places = [pulp.LpVariable(f"u_{a}", 0, 7) for a in CITIES]
    model += pulp.lpSum(distances[a][b] * arc for (a, b), arc in arcs.items())
    for city in CITIES:
        others = [other for other in CITIES if other != city]
        model += pulp.lpSum(arcs[city, other] for other in others) == 1
        model += pulp.lpSum(arcs[other, city] for other in others) == 1
    for (a, b), arc in arcs.items():
        if a and b:
            model += places[a] - places[b] + 8 * arc <= 7
    return model


def solve(**limits):
    model = make_model()
    model.solve(pulp.PULP_CBC_CMD(msg=False, **limits))
    return pulp.LpStatus[model.status], pulp.LpSolution[model.sol_status], round(model.objective.value())


orders = ((0, *order, 0) for order in itertools.permutations(range(1, 8)))
optimum = min(sum(distances[a][b] for a, b in itertools.pairwise(order)) for order in orders)
results = solve(maxNodes=1), solve()
print(*results, optimum)
assert results[1] == ("Optimal", "Optimal Solution Found", optimum)
assert results[0][:2] == ("Optimal", "Solution Found")
assert results[0][2] > optimum
PY
