"""What Held-Karp takes for so many cities: layers, states, transitions, bytes. Plain Python: pages may read it.

City 0 is where all paths begin. Of the others a few are inner cities, the rest are outer cities, an even number of
them. A layer has all sets of so many outer cities, each with every set of inner cities. A tour is put together of two
paths that have half of the outer cities each, so half of the layers are enough; and a layer needs the one before alone.
"""

from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np

from solvers.neighbours import nearest_neighbour_length

#: Lengths that a state can have, by its bytes, end below this: twice as much is still a number of so many bytes.
UNREACHED = {item: (1 << 8 * item - 1) - 1 for item in (2, 4, 8)}
#: Inner cities at least, by the bytes of a state: their sets fill a warp's lanes, two a lane where two fit a register.
_INNER = {2: 6, 4: 5, 8: 5}
#: States that are worked on side by side.
VECTOR = 32
#: Cities at most of which sizes are worked out: beyond, even a byte a state would fill no memory there is.
MOST_CITIES = 48
#: What must be left of memory, as a share of what the tables take.
SPARE = 0.03
#: Cities below which there is nothing to find: all tours are alike.
LEAST_CITIES = 4


@dataclass(frozen=True)
class Plan:
    """The layers for `n` cities.

    Parameters
    ----------
    n : int
        At least `LEAST_CITIES`.
    item : int
        Bytes of a state: 2, 4 or 8.
    """

    n: int
    item: int

    @cached_property
    def inner(self) -> int:
        """Inner cities: as many as `_INNER` or one more, or what leaves two outer cities."""
        others = self.n - 1
        return min(others - 2, _INNER[self.item] + (others - _INNER[self.item]) % 2)

    @property
    def outer(self) -> int:
        """Outer cities, an even number."""
        return self.n - 1 - self.inner

    @property
    def width(self) -> int:
        """Sets of inner cities: the states of a row."""
        return 1 << self.inner

    @property
    def row(self) -> int:
        """States that a row takes: a vector's at least."""
        return max(self.width, VECTOR)

    @property
    def layers(self) -> int:
        """Layers, from that without outer cities to that with half of them."""
        return self.outer // 2 + 1

    def sets(self, layer: int) -> int:
        """Sets of outer cities that a layer has."""
        return comb(self.outer, layer)

    def rows(self, layer: int) -> int:
        """Rows of the layer's table: one for each of its sets and each last city that is an outer one."""
        return layer * self.sets(layer)

    def visited(self, layer: int) -> int:
        """Sets of outer cities that are worked on: in the last layer those with the first outer city, as a set and all
        others make the same tours from either end."""
        return comb(self.outer - 1, layer - 1) if layer == self.layers - 1 else self.sets(layer)

    def subsets(self, layer: int) -> int:
        """Sets of cities that are worked on."""
        return self.visited(layer) << self.inner

    def states(self, layer: int) -> int:
        """Lengths of a layer, one for each set of cities and each last city of it: if that is an outer city, the layer
        before has made them for all sets."""
        return (self.sets(layer) << self.inner) * layer + self.visited(layer) * self.inner * self.width // 2

    def transitions(self, layer: int) -> int:
        """Sums that are compared: each state of a layer with each city that is not in its set."""
        sets, inner, width = self.visited(layer), self.inner, self.width
        beyond = self.outer - layer
        # Sums over the inner sets of their cities k, and of k (inner - k).
        members, pairs = inner * width // 2, inner * (inner - 1) * width // 4
        return sets * (beyond * (layer * width + members) + layer * members + pairs)

    def bytes(self, layer: int) -> int:
        """Memory while a layer is worked on: its table and the next one's."""
        after = self.rows(layer + 1) if layer + 1 < self.layers else 0
        return (self.rows(layer) + after) * self.row * self.item

    @cached_property
    def most_bytes(self) -> int:
        """Memory that the largest two neighbouring layers take."""
        return max(self.bytes(layer) for layer in range(self.layers))

    @cached_property
    def all_subsets(self) -> int:
        """Sets of cities of all its layers."""
        return sum(self.subsets(layer) for layer in range(self.layers))

    @cached_property
    def all_states(self) -> int:
        """Lengths of all its layers."""
        return sum(self.states(layer) for layer in range(self.layers))

    @cached_property
    def all_transitions(self) -> int:
        """Sums of all its layers."""
        return sum(self.transitions(layer) for layer in range(self.layers))


def item_for(bound: int) -> int:
    """Bytes of a state by which every path of a tour no longer than `bound` can be told."""
    return next(item for item, unreached in UNREACHED.items() if bound < unreached)


def plan_for(distances: np.ndarray) -> Plan:
    """The layers for some distances, (n, n) int32; n is at least `LEAST_CITIES`."""
    return Plan(len(distances), item_for(nearest_neighbour_length(distances)))


def most_cities(item: int, memory: int) -> int:
    """The most cities whose layers fit into so many bytes, with a little left for all else."""
    fitting = [n for n in range(LEAST_CITIES, MOST_CITIES + 1) if (1 + SPARE) * Plan(n, item).most_bytes <= memory]
    return max(fitting, default=LEAST_CITIES - 1)


def too_large(n: int, item: int, memory: int) -> str:
    """Why so many cities are too many, one sentence; empty if they are not.

    Parameters
    ----------
    n : int
    item : int
        Bytes of a state.
    memory : int
        Bytes of the device; 0 where they are not known.
    """
    most = most_cities(item, memory) if memory else MOST_CITIES
    if n <= most:
        return ""
    if n > MOST_CITIES:
        return (
            f"Held-Karp keeps a length for every set of cities, and no memory holds those of {n:,} cities: take at "
            f"most {most}, or an algorithm that does not prove its tour."
        )
    needed = size_in_words(Plan(n, item).most_bytes)
    return f"Held-Karp of {n} cities needs {needed} of memory, here are {size_in_words(memory)}: take at most {most}."


def in_words(plan: Plan, memory: int) -> str:
    """What a run takes and what there is, in one sentence or two.

    Parameters
    ----------
    plan : Plan
    memory : int
        Bytes of the device; 0 where they are not known.
    """
    needed = size_in_words(plan.most_bytes)
    if not memory:
        return f"{plan.n} cities need {needed} of memory."
    most = most_cities(plan.item, memory)
    return f"{plan.n} cities need {needed} of memory, here are {size_in_words(memory)}: enough for up to {most} cities."


def size_in_words(count: int) -> str:
    """Bytes with a unit: ``3.6 GB``."""
    for factor, unit in ((10**12, "TB"), (10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if count >= 0.9995 * factor:
            return f"{count / factor:.3g} {unit}"
    return f"{count} bytes"
