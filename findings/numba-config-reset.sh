#!/usr/bin/env bash
# Numba 0.68.1: numba.config.NAME = value holds until any environment variable that begins with
# NUMBA_ changes. At the next compilation Numba then reads all settings again from the environment,
# and those that a program set are lost, without a word.
# Guess before the run: the settings stay.
# Seen: BOUNDSCHECK is 1 after a compilation, and None after another variable was set.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check numba==0.68.1 numpy==2.4.6
"$folder/venv/bin/python" - <<'PY'
import os

import numba


def compile_one():
    numba.njit(lambda x: x + 1)(1)


numba.config.BOUNDSCHECK = 1
compile_one()
before = numba.config.BOUNDSCHECK
os.environ["NUMBA_DEVELOPER_MODE"] = "0"  # what it is anyway
compile_one()
print(before, numba.config.BOUNDSCHECK)
assert before == 1
assert numba.config.BOUNDSCHECK is None
PY
