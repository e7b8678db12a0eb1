"""Compressed states and their order (Qin and Han, 2022, sections 2.1.2 and 2.1.3), for GPUs and plain Python.

Cities other than the root are numbered from 0, and a set has one bit for each. All numbers are uint32.
"""

from numba import uint32

#: Length of a row of binomial coefficients; each row belongs to one number of chosen cities.
ROW = 32
_ONE = uint32(1)


def expand(state, city):
    """Return the set of a compressed state, by inserting a 0 bit at the index of `city` (the "expanded state")."""
    return uint32(uint32(state << _ONE) - uint32(state & uint32(uint32(_ONE << city) - _ONE)))


def compress(cities, city):
    """Return the compressed state of a set without `city`, by removing its bit."""
    return uint32(uint32(cities + uint32(cities & uint32(uint32(_ONE << city) - _ONE))) >> _ONE)


def unrank(binomials, at, bits, size, rank):
    """Return the state at a rank among the numbers with `size` ones in `bits` bits, in numerical order.

    From the left, bit p is set if at most `rank` states have all their k remaining ones below it. The number of these
    states is C(p, k), which equals the sum over the place of the leftmost one in section 2.1.3.

    Parameters
    ----------
    binomials : array, uint32
        C(p, k) at ``at + ROW * k + p``.
    at, bits, size, rank : uint32
    """
    state, left, ones, base = uint32(0), uint32(rank), uint32(size), uint32(bits)
    while ones > uint32(0):
        base = uint32(base - _ONE)
        before = uint32(binomials[uint32(uint32(at + uint32(uint32(ROW) * ones)) + base)])
        if left >= before:
            left, ones, state = uint32(left - before), uint32(ones - _ONE), uint32(state | uint32(_ONE << base))
    return state
