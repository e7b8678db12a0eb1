"""Resumable local search on ants' tours on one core, one tour after another."""

import numpy as np

from solvers.kernels.compiler import njit
from solvers.kernels.local_search_cpu import WAITING, begin, improve

#: Indices into a span: the current tour, the tour before which to stop, and whether the current one has begun.
TOUR, LAST, HAS_BEGUN, SPAN = range(4)


@njit(cache=True, nogil=True)
def shorten(tours, n, distance, near, near_distance, search, span, work, exchanges):
    """Shorten the tours of a span for one slice.

    Parameters
    ----------
    tours : ndarray, shape (m * n,), int32
        Changed in place.
    n : int
    distance, near, near_distance, search, exchanges
        See `solvers.kernels.local_search_cpu.improve`.
    span : ndarray, shape (SPAN,), int64
        Changed in place; the result does not depend on where slices end.
    work : int
        See `improve`; the slice ends with the first tour that needs more work than this.
    """
    while span[TOUR] < span[LAST]:
        order = tours[span[TOUR] * n : (span[TOUR] + 1) * n]
        if span[HAS_BEGUN] == 0:
            begin(order, search)
            span[HAS_BEGUN] = 1
        improve(order, distance, near, near_distance, search, np.int64(work), exchanges)
        if search.state[WAITING] > 0:
            return
        span[TOUR] += 1
        span[HAS_BEGUN] = 0
