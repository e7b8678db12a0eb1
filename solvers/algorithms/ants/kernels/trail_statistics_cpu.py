"""How widely a city's trails spread: Shannon entropy and lambda-branching factor."""

import numpy as np

from solvers.kernels.compiler import njit

#: A trail counts towards the branching factor if it exceeds the minimum by this share of the range.
_LAMBDA = 0.05
_MANTISSA, _ONE, _BIAS = np.int32(0x7FFFFF), np.int32(0x3F800000), 127


@njit(cache=True, nogil=True)
def logarithms(bits, scratch, mantissa, logs):
    """Compute base-2 logarithms of a row of trails, in vectorised loops.

    The logarithm of a mantissa m is 1/2 + 2 artanh(s) / ln 2, with s = (m - sqrt 2) / (m + sqrt 2). As |s| < 0.172, six
    terms of the series leave an error below 1e-10.

    Parameters
    ----------
    bits : ndarray, shape (n,), int32
        The trails' bits.
    scratch : ndarray, shape (n,), int32
    mantissa : ndarray, shape (n,), float32
        The same memory as `scratch`.
    logs : ndarray, shape (n,), float64
        Written in place.
    """
    root, scale = np.sqrt(2.0), 2.0 / np.log(2.0)
    for j in range(np.uint64(bits.size)):
        scratch[j] = (bits[j] & _MANTISSA) | _ONE
    for j in range(np.uint64(bits.size)):
        s = (mantissa[j] - root) / (mantissa[j] + root)
        q = s * s
        series = s * (1.0 + q * (1.0 / 3 + q * (1.0 / 5 + q * (1.0 / 7 + q * (1.0 / 9 + q * (1.0 / 11))))))
        logs[j] = (bits[j] >> np.int32(23)) - _BIAS + 0.5 + scale * series


@njit(cache=True, nogil=True)
def row_entropy(row, logs):
    """Return a row's entropy: log2 S - (sum of t log2 t) / S for trails t with sum S."""
    total, weighted = 0.0, 0.0
    for j in range(row.size):
        total += row[j]
        weighted += row[j] * logs[j]
    return max(0.0, np.log2(total) - weighted / total) if total > 0.0 else 0.0


@njit(cache=True, nogil=True)
def count_branches(row, i, minimum, greatest):
    """Count the trails of city i that exceed the minimum by at least `_LAMBDA` of the range."""
    threshold = minimum + _LAMBDA * (greatest - minimum)
    exceeding = -np.int64(row[i] >= threshold)
    for j in range(np.uint64(row.size)):
        exceeding += np.int64(row[j] >= threshold)
    return exceeding


@njit(cache=True, nogil=True)
def describe(trails, bits, entropy, branching, first, last):
    """Compute the entropy in bits and the lambda-branching factor of cities `first` to `last` - 1.

    L. M. Gambardella and M. Dorigo, "Ant-Q: A Reinforcement Learning Approach to the Traveling Salesman Problem"
    (1995).

    Parameters
    ----------
    trails : ndarray, shape (n, n), float32
        Positive and normal off the diagonal, 0 on it.
    bits : ndarray, shape (n, n), int32
        The same memory. Such trails have the order of their bits, whose minimum and maximum the compiler vectorises.
    entropy, branching : ndarray, shape (n,), float64
        Written in place.
    first, last : int
    """
    n = trails.shape[0]
    scratch, logs = np.empty(n, np.int32), np.empty(n)
    mantissa = scratch.view(np.float32)
    for i in range(first, last):
        word = bits[i]
        logarithms(word, scratch, mantissa, logs)
        entropy[i] = row_entropy(trails[i], logs)
        greatest = np.int32(0)
        for j in range(np.uint64(n)):
            greatest = max(greatest, word[j])
        minimum = greatest
        for j in range(np.uint64(i)):
            minimum = min(minimum, word[j])
        for j in range(np.uint64(i + 1), np.uint64(n)):
            minimum = min(minimum, word[j])
        scratch[0] = minimum
        low = np.float64(mantissa[0])
        scratch[0] = greatest
        branching[i] = count_branches(trails[i], i, low, np.float64(mantissa[0]))
