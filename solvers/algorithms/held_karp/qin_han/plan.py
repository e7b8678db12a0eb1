"""Size of a problem as in Qin and Han (2022): states, transitions and bytes. Plain Python: pages may import it.

Layer k contains the states f(i, V) of all sets V of k cities (section 1.2). The last layer has a single state, the
shortest tour. The table stores all layers (sections 2.1.2 and 2.3.1).
"""

from dataclasses import dataclass
from functools import cache, cached_property
from math import comb
from typing import ClassVar

import numpy as np

from solvers.algorithms.held_karp.plan import MIN_CITIES, SPARE, UNREACHED, format_bytes
from solvers.core.errors import InstanceTooLarge
from solvers.core.neighbours import nearest_neighbour_length

#: Maximum number of cities: a set without the first city is a 32-bit number, with one bit to spare for sums.
MAX_CITIES = 32
#: Number of bytes of a length, and of an entry in a map, which also contains the set.
_LENGTH, _ENTRY = 4, 8


@dataclass(frozen=True)
class QinHanPlan:
    """Sizes of the layers for `n` cities.

    Parameters
    ----------
    n : int
        At least `solvers.algorithms.held_karp.plan.MIN_CITIES`.
    maps : bool
        Whether states are stored in maps, besides lists of all sets (section 2.3), or in one array (section 2.1.2).

    Attributes
    ----------
    inner_count : int
        Always 0: sets may contain all cities, and no layer is left out.
    item : int
        Number of bytes of a length.
    """

    n: int
    maps: bool = False

    inner_count: ClassVar[int] = 0
    item: ClassVar[int] = _LENGTH

    def resize(self, n: int) -> "QinHanPlan":
        """Return the plan for another number of cities."""
        return cached_plan(n, self.maps)

    @property
    def outer_count(self) -> int:
        """Number of cities besides the first."""
        return self.n - 1

    @property
    def layers(self) -> int:
        """Number of layers: from the empty set to the set of all cities but the first."""
        return self.n

    def sets(self, layer: int) -> int:
        """Return the number of sets V for each city i; in the last layer, i is the first city."""
        return comb(self.n - 2, layer) if layer < self.n - 1 else 1

    def subsets(self, layer: int) -> int:
        """Return the number of distinct sets V."""
        return comb(self.n - 1, layer)

    def states(self, layer: int) -> int:
        """Return the number of states f(i, V)."""
        return (self.n - 1) * self.sets(layer) if layer < self.n - 1 else 1

    def transitions(self, layer: int) -> int:
        """Return the number of sums compared: one for each state and each city of its set."""
        return layer * self.states(layer)

    def bytes(self, layer: int) -> int:
        """Return the bytes in use while a layer is computed; all layers are stored."""
        return self.peak_bytes

    @cached_property
    def peak_bytes(self) -> int:
        """Memory in bytes of a run, or of each of its processes."""
        if not self.maps:
            return self.outer_count * self.stride * _LENGTH
        slots = sum(self.outer_count * capacity(self.sets(layer)) for layer in range(self.n - 1))
        return slots * _ENTRY + sum(layer * self.subsets(layer) for layer in range(1, self.n - 1))

    @property
    def stride(self) -> int:
        """Row length of the array f[N-1][2^(N-1)] (section 2.1.2), of which compressed states need half."""
        return 1 << self.n - 1

    @cached_property
    def all_transitions(self) -> int:
        """Number of sums in all layers."""
        return sum(self.transitions(layer) for layer in range(self.n))


@cache
def cached_plan(n: int, maps: bool) -> QinHanPlan:
    """Return the cached plan for `n` cities."""
    return QinHanPlan(n, maps)


def capacity(count: int) -> int:
    """Return the number of slots in a map of `count` entries: a power of two, so that a quarter to a half is in use."""
    return 1 << count.bit_length() + 1


def max_cities(maps: bool, memory: int) -> int:
    """Return the maximum number of cities that fit into `memory` bytes and leave `plan.SPARE` free."""
    sizes = range(MIN_CITIES, MAX_CITIES + 1)
    return max((n for n in sizes if (1 + SPARE) * cached_plan(n, maps).peak_bytes <= memory), default=MIN_CITIES - 1)


def too_large_reason(n: int, maps: bool, memory: int) -> str:
    """Return a sentence saying why `n` cities are too many; empty if they are not.

    Parameters
    ----------
    n : int
    maps : bool
        See `QinHanPlan`.
    memory : int
        Bytes available to a run, or to each of its processes; 0 if unknown.
    """
    maximum = max_cities(maps, memory) if memory else MAX_CITIES
    if n <= maximum:
        return ""
    if n > MAX_CITIES:
        return f"The table of Qin and Han has a place for every set of at most {MAX_CITIES} cities, not of {n:,}."
    needed = format_bytes(cached_plan(n, maps).peak_bytes)
    return (
        f"The table of Qin and Han for {n} cities needs {needed} of memory; {format_bytes(memory)} are available: "
        f"use at most {maximum}."
    )


def describe_memory(n: int, maps: bool, memory: int, each: bool) -> str:
    """Return a sentence about how much memory a run, or each process, needs and how much is available."""
    scope = " in each process" if each else ""
    needed = f"{n} cities need {format_bytes(cached_plan(n, maps).peak_bytes)} of memory{scope}"
    if not memory:
        return f"{needed}."
    maximum = max_cities(maps, memory)
    end = " for all" if each else f": enough for up to {maximum} cities"
    return f"{needed}; {format_bytes(memory)} are available{end}."


def too_long_reason(distances: np.ndarray) -> str:
    """Return a sentence saying why lengths do not fit into a state; empty if they do."""
    if nearest_neighbour_length(distances) < UNREACHED[_LENGTH]:
        return ""
    return f"The table of Qin and Han has {_LENGTH} bytes a length, and tours of this instance may be longer."


def make_plan(distances: np.ndarray, maps: bool, memory: int) -> QinHanPlan:
    """Return the plan for distances, (n, n) int32.

    Raises
    ------
    InstanceTooLarge
        If the table does not fit into `memory` bytes, or tours are too long for it.
    """
    if sentence := too_large_reason(len(distances), maps, memory) or too_long_reason(distances):
        raise InstanceTooLarge(sentence)
    return cached_plan(len(distances), maps)
