"""Heatmap data: mean trails between blocks of cities, and the strongest trails.

Trails are not negative, so they have the same order as their bits read as integers.
"""

import numpy as np

from solvers.kernels.compiler import njit

#: Number of a trail's upper bits that the first histogram counts, and of its lower bits that the second one counts. The
#: sign bit is never set.
_UPPER, _LOWER = 16, 15


@njit(cache=True, nogil=True)
def block_means(trails, block, counts, means):
    """Compute the mean trail between each two blocks of cities; the diagonal does not count.

    Parameters
    ----------
    trails : ndarray, shape (n, n), float32
        Symmetric.
    block : ndarray, shape (n,), int32
        The block to which each city belongs.
    counts : ndarray, shape (b,), int64
        Number of cities in each block.
    means : ndarray, shape (b, b), float64
        Written in place; 0 between blocks without an edge.
    """
    n, b = trails.shape[0], means.shape[0]
    means[:] = 0.0
    for i in range(n):
        row, sums = trails[i], means[block[i]]
        for j in range(np.uint64(i + 1), np.uint64(n)):
            sums[np.uint32(block[j])] += row[j]
    for k in range(b):
        pairs = counts[k] * (counts[k] - 1) // 2
        means[k, k] = means[k, k] / pairs if pairs else 0.0
        for m in range(k):
            means[k, m] = (means[k, m] + means[m, k]) / (counts[k] * counts[m])
            means[m, k] = means[k, m]


@njit(cache=True, nogil=True)
def min_positive(bits):
    """Return the bits of the weakest positive trail in `bits`, (n, n) int32; 0 if there is none."""
    minimum = np.uint32(0xFFFFFFFF)
    for i in range(bits.shape[0]):
        row = bits[i]
        for j in range(np.uint64(row.size)):
            # Minus 1, so that 0 wraps to the greatest number.
            minimum = min(minimum, np.uint32(np.uint32(row[j]) - np.uint32(1)))
    return np.int64(np.uint32(minimum + np.uint32(1)))


@njit(cache=True, nogil=True)
def descend(histogram, rank):
    """Return the bin that contains the `rank`-th greatest entry, and the number of entries in higher bins."""
    above, at = np.int64(0), histogram.size - 1
    while at > 0 and above + histogram[at] < rank:
        above += histogram[at]
        at -= 1
    return at, above


@njit(cache=True, nogil=True)
def threshold(bits, rank):
    """Return the bits of the `rank`-th strongest trail above the diagonal, and how many are stronger.

    Parameters
    ----------
    bits : ndarray, shape (n, n), int32
        Bits of nonnegative trails.
    rank : int
        From 1 to n (n - 1) / 2.
    """
    n = bits.shape[0]
    upper, lower = np.zeros(1 << _UPPER, np.int32), np.zeros(1 << _LOWER, np.int32)
    for i in range(n):
        row = bits[i]
        for j in range(np.uint64(i + 1), np.uint64(n)):
            upper[np.uint32(row[j]) >> np.uint32(_LOWER)] += 1
    first, above = descend(upper, rank)
    for i in range(n):
        row = bits[i]
        for j in range(np.uint64(i + 1), np.uint64(n)):
            if np.uint32(row[j]) >> np.uint32(_LOWER) == np.uint32(first):
                lower[np.uint32(row[j]) & np.uint32((1 << _LOWER) - 1)] += 1
    second, between = descend(lower, rank - above)
    return np.int64(first) << _LOWER | second, above + between


@njit(cache=True, nogil=True)
def strongest(bits, edges, trails):
    """Write the strongest edges; ties go to the lower city, then to the higher one.

    Parameters
    ----------
    bits : ndarray, shape (n, n), int32
        Bits of nonnegative trails; symmetric.
    edges : ndarray, shape (e, 2), int32
        Written in place: edges with the lower city first, in the order of their cities; 1 <= e <= n (n - 1) / 2.
    trails : ndarray, shape (e,), int32
        Bits of the edges' trails, written in place.
    """
    n, e = bits.shape[0], trails.size
    minimum, above = threshold(bits, e)
    equal, k = e - above, 0
    for i in range(n):
        row = bits[i]
        for j in range(i + 1, n):
            if row[j] >= minimum:
                if row[j] == minimum:
                    if equal == 0:
                        continue
                    equal -= 1
                edges[k, 0], edges[k, 1], trails[k] = i, j, row[j]
                k += 1
                if k == e:
                    return
