#!/usr/bin/env bash
# Numba 0.68.1: the cache of njit(cache=True) does not look at a source file's time. A file
# with a new time, or in a folder that was moved with its cache, is not compiled again; one
# more comment at its end compiles it again.
# Guess before the run: a new time compiles again.
# Seen: miss, hit, hit (new time), hit (moved), miss (a comment).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check numba==0.68.1 numpy==2.4.6
unset NUMBA_CACHE_DIR
mkdir "$folder/first"
cat > "$folder/first/kernel.py" <<'PY'
from numba import njit


@njit(cache=True)
def add_one(value):
    return value + 1


add_one(1)
print("hit" if add_one.stats.cache_hits else "miss")
PY
load() { (cd "$1" && "$folder/venv/bin/python" -c "import kernel"); }
seen=$(
  load "$folder/first"
  load "$folder/first"
  touch -d "2020-01-01" "$folder/first/kernel.py"
  load "$folder/first"
  mv "$folder/first" "$folder/second"
  load "$folder/second"
  echo "# a comment" >> "$folder/second/kernel.py"
  load "$folder/second"
)
echo $seen
[ "$(echo $seen)" = "miss hit hit hit miss" ] || exit 1
