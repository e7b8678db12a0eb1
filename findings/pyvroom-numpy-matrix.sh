#!/usr/bin/env bash
# pyvroom 1.15.2: durations are whole numbers of 32 bits. A list with a larger one raises
# OverflowError; the same numbers as a NumPy matrix of 64 bits are cut to their low 32 bits. So the
# longest way becomes the shortest and is taken.
# Guess before the run: an exception.
# Seen: 2**32 + 5 counts as 5: cost 19 for a tour that is 2**32 longer, where another has cost 21.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check pyvroom==1.15.2 numpy==2.2.6
"$folder/venv/bin/python" - <<'PY'
import numpy as np
import vroom

FAR = 2**32 + 5
DURATIONS = [[0, FAR, 7], [7, 0, 7], [7, 7, 0]]


def solve(durations):
    """Return the order of one vehicle that visits all places, and the cost."""
    problem = vroom.Input()
    problem.set_durations_matrix("car", durations)
    problem.add_vehicle(vroom.Vehicle(0, start=0, end=0))
    problem.add_job([vroom.Job(1, location=1), vroom.Job(2, location=2)])
    solution = problem.solve(exploration_level=5, nb_threads=1)
    return [int(place) for place in solution.routes.location_index], solution.summary.cost


order, cost = solve(np.array(DURATIONS))
length = sum(DURATIONS[a][b] for a, b in zip(order, order[1:]))
print(order, cost, length)
assert order == [0, 1, 2, 0]
assert cost == 19
assert length == cost + 2**32
try:
    solve(DURATIONS)
except OverflowError as error:
    print("OverflowError:", error)
else:
    raise AssertionError("a list is taken")
PY
