"""Compressed states and their order, after Qin and Han (2022), sections 2.1.2 and 2.1.3: for GPUs and plain Python.

Cities but the root are numbered from 0, a set has a bit for each. All numbers are uint32.
"""

from numba import uint32

#: Length of a row of binomial coefficients; the rows are by the number of chosen cities.
ROW = 32
_ONE = uint32(1)


def expand(state, city):
    """The set of a compressed state: a bit 0 is put in at `city`'s place (the "expanded state")."""
    return uint32(uint32(state << _ONE) - uint32(state & uint32(uint32(_ONE << city) - _ONE)))


def compress(cities, city):
    """The compressed state of a set that `city` is not in: its bit is left out."""
    return uint32(uint32(cities + uint32(cities & uint32(uint32(_ONE << city) - _ONE))) >> _ONE)


def unrank(choose, at, bits, size, rank):
    """The state with this rank among those of `size` ones in `bits` bits, in the order of numbers.

    From the left, a bit is set if at least as many states come before it as the rank says: C(p, k) have all their k
    ones below bit p, which is the sum over the place of the leftmost that section 2.1.3 accumulates.

    Parameters
    ----------
    choose : array, uint32
        C(p, k) at ``at + ROW * k + p``.
    at, bits, size, rank : uint32
    """
    state, left, ones, place = uint32(0), uint32(rank), uint32(size), uint32(bits)
    while ones > uint32(0):
        place = uint32(place - _ONE)
        before = uint32(choose[uint32(uint32(at + uint32(uint32(ROW) * ones)) + place)])
        if left >= before:
            left, ones, state = uint32(left - before), uint32(ones - _ONE), uint32(state | uint32(_ONE << place))
    return state
