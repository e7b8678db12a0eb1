#!/usr/bin/env bash
# OR-Tools 9.15.6755, CP-SAT: add_circuit needs no arc for each node. A node whose arcs were
# filtered away, for example because all of them are too long, is left out of the tour, and the
# status is OPTIMAL; a node with arcs that cannot be taken makes the same problem infeasible.
# Guess before the run: infeasible in both.
# Seen: OPTIMAL with a tour of 0, 1, 2 and 4; INFEASIBLE once node 3 has one arc.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check ortools==9.15.6755
"$folder/venv/bin/python" - <<'PY'
from ortools.sat.python import cp_model


def solve(arcs):
    """Return the status and the nodes of the shortest circuit of these arcs."""
    model = cp_model.CpModel()
    literals = [(a, b, model.new_bool_var(f"{a} {b}")) for a, b in arcs]
    model.add_circuit(literals)
    model.minimize(sum(literal for _, _, literal in literals))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    status = solver.status_name(solver.solve(model))
    if status != "OPTIMAL":
        return status, []
    return status, sorted(a for a, _, literal in literals if solver.value(literal))


NEAR = [(a, b) for a in (0, 1, 2, 4) for b in (0, 1, 2, 4) if a != b]
print(solve(NEAR), solve([*NEAR, (2, 3)]))
assert solve(NEAR) == ("OPTIMAL", [0, 1, 2, 4])
assert solve([*NEAR, (2, 3)]) == ("INFEASIBLE", [])
PY
