#!/usr/bin/env bash
# OR-Tools 9.15.6755, routing: subtract one number from every arc and all tours change by the
# same amount, so the best tour stays. Yet with arcs below 0 the default search finds a worse
# tour, reported as success (1), and with lower ones no tour at all: status 3, a failure.
# Guess before the run: the optimum each time, 8 less 5 times the number.
# Seen: 8 for 0, 3 for 1, 2 instead of -2 for 2, no tour for 3.
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


def solve_shifted(less):
    distances = [[0 if a == b else abs(a - b) - less for b in POSITIONS] for a in POSITIONS]
    return solve(distances, lambda routing, manager: routing.RegisterTransitMatrix(distances))


print([solve_shifted(less) for less in range(4)])
assert solve_shifted(0) == (8, 1)
assert solve_shifted(1) == (3, 1)
assert solve_shifted(2) == (2, 1)
assert solve_shifted(3) == (None, 3)
PY
