#!/usr/bin/env bash
# OR-Tools 9.15.6755, routing: a transit callback that returns a float, even a whole number,
# counts as 0 for each arc. The solver then reports ROUTING_OPTIMAL (7) with objective 0 and
# raises nothing; RegisterTransitMatrix refuses the same floats with TypeError.
# Guess before the run: the callback's floats raise an error too.
# Seen: (0, 7) for floats, (8, 1) for the same integers.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check ortools==9.15.6755
"$folder/venv/bin/python" - <<'PY'
from ortools.constraint_solver import pywrapcp


def solve(distances, register):
    """Return the objective (None without a tour) and the status."""
    manager = pywrapcp.RoutingIndexManager(len(distances), 1, 0)
    routing = pywrapcp.RoutingModel(manager)
    routing.SetArcCostEvaluatorOfAllVehicles(register(routing, manager))
    solution = routing.Solve()
    return solution and solution.ObjectiveValue(), routing.status()


POSITIONS = [0, 3, 1, 4, 2]


def use_callback(kind):
    return lambda routing, manager: routing.RegisterTransitCallback(
        lambda a, b: kind(
            abs(POSITIONS[manager.IndexToNode(a)] - POSITIONS[manager.IndexToNode(b)])
        )
    )


DISTANCES = [[abs(a - b) for b in POSITIONS] for a in POSITIONS]
print(solve(DISTANCES, use_callback(float)), solve(DISTANCES, use_callback(int)))
assert solve(DISTANCES, use_callback(float)) == (0, 7)
assert solve(DISTANCES, use_callback(int)) == (8, 1)
floats = [[float(d) for d in row] for row in DISTANCES]
try:
    solve(floats, lambda routing, manager: routing.RegisterTransitMatrix(floats))
except TypeError as error:
    print("TypeError:", error)
else:
    raise AssertionError("a matrix of floats is taken")
PY
