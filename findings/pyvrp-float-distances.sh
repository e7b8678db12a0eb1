#!/usr/bin/env bash
# PyVRP 0.14.1: Model.add_edge takes a float distance and cuts its fraction off, without a
# warning. An edge that was never added still leaves the solution feasible, at a huge cost.
# Guess before the run: an error, or 5.7 with the fractions kept; infeasible.
# Seen: cost 3 for three edges of 1.9; feasible at 17592186044420 for the missing edge.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check pyvrp==0.14.1
"$folder/venv/bin/python" - <<'PY'
import pyvrp
from pyvrp.stop import MaxIterations


def solve(edges):
    """Return whether a tour of a depot and two clients is feasible, and its cost."""
    model = pyvrp.Model()
    places = [model.add_location(x=i, y=0) for i in range(3)]
    model.add_depot(places[0])
    for place in places[1:]:
        model.add_client(place)
    model.add_vehicle_type(1)
    for (a, b), distance in edges.items():
        model.add_edge(places[a], places[b], distance=distance)
        model.add_edge(places[b], places[a], distance=distance)
    result = model.solve(MaxIterations(50), seed=1, display=False)
    return result.is_feasible(), result.cost()


cut = solve({(0, 1): 1.9, (1, 2): 1.9, (0, 2): 1.9})
missing = solve({(0, 1): 2, (1, 2): 2})
print(cut, missing)
assert cut == (True, 3)
assert missing == (True, 17592186044420)
PY
