"""Kernels for `test_compiler`: one that others call by its machine code, and one that calls no others."""

from solvers.kernels.compiler import njit


@njit(cache=True, nogil=True, shared=True)
def double(values):
    """Double all values, after which the first may become 100."""
    for i in range(values.size):
        values[i] *= 2
    if values[0] > 100:
        raise ValueError("too much")


@njit(cache=True, nogil=True)
def quadruple(values):
    """Double all values twice."""
    double(values)
    double(values)


@njit(cache=True, nogil=True)
def fill(values, value):
    """Assign a slice."""
    values[:] = value
