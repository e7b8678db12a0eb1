"""How each layer's sets are divided among several GPUs. Plain Python.

The b greatest outer cities divide the sets into 2**b blocks, according to which of these cities they contain. A block
consists of successive sets in the order of their bits. The same GPU stores a block and the block of the complementary
sets: the last layer joins a set's paths with those of its complement, so it reads nothing from another GPU. Most rows
stay on the GPU that computes them, since only adding one of the b cities leads to another block. For two GPUs, b is 2,
and with n outer cities, 2 / n of the rows are written to the other GPU.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb

from solvers.algorithms.held_karp.plan import MAX_CITIES, Plan, cached_plan, format_bytes, max_cities, too_large_reason

#: If the number of GPUs is not a power of two, blocks are identified by this many more cities than would give each GPU
#: one block.
_EXTRA_CITIES = 2
#: Number of outer cities in the largest problems, for which the share of the tables that one GPU stores is computed.
_MANY_OUTER = 28


@dataclass(frozen=True, slots=True)
class Range:
    """Consecutive sets of a layer that one GPU stores.

    Attributes
    ----------
    first, last : int
        The ranks of the first set and of the set after the last.
    part : int
        The GPU's index among the run's GPUs.
    before : int
        Number of sets in this GPU's earlier ranges of the layer.
    """

    first: int
    last: int
    part: int
    before: int


@dataclass(frozen=True)
class Division:
    """Which ranges of each layer's sets each GPU stores.

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
        """The GPU that stores each block, in the order of the blocks' bits."""
        return assign_owners(self.plan.outer_count, self.parts)

    def stored_ranges(self, layer: int) -> list[Range]:
        """Return the ranges of all sets in a layer; every layer has the same number of ranges, some of them empty."""
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
        """Divide a GPU's sets in a layer into `count` pieces of nearly equal size; return the ranges of each piece."""
        own = [block for block in self.computed_ranges(layer) if block.part == part and block.first < block.last]
        total = sum(block.last - block.first for block in own)
        return [_cut_ranges(own, total * piece // count, total * (piece + 1) // count) for piece in range(count)]

    def _ranges(self, outer: int, size: int) -> list[Range]:
        """Return the ranges of the sets of `size` out of `outer` cities; the greatest cities identify the blocks."""
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
    """Choose the GPU that stores each block, in the order of the blocks' bits.

    The division is nearly even in the last layer, which has the most sets.
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
    """Return the largest share of a large problem's tables that any one of `parts` GPUs stores."""
    owners = assign_owners(_MANY_OUTER, parts)
    bits = (len(owners) - 1).bit_length()
    weights = [_count_last_sets(_MANY_OUTER, bits, block) for block in range(len(owners))]
    return max(sum(w for w, owner in zip(weights, owners, strict=True) if owner == k) for k in range(parts)) / sum(
        weights
    )


def compute_divided_memory(memory_sizes: Sequence[int]) -> int:
    """Return the bytes of tables that fit onto GPUs of these memory sizes together.

    The limit is the GPU that stores most, since shares of the tables are not exactly equal.
    """
    return int(min(memory_sizes) / compute_max_share(len(memory_sizes)))


def describe_gpu_memory(n: int, item: int, memory_sizes: Sequence[int]) -> str:
    """Return a sentence that states how much memory a run needs on each GPU, and how much each has.

    Parameters
    ----------
    n : int
    item : int
        Bytes of a state.
    memory_sizes : sequence of int
        Bytes of memory of each GPU.
    """
    together, count = compute_divided_memory(memory_sizes), len(memory_sizes)
    if n > MAX_CITIES:
        return too_large_reason(n, item, together)
    needed = format_bytes(int(cached_plan(n, item).peak_bytes * compute_max_share(count)))
    maximum = max_cities(item, together)
    have = format_bytes(min(memory_sizes))
    if n > maximum:
        return f"{n} cities need {needed} of memory on each of {count} GPUs, which have {have}: use at most {maximum}."
    return (
        f"{n} cities need {needed} of memory on each of {count} GPUs, which have {have}: enough for up to {maximum} "
        "cities."
    )


def _count_last_sets(outer: int, bits: int, block: int) -> int:
    """Return how many of the last layer's sets are in a block."""
    rest = outer // 2 - block.bit_count()
    return comb(outer - bits, rest) if rest >= 0 else 0


def _cut_ranges(ranges: list[Range], begin: int, end: int) -> list[tuple[int, int]]:
    """Return sets `begin` to `end` - 1, counted across the ranges, as a list of ranges."""
    pieces, at = [], 0
    for each in ranges:
        first, last = max(begin - at, 0), min(end - at, each.last - each.first)
        if first < last:
            pieces.append((each.first + first, each.first + last))
        at += each.last - each.first
    return pieces
