"""A team of threads that share work, in time slices."""

from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter

import numpy as np


class ThreadTeam:
    """A team of threads that includes the caller's.

    Parameters
    ----------
    threads : int

    Attributes
    ----------
    threads : int
    deadline : float
        Value of `time.perf_counter` after which no new work item is started.
    """

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self.deadline = 0.0
        self._pool = ThreadPoolExecutor(threads - 1) if threads > 1 else None

    @property
    def is_over(self) -> bool:
        """Whether the slice is over."""
        return perf_counter() >= self.deadline

    def run_all(self, work: Callable[[int], None], workers: int) -> None:
        """Run `work(worker)` on the first `workers` threads, and wait for these."""
        others = [self._pool.submit(work, worker) for worker in range(1, workers)] if self._pool else []
        try:
            work(0)
        finally:
            for other in others:
                other.result()

    def share(
        self, work: Callable[[int, int], None], count: int, piece: int, workers: int
    ) -> Generator[None, None, None]:
        """Run `work(first, last)` on ranges of up to `piece` from 0 to `count`; yield after each slice.

        Threads take the ranges in no fixed order, so results must not depend on the order. Each thread takes at least
        one range in every slice, so that the work always continues.
        """
        piece = max(1, piece)
        pieces: Iterator[int] = iter(range(0, count, piece))
        has_items = True

        def run(_: int) -> None:
            nonlocal has_items
            has_started = False
            while has_items and not (has_started and self.is_over):
                has_started = True
                # Threads may share an iterator, since the interpreter hands out each number only once.
                first = next(pieces, None)
                if first is None:
                    has_items = False
                else:
                    work(first, min(first + piece, count))

        while True:
            self.run_all(run, workers)
            if not has_items:
                return
            yield

    def distribute(
        self, work: Callable[[int], None], count: int, few: int, states: Sequence[np.ndarray]
    ) -> Generator[None, None, None]:
        """Hand the indices below `count` to threads, `few` at a time, and run `work(worker)` until all are done.

        Yields after each slice, like `share`.

        Parameters
        ----------
        work : callable
            Continues a thread's work for at most a few milliseconds.
        states : sequence of ndarray, int64
            One per thread: the next index, the end of the thread's range, and other state of `work`, initially 0.
        """
        groups = iter(range(0, count, few))
        has_items = True
        for state in states:
            state[:] = 0

        def run(k: int) -> None:
            nonlocal has_items
            state, has_started = states[k], False
            while not (has_started and self.is_over):
                has_started = True
                if state[0] >= state[1]:
                    first = next(groups, None)
                    if first is None:
                        has_items = False
                        return
                    state[:] = 0
                    state[:2] = first, min(first + few, count)
                work(k)

        while True:
            self.run_all(run, len(states))
            if not has_items and all(state[0] >= state[1] for state in states):
                return
            yield

    def close(self) -> None:
        """Stop the threads."""
        if self._pool:
            self._pool.shutdown()
