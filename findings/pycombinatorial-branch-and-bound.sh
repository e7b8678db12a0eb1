#!/usr/bin/env bash
# pyCombinatorial 2.2.7: branch_and_bound, an exact algorithm, returns a tour that is not the shortest.
# bellman_held_karp_exact_algorithm of the same package finds it.
# Guess before the run: the optimum from each of its exact algorithms.
# Seen: 26 and 24 for six cities in a grid, two of them in one place.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check pycombinatorial==2.2.7 numba==0.68.1 numpy==2.4.6
"$folder/venv/bin/python" - <<'PY'
import numpy as np
from pyCombinatorial.algorithm import bellman_held_karp_exact_algorithm, branch_and_bound

cities = np.array([(2, 9), (1, 4), (1, 7), (7, 7), (6, 3), (1, 7)])
distances = np.abs(cities[:, None] - cities[None]).sum(axis=2).astype(float)
_, bounded = branch_and_bound(distances)
_, exact = bellman_held_karp_exact_algorithm(distances)
print(bounded, exact)
assert (bounded, exact) == (26, 24)
PY
