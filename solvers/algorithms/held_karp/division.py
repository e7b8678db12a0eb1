"""Division of each layer's sets among several GPUs. Plain Python.

Sets are divided by their b greatest outer cities into 2**b blocks, each of successive sets in the order of their bits.
A block and the block of the complementary cities go to the same GPU: the last layer joins the paths of a set with the
paths of its complement, so that it reads nothing from another GPU. Most rows stay on the GPU that computes them, since
only adding one of these b cities leads to another block: for two GPUs, b is 2, and with n outer cities a share of 2 / n
of the rows is written to the other one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb

from solvers.algorithms.held_karp.plan import MAX_CITIES, Plan, cached_plan, format_bytes, max_cities, too_large_reason

#: Number of cities that identify a block, in addition to the cities for one block per GPU, if the number of GPUs is not
#: a power of two.
_EXTRA_CITIES = 2
#: Number of outer cities of the largest problems, for which the largest share of a GPU is computed.
_MANY_OUTER = 28


@dataclass(frozen=True, slots=True)
class Range:
    """Consecutive sets of a layer stored on one GPU.

    Attributes
    ----------
    first, last : int
        The first set and the one after the last, as ranks.
    part : int
        The GPU's number among the run's GPUs.
    before : int
        Number of the layer's sets in earlier ranges of this GPU.
    """

    first: int
    last: int
    part: int
    before: int


@dataclass(frozen=True)
class Division:
    """The ranges of sets in each layer.

    Parameters
    ----------
    plan : Plan
    parts : int
        Number of GPUs.
    """

    plan: Plan
    parts: int

    @cached_property
    def _owners(self) -> list[int]:
        """GPU of each block, in bit order."""
        return assign_owners(self.plan.outer_count, self.parts)

    def stored_ranges(self, layer: int) -> list[Range]:
        """Return the ranges of all sets in a layer; every layer has as many ranges, some of them empty."""
        return self._ranges(self.plan.outer_count, layer)

    def computed_ranges(self, layer: int) -> list[Range]:
        """Return the ranges of the sets to compute; in the last layer, only those with the first outer city."""
        if layer < self.plan.layers - 1:
            return self.stored_ranges(layer)
        return self._ranges(self.plan.outer_count - 1, layer - 1)

    def sets(self, layer: int, part: int) -> int:
        """Return how many of a layer's sets a GPU stores."""
        return sum(block.last - block.first for block in self.stored_ranges(layer) if block.part == part)

    def pieces(self, layer: int, part: int, count: int) -> list[list[tuple[int, int]]]:
        """Divide a GPU's sets in a layer into pieces of nearly equal size; return the ranges of each."""
        own = [block for block in self.computed_ranges(layer) if block.part == part and block.first < block.last]
        total = sum(block.last - block.first for block in own)
        return [_cut_ranges(own, total * piece // count, total * (piece + 1) // count) for piece in range(count)]

    def _ranges(self, outer: int, size: int) -> list[Range]:
        """Return the ranges of sets of `size` cities out of `outer`; the greatest cities identify a block."""
        bits = (len(self._owners) - 1).bit_length()
        ranges: list[Range] = []
        at, had = 0, [0] * self.parts
        for block, part in enumerate(self._owners):
            rest = size - block.bit_count()
            sets = comb(outer - bits, rest) if rest >= 0 else 0
            if ranges and ranges[-1].part == part:
                last = ranges.pop()
                ranges.append(Range(last.first, at + sets, part, last.before))
            else:
                ranges.append(Range(at, at + sets, part, had[part]))
            at, had[part] = at + sets, had[part] + sets
        return ranges


def assign_owners(outer: int, parts: int) -> list[int]:
    """Assign a GPU to each block of sets of `outer` cities, in bit order.

    The division is as even as possible in the last layer, which has the most sets.
    """
    bits = 1 + (parts - 1).bit_length() + (_EXTRA_CITIES if parts & (parts - 1) else 0)
    bits = min(bits, outer - 1) if parts > 1 else 1
    half = 1 << bits - 1
    weights = [
        _count_last_sets(outer, bits, block) + _count_last_sets(outer, bits, 2 * half - 1 - block)
        for block in range(half)
    ]
    owners, done = [], 0
    for weight in weights:
        owners.append(min(parts - 1, (2 * done + weight) * parts // (2 * sum(weights))))
        done += weight
    return owners + owners[::-1]


def compute_max_share(parts: int) -> float:
    """Return the largest share of a large problem's tables that any of several GPUs stores."""
    owners = assign_owners(_MANY_OUTER, parts)
    bits = (len(owners) - 1).bit_length()
    weights = [_count_last_sets(_MANY_OUTER, bits, block) for block in range(len(owners))]
    return max(sum(w for w, owner in zip(weights, owners, strict=True) if owner == k) for k in range(parts)) / sum(
        weights
    )


def compute_divided_memory(memories: Sequence[int]) -> int:
    """Return the table bytes that fit on GPUs of these memory sizes, limited by the fullest one.

    The GPUs do not get exactly the same share of the tables.
    """
    return int(min(memories) / compute_max_share(len(memories)))


def describe_gpu_memory(n: int, item: int, memories: Sequence[int]) -> str:
    """Return a sentence with the memory that a run needs on each GPU, and that each has.

    Parameters
    ----------
    n : int
    item : int
        Bytes of a state.
    memories : sequence of int
        The memory of each GPU in bytes.
    """
    together, count = compute_divided_memory(memories), len(memories)
    if n > MAX_CITIES:
        return too_large_reason(n, item, together)
    needed = format_bytes(int(cached_plan(n, item).peak_bytes * compute_max_share(count)))
    maximum = max_cities(item, together)
    have = format_bytes(min(memories))
    if n > maximum:
        return f"{n} cities need {needed} of memory on each of {count} GPUs, which have {have}: use at most {maximum}."
    return (
        f"{n} cities need {needed} of memory on each of {count} GPUs, which have {have}: enough for up to {maximum} "
        "cities."
    )


def _count_last_sets(outer: int, bits: int, block: int) -> int:
    """Return how many sets of the last layer are in a block."""
    rest = outer // 2 - block.bit_count()
    return comb(outer - bits, rest) if rest >= 0 else 0


def _cut_ranges(ranges: list[Range], begin: int, end: int) -> list[tuple[int, int]]:
    """Return the sets numbered `begin` to `end` - 1 across consecutive ranges."""
    pieces, at = [], 0
    for each in ranges:
        first, last = max(begin - at, 0), min(end - at, each.last - each.first)
        if first < last:
            pieces.append((each.first + first, each.first + last))
        at += each.last - each.first
    return pieces
