#!/usr/bin/env bash
# Numba 0.68.1: one unsigned 64-bit number and a literal make a signed result. From 2**63 on, x + 1
# is negative and x % 10 a wrong digit; NumPy 2.4 keeps uint64. So a generator of random numbers
# that ends in state % n draws other numbers when it is compiled.
# Guess before the run: uint64 in both.
# Seen: x + 1 is -9223372036854775804 and x % 10 is 5; NumPy has 9223372036854775812 and 1.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check numba==0.68.1 numpy==2.4.6
"$folder/venv/bin/python" - <<'PY'
import numpy as np
from numba import njit


def add_one(x):
    return x + 1


def last_digit(x):
    return x % 10


def last_digit_unsigned(x):
    return x % np.uint64(10)


x = np.uint64(2**63 + 3)
results = [(njit(f)(x), f(x)) for f in (add_one, last_digit, last_digit_unsigned)]
print(results)
assert [compiled for compiled, _ in results] == [-(2**63) + 4, 5, 1]
assert [interpreted for _, interpreted in results] == [2**63 + 4, 1, 1]
PY
