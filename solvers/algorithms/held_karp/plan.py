"""The size of a Held-Karp problem: layers, states, transitions and bytes. Plain Python: pages may import it.

All paths start at city 0. A few of the other cities are inner cities; the rest, an even number, are outer cities. Layer
k consists of all sets of k outer cities, each combined with every set of inner cities. A tour is made of two paths with
half of the outer cities each, so half of the layers are enough; and a layer needs only the one before it.
"""

from dataclasses import dataclass
from functools import cache, cached_property
from math import comb

import numpy as np

from data.distances import distance_matrix
from data.instance import Instance
from solvers.core.neighbours import nearest_neighbour_length

#: A value that exceeds all lengths, for each number of bytes per state; twice this value still fits into the state.
UNREACHED = {item: (1 << 8 * item - 1) - 1 for item in (2, 4, 8)}
#: Minimum number of inner cities, for each number of bytes per state: their sets fill a warp's lanes, with two sets per
#: lane if two states fit into a register.
_INNER = {2: 6, 4: 5, 8: 5}
#: Number of states computed side by side.
VECTOR = 32
#: Maximum number of cities for which sizes are computed. With more, no memory would be large enough, even at one byte
#: per state.
MAX_CITIES = 48
#: How much memory to leave free, as a fraction of the tables' size.
SPARE = 0.03
#: Bytes of states that a core processes per second: 8 billion transitions of 2 bytes, 4 billion of 4 (25 to 29 cities
#: by `sequential`, ``benchmarks/results/held_karp_cpu.json``).
_BYTES_PER_SECOND = 16e9
#: Version of the layers' results. Earlier versions, which results do not record, proved wrong optima for negative
#: distances.
LAYERS_VERSION = 2
#: Minimum number of cities that need computation: with fewer there is only one tour, in two directions.
MIN_CITIES = 4


@dataclass(frozen=True)
class Plan:
    """Sizes of the layers for `n` cities.

    Parameters
    ----------
    n : int
        At least `MIN_CITIES`.
    item : int
        Number of bytes per state: 2, 4 or 8.
    directed : bool
        Whether distances are directed, so that paths back to the first city must be computed too.
    """

    n: int
    item: int
    directed: bool = False

    def resize(self, n: int) -> "Plan":
        """Return the plan for another number of cities."""
        return cached_plan(n, self.item, self.directed)

    @cached_property
    def inner_count(self) -> int:
        """Number of inner cities: `_INNER` or one more, leaving at least two outer cities."""
        others = self.n - 1
        return min(others - 2, _INNER[self.item] + (others - _INNER[self.item]) % 2)

    @property
    def outer_count(self) -> int:
        """Number of outer cities, always even."""
        return self.n - 1 - self.inner_count

    @property
    def width(self) -> int:
        """Number of sets of inner cities; a row has one state for each."""
        return 1 << self.inner_count

    @property
    def row(self) -> int:
        """Number of states for which a stored row has room, at least `VECTOR`."""
        return max(self.width, VECTOR)

    @property
    def layers(self) -> int:
        """Number of layers: from no outer cities to half of them."""
        return self.outer_count // 2 + 1

    def sets(self, layer: int) -> int:
        """Return the number of sets of outer cities in a layer."""
        return comb(self.outer_count, layer)

    def rows(self, layer: int) -> int:
        """Return the number of rows in a layer: one for each set and each last city in it."""
        return layer * self.sets(layer)

    @property
    def table_rows(self) -> tuple[int, int]:
        """Number of rows in each of two tables, which layers use in turn; a table has room for its largest layer."""
        rows = [max(1, self.rows(layer)) for layer in range(self.layers)]
        return max(rows[::2]), max(rows[1::2])

    def count_outer_sets(self, layer: int) -> int:
        """Return the number of sets of outer cities that are computed, per direction.

        In the last layer these are only the sets with the first outer city, since a set and its complement give the
        same tours; if distances are directed, these are all sets.
        """
        joined = layer == self.layers - 1 and not self.directed
        return comb(self.outer_count - 1, layer - 1) if joined else self.sets(layer)

    def directions(self, layer: int) -> int:
        """Return how often a layer is computed: once, but twice if distances are directed and it is not the last."""
        return 2 if self.directed and layer < self.layers - 1 else 1

    def subsets(self, layer: int) -> int:
        """Return the number of sets of cities that are computed in a layer."""
        return self.directions(layer) * self.count_outer_sets(layer) << self.inner_count

    def states(self, layer: int) -> int:
        """Return the number of lengths in a layer, one for each set of cities and each last city.

        The previous layer computes the states that end in an outer city, for all sets.
        """
        passed_on = (1 + self.directed) * (self.sets(layer) << self.inner_count) * layer
        return passed_on + self.directions(layer) * self.count_outer_sets(layer) * self.inner_count * self.width // 2

    def transitions(self, layer: int) -> int:
        """Return the number of sums compared: each state of a layer with each city outside its set."""
        sets, inner, width = self.directions(layer) * self.count_outer_sets(layer), self.inner_count, self.width
        beyond = self.outer_count - layer
        # Sums over all inner sets, where k is the set's size: of k, and of k (inner - k).
        members, pairs = inner * width // 2, inner * (inner - 1) * width // 4
        return sets * (beyond * (layer * width + members) + layer * members + pairs)

    def bytes(self, layer: int) -> int:
        """Return the bytes in use while a layer is computed: its table and the next layer's, for all directions."""
        after = self.rows(layer + 1) if layer + 1 < self.layers else 0
        return (1 + self.directed) * (self.rows(layer) + after) * self.row * self.item

    @cached_property
    def peak_bytes(self) -> int:
        """Peak memory in bytes, for the two largest adjacent layers."""
        return max(self.bytes(layer) for layer in range(self.layers))

    @cached_property
    def all_transitions(self) -> int:
        """Number of sums in all layers."""
        return sum(self.transitions(layer) for layer in range(self.layers))

    def seconds(self, threads: int) -> float:
        """Estimate the seconds that all layers take on `threads` CPU threads."""
        return self.all_transitions * self.item / (_BYTES_PER_SECOND * threads)


