"""Which runs go on at a time and which wait: a bound of places, and fairness between owners."""

from collections import Counter

from solvers.errors import DeviceUnavailable

#: Runs that may wait in all, and for one owner.
MOST_WAITING, MOST_WAITING_EACH = 400, 40


class QueueFull(DeviceUnavailable):
    """Too many runs wait already."""

    def __init__(self) -> None:
        super().__init__("Too many runs are waiting already: cancel one of them, or try again later.")


class Admission:
    """Hands out places to runs. Not thread-safe: the caller locks.

    The next place goes to whom the fewest runs go on for, and among those to the run that has waited longest: who
    starts twenty runs holds up nobody who starts one.

    Parameters
    ----------
    places : int
        Runs that go on at a time.
    """

    def __init__(self, places: int) -> None:
        self.places = places
        self._going: dict[str, str] = {}  # owners of runs
        self._waiting: dict[str, str] = {}

    def enter(self, run: str, owner: str = "", may_wait: bool = True) -> bool:
        """Whether a new run may begin at once; otherwise it waits, if it may.

        Parameters
        ----------
        run : str
        owner : str
            Who started it; empty if nobody in particular.
        may_wait : bool

        Raises
        ------
        QueueFull
        """
        if not self._waiting and len(self._going) < self.places:
            self._going[run] = owner
            return True
        if not may_wait:
            return False
        each = sum(other == owner for other in self._waiting.values())
        if len(self._waiting) >= MOST_WAITING or (owner and each >= MOST_WAITING_EACH):
            raise QueueFull
        self._waiting[run] = owner
        return False

    def leave(self, run: str) -> None:
        """A run has ended, or waits no longer; does nothing if it has left before."""
        self._going.pop(run, None)
        self._waiting.pop(run, None)

    def pass_on(self, run: str, other: str) -> None:
        """Give the place of a run to another one of the same owner, which has waited for it."""
        self._going[other] = self._going.pop(run, "")

    def admit(self) -> str | None:
        """Let the next run begin if there is a place, and return it."""
        queue = self.queue()
        if not queue or len(self._going) >= self.places:
            return None
        self._going[queue[0]] = self._waiting.pop(queue[0])
        return queue[0]

    def queue(self) -> tuple[str, ...]:
        """The runs that wait, in the order in which they will begin if nothing else happens."""
        counts = Counter(self._going.values())
        turns = []
        for number, (run, owner) in enumerate(self._waiting.items()):
            turns.append((counts[owner], number, run))
            counts[owner] += 1
        return tuple(run for *_, run in sorted(turns))
