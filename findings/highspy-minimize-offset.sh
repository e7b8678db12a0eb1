#!/usr/bin/env bash
# highspy 1.16.0: minimize(expression) also sets the objective's offset, to the expression's
# constant. An offset that changeObjectiveOffset set just before is lost without a word.
# Guess before the run: the offset is added, 7 - 5 = 2.
# Seen: -5; with the constant in the expression 2.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check highspy==1.16.0
"$folder/venv/bin/python" - <<'PY'
import highspy


def minimize(offset, constant):
    model = highspy.Highs()
    model.silent()
    x = model.addVariable(0, 5)
    model.changeObjectiveOffset(offset)
    model.minimize(constant - x)
    return model.getObjectiveValue()


print(minimize(7.0, 0.0), minimize(0.0, 7.0))
assert minimize(7.0, 0.0) == -5
assert minimize(0.0, 7.0) == 2
PY
