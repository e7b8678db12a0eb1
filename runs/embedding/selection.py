"""Selects items when not all fit: the most important first, then evenly spaced ones."""

from collections import deque
from collections.abc import Iterator, Sequence


def order_evenly(items: Sequence[int], first: Sequence[int] = ()) -> Iterator[int]:
    """Order items so that every prefix is evenly spread: ends, middle, then the middles between.

    Parameters
    ----------
    items : sequence of int
        Ascending.
    first : sequence of int
        Items to take before all others, if they are in `items`.
    """
    available = set(items)
    selected = set[int]()
    for each in (*first, *items[:1], *items[-1:], *_iterate_middles(items)):
        if each in available and each not in selected:
            selected.add(each)
            yield each


def _iterate_middles(items: Sequence[int]) -> Iterator[int]:
    gaps = deque([(0, len(items) - 1)])
    while gaps:
        low, high = gaps.popleft()
        if high - low < 2:
            continue
        middle = (low + high) // 2
        yield items[middle]
        gaps += [(low, middle), (middle, high)]
