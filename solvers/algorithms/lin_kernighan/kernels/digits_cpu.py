"""Radix sort for kernels: it has none of the comparisons that processors cannot predict."""

import numpy as np

from solvers.kernels.compiler import njit

#: Number of bits per digit.
DIGIT = 11


@njit(cache=True, nogil=True)
def sort_by(keys, digits, order, spare):
    """Write the order by key, and within a key by index.

    Parameters
    ----------
    keys : ndarray, shape (m,), integers from 0 on
    digits : int
        Number of digits, of `DIGIT` bits each, per key.
    order, spare : ndarray, shape (m,), int32
        `order` is written; `spare` is working memory.
    """
    last, bits = np.uint64((1 << DIGIT) - 1), np.uint64(DIGIT)
    begin = np.zeros((digits, 1 << DIGIT), np.int32)
    for key in keys:
        rest = np.uint64(key)
        for digit in range(digits):
            begin[digit, rest & last] += 1
            rest >>= bits
    for digit in range(digits):
        sum_ = np.int32(0)
        for value in range(1 << DIGIT):
            begin[digit, value], sum_ = sum_, sum_ + begin[digit, value]
    # The two arrays alternate, such that `order` is written last.
    source, target = (order, spare) if digits % 2 == 0 else (spare, order)
    for digit in range(digits):
        for at in range(keys.size):
            index = np.int32(at) if digit == 0 else source[at]
            own = (np.uint64(keys[index]) >> np.uint64(digit) * bits) & last
            target[begin[digit, own]] = index
            begin[digit, own] += 1
        source, target = target, source
