"""Work on pairs of cores, one piece at a time on each."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import TypeVar

_Case = TypeVar("_Case")
_Result = TypeVar("_Result")


def choose_pairs(cores: Sequence[int], count: int) -> list[list[int]]:
    """Choose pairs of cores from the last on; 0 means all pairs, without the first if there are several.

    Raises
    ------
    SystemExit
        If there are fewer pairs.
    """
    pairs = [list(cores[k : k + 2]) for k in range(0, len(cores) - 1, 2)]
    if count > len(pairs):
        raise SystemExit(f"{count} pairs need {2 * count} cores; this process may run on {len(cores)}.")
    return pairs[-count:] if count else pairs[1:] or pairs


def run_on_pairs(
    pairs: Sequence[list[int]], measure: Callable[[_Case, list[int]], _Result], cases: Sequence[_Case]
) -> Iterator[_Result]:
    """Yield the result of `measure` for each case, in their order; it gets a pair that no other case uses."""
    free: SimpleQueue[list[int]] = SimpleQueue()
    for pair in pairs:
        free.put(pair)

    def measure_on_free_pair(case: _Case) -> _Result:
        pair = free.get()
        try:
            return measure(case, pair)
        finally:
            free.put(pair)

    with ThreadPoolExecutor(len(pairs)) as pool:
        yield from pool.map(measure_on_free_pair, cases)
