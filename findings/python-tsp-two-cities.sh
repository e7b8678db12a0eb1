#!/usr/bin/env bash
# python-tsp 0.5.0: simulated annealing raises StopIteration for two cities, where the exact solvers,
# local search and Lin-Kernighan return there and back. Python takes that exception for the end of
# an iterator: map() over several problems ends at the first of two cities, without a word.
# Guess before the run: there and back from all.
# Seen: one result for three problems.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check python-tsp==0.5.0 numpy==2.4.6
"$folder/venv/bin/python" - <<'PY'
import numpy as np
from python_tsp.exact import solve_tsp_dynamic_programming
from python_tsp.heuristics import (
    solve_tsp_lin_kernighan,
    solve_tsp_local_search,
    solve_tsp_simulated_annealing,
)

two = np.array([[0, 18], [73, 0]])
four = np.array([[0, 9, 1, 9], [9, 0, 9, 1], [9, 1, 0, 9], [1, 9, 9, 0]])
for solve in (solve_tsp_dynamic_programming, solve_tsp_local_search, solve_tsp_lin_kernighan):
    assert solve(two) == ([0, 1], 91), solve
results = list(map(solve_tsp_simulated_annealing, [four, two, four]))
print(results)
assert len(results) == 1
PY
