#!/usr/bin/env bash
# commiv 0.6.0: solve_atsp refuses a list of floats, but takes the same numbers as a NumPy array and
# cuts their fractions off. Of distances below 1 nothing is left: the cities in the order of the
# matrix, at length 0.
# Guess before the run: the optimum, or a refusal of both.
# Seen: TypeError for the list; 0 and [0, 1, 2, 3] for the array; whole numbers are solved.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check commiv==0.6.0 numpy==2.4.6
"$folder/venv/bin/python" - <<'PY'
import commiv
import numpy as np

whole = np.array([[0, 9, 1, 9], [9, 0, 9, 1], [9, 1, 0, 9], [1, 9, 9, 0]])
print(commiv.solve_atsp(whole), commiv.solve_atsp(whole / 10))
assert commiv.solve_atsp(whole) == (4, [0, 2, 1, 3])
assert commiv.solve_atsp(whole / 10) == (0, [0, 1, 2, 3])
try:
    commiv.solve_atsp((whole / 10).tolist())
except TypeError as error:
    print("TypeError:", error)
else:
    raise AssertionError("a list of floats is taken")
PY
