#!/usr/bin/env bash
# Numba 0.68.1: a function that compiled code calls with constants is compiled once for each
# value, as Literal[int](0), Literal[int](1), ... Global np.int64 values compile it once. So
# a kernel that calls a large helper with constants compiles it many times.
# Guess before the run: one signature, int64, for all integers.
# Seen: 3 signatures for 3 constants and for 3 global integers, 1 for 3 global np.int64.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check numba==0.68.1 numpy==2.4.6
"$folder/venv/bin/python" - <<'PY'
import numpy as np
from numba import njit

A, B, C = 0, 1, 2
X, Y, Z = np.int64(0), np.int64(1), np.int64(2)


def add_one(value):
    return value + 1


by_constant, by_global, by_numpy = njit(add_one), njit(add_one), njit(add_one)


@njit
def call_all():
    total = by_constant(0) + by_constant(1) + by_constant(2)
    total += by_global(A) + by_global(B) + by_global(C)
    return total + by_numpy(X) + by_numpy(Y) + by_numpy(Z)


assert call_all() == 18
print(by_constant.signatures, by_global.signatures, by_numpy.signatures)
literals = ["(Literal[int](0),)", "(Literal[int](1),)", "(Literal[int](2),)"]
assert [str(s) for s in by_constant.signatures] == literals
assert [str(s) for s in by_global.signatures] == literals
assert [str(s) for s in by_numpy.signatures] == ["(int64,)"]
PY
