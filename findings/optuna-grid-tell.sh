#!/usr/bin/env bash
# Optuna 5.0.0: a study that is asked and told instead of optimised cannot use a grid to its end. The
# tell of the last point of a GridSampler raises RuntimeError, as the sampler stops a study that
# nobody optimises; its value is saved all the same.
# Guess before the run: the grid begins again, or a flag says that it is exhausted.
# Seen: two points, then RuntimeError about Study.stop from the second tell.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check optuna==5.0.0
"$folder/venv/bin/python" - <<'PY'
import optuna

optuna.logging.set_verbosity(optuna.logging.ERROR)
study = optuna.create_study(sampler=optuna.samplers.GridSampler({"ants": [10, 20]}, seed=1))
errors = []
for _ in range(2):
    trial = study.ask()
    value = trial.suggest_int("ants", 10, 20)
    try:
        study.tell(trial, value)
    except RuntimeError as error:
        errors.append((trial.number, str(error)))
states = [trial.state.name for trial in study.trials]
print(errors, states)
assert [number for number, _ in errors] == [1]
assert "Study.stop" in errors[0][1]
assert states == ["COMPLETE", "COMPLETE"]
PY
