"""Which run comes next: in order, as soon as the cores or the card that it needs are free."""

import threading
from collections import deque
from collections.abc import Iterable, Sequence

from studies.pool.resources import Claim
from studies.spec.matrix import Cell


class Dispatch:
    """Hands the runs that wait to lanes, each once.

    Parameters
    ----------
    waiting : iterable of Cell
        In their order.
    claims : sequence of Claim
        Of each entry.
    cores : int
        That runs may keep busy together. One that needs more than there are has all of them.
    """

    def __init__(self, waiting: Iterable[Cell], claims: Sequence[Claim], cores: int) -> None:
        self._claims, self._cores, self._free = claims, cores, cores
        self._changed = threading.Condition()
        self._queues: dict[bool, deque[Cell]] = {True: deque(), False: deque()}
        for cell in waiting:
            self._queues[claims[cell.entry].card].append(cell)

    def take(self, card: bool) -> Cell | None:
        """The next run for a lane of a card, or of the cores, once there is room; None if there is none left."""
        queue = self._queues[card]
        with self._changed:
            self._changed.wait_for(lambda: not queue or card or self._width(queue[0]) <= self._free)
            if not queue:
                return None
            cell = queue.popleft()
            if not card:
                self._free -= self._width(cell)
            return cell

    def done(self, cell: Cell) -> None:
        """Let what a run kept busy be free again."""
        if not self._claims[cell.entry].card:
            with self._changed:
                self._free += self._width(cell)
                self._changed.notify_all()

    def stop(self) -> None:
        """Hand out nothing more."""
        with self._changed:
            for queue in self._queues.values():
                queue.clear()
            self._changed.notify_all()

    def left(self, card: bool) -> tuple[Cell, ...]:
        """The runs that wait for a card, or for cores."""
        with self._changed:
            return tuple(self._queues[card])

    def _width(self, cell: Cell) -> int:
        return min(self._cores, self._claims[cell.entry].cores)
