"""Chooses the next run: in order, as soon as the cores or the GPU that it needs are free."""

import threading
from collections import deque
from collections.abc import Iterable, Sequence

from studies.pool.resources import Claim
from studies.spec.matrix import Cell


class Dispatch:
    """Assigns waiting runs to slots, each run once.

    Parameters
    ----------
    waiting : iterable of Cell
        In order.
    claims : sequence of Claim
        The claim of each entry.
    cores : int
        Cores that runs may use together. A run that needs more than that gets all of them.
    """

    def __init__(self, waiting: Iterable[Cell], claims: Sequence[Claim], cores: int) -> None:
        self._claims, self._cores, self._free = claims, cores, cores
        self._changed = threading.Condition()
        self._queues: dict[bool, deque[Cell]] = {True: deque(), False: deque()}
        for cell in waiting:
            self._queues[claims[cell.entry].gpu].append(cell)

    def take(self, gpu: bool) -> Cell | None:
        """The next run for a slot on a GPU (`gpu`) or on cores; blocks until there is room; None if no run is left."""
        queue = self._queues[gpu]
        with self._changed:
            self._changed.wait_for(lambda: not queue or gpu or self._width(queue[0]) <= self._free)
            if not queue:
                return None
            cell = queue.popleft()
            if not gpu:
                self._free -= self._width(cell)
            return cell

    def done(self, cell: Cell) -> None:
        """Release the resources of a run."""
        if not self._claims[cell.entry].gpu:
            with self._changed:
                self._free += self._width(cell)
                self._changed.notify_all()

    def stop(self) -> None:
        """Assign no more runs."""
        with self._changed:
            for queue in self._queues.values():
                queue.clear()
            self._changed.notify_all()

    def left(self, gpu: bool) -> tuple[Cell, ...]:
        """The runs that wait for a GPU (`gpu`) or for cores."""
        with self._changed:
            return tuple(self._queues[gpu])

    def _width(self, cell: Cell) -> int:
        return min(self._cores, self._claims[cell.entry].cores)