@cache
def cached_plan(n: int, item: int, directed: bool = False) -> Plan:
    """Return the plan for `n` cities, cached because its sums may take longer than computing small layers."""
    return Plan(n, item, directed)


def choose_item_size(bound: int) -> int:
    """Return the number of bytes per state that can store any path of a tour no longer than `bound`."""
    return next(item for item, unreached in UNREACHED.items() if bound < unreached)


def nonnegative_distances(instance: Instance) -> np.ndarray:
    """Return nonnegative distances, (n, n) int32 or int64, since the layers' states are unsigned.

    If an instance has negative distances, all distances are raised by the same amount. This lengthens every tour by n
    times that amount, so it changes neither the shortest tour nor the nearest cities.
    """
    distances = distance_matrix(instance)
    minimum = int(distances.min())
    if minimum < 0:
        distances = distances.astype(np.int64) - minimum
        np.fill_diagonal(distances, 0)
    return distances


def plan_for(distances: np.ndarray) -> Plan:
    """Return the plan for nonnegative distances (n, n), where n is at least `MIN_CITIES`."""
    directed = not np.array_equal(distances, distances.T)
    return cached_plan(len(distances), choose_item_size(nearest_neighbour_length(distances)), directed)


def max_cities(item: int, memory: int, directed: bool = False) -> int:
    """Return the maximum number of cities whose layers fit into `memory` bytes and leave `SPARE` free."""
    sizes = range(MIN_CITIES, MAX_CITIES + 1)
    fitting = [n for n in sizes if (1 + SPARE) * cached_plan(n, item, directed).peak_bytes <= memory]
    return max(fitting, default=MIN_CITIES - 1)


def too_large_reason(n: int, item: int, memory: int, directed: bool = False) -> str:
    """Return a sentence saying why `n` cities are too many; empty if they are not.

    Parameters
    ----------
    n : int
    item : int
        Number of bytes per state.
    memory : int
        Bytes of the device's memory; 0 if unknown.
    directed : bool
        Whether the distances are directed.
    """
    maximum = max_cities(item, memory, directed) if memory else MAX_CITIES
    if n <= maximum:
        return ""
    if n > MAX_CITIES:
        return (
            f"Held-Karp keeps a length for every set of cities, and no memory holds those of {n:,} cities: use at "
            f"most {maximum}, or an algorithm that does not prove its tour."
        )
    needed = format_bytes(cached_plan(n, item, directed).peak_bytes)
    available = format_bytes(memory)
    return f"Held-Karp of {n} cities needs {needed} of memory; {available} are available: use at most {maximum}."


def describe_memory(plan: Plan, memory: int) -> str:
    """Return one or two sentences about how much memory a run needs and how much is available.

    Parameters
    ----------
    plan : Plan
    memory : int
        Bytes of the device's memory; 0 if unknown.
    """
    needed = format_bytes(plan.peak_bytes)
    if not memory:
        return f"{plan.n} cities need {needed} of memory."
    maximum = max_cities(plan.item, memory, plan.directed)
    available = format_bytes(memory)
    return f"{plan.n} cities need {needed} of memory; {available} are available: enough for up to {maximum} cities."


def format_bytes(count: int) -> str:
    """Format a number of bytes with a unit, for example ``3.6 GB``."""
    for factor, unit in ((10**12, "TB"), (10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if count >= 0.9995 * factor:
            return f"{count / factor:.3g} {unit}"
    return f"{count} bytes"
