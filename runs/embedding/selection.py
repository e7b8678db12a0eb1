"""Selects items where not all fit: the most important first, then evenly spaced ones."""

from collections import deque
from collections.abc import Iterator, Sequence


def spread(wanted: Sequence[int], first: Sequence[int] = ()) -> Iterator[int]:
    """Order all items of `wanted` so that every prefix is spread evenly: ends, middle, then the middles between those.

    Parameters
    ----------
    wanted : sequence of int
        Ascending.
    first : sequence of int
        Items to take before all others, if they are in `wanted`.
    """
    known = set(wanted)
    chosen = set[int]()
    for each in (*first, *wanted[:1], *wanted[-1:], *_middles(wanted)):
        if each in known and each not in chosen:
            chosen.add(each)
            yield each


def _middles(wanted: Sequence[int]) -> Iterator[int]:
    gaps = deque([(0, len(wanted) - 1)])
    while gaps:
        low, high = gaps.popleft()
        if high - low < 2:
            continue
        middle = (low + high) // 2
        yield wanted[middle]
        gaps += [(low, middle), (middle, high)]
