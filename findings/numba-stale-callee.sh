#!/usr/bin/env bash
# Numba 0.68.1: when a function in another file changes, what calls it is still loaded from the
# cache, as the documents warn. What they do not say: for types that are new it is compiled with
# the new function. So one function has two meanings in one process.
# Guess before the run: the old meaning for all types, until the cache is deleted.
# Seen: add(1) is 2, as before the change; add(1.0) is 101.0; the changed function itself says 101.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check numba==0.68.1 numpy==2.4.6
unset NUMBA_CACHE_DIR
cd "$folder"
cat > amounts.py <<'PY'
from numba import njit


@njit
def increase(value):
    return value + 1
PY
cat > kernel.py <<'PY'
from amounts import increase
from numba import njit


@njit(cache=True)
def add(value):
    return increase(value)
PY
venv/bin/python -c "import kernel; print(kernel.add(1))"
sed -i "s/value + 1/value + 100/" amounts.py
seen=$(venv/bin/python -c "import kernel; print(kernel.add(1), kernel.add(1.0), kernel.increase(1))")
echo "$seen"
[ "$seen" = "2 101.0 101" ] || exit 1
