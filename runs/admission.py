"""Decides which runs start and which wait: limits of places and memory, and fairness between owners."""

from collections import Counter
from collections.abc import Callable

from solvers.errors import DeviceUnavailable
from solvers.plan import Claim

#: Of a run that takes little memory.
NO_CLAIM = Claim()
#: Runs that may wait in all, and for one owner.
MOST_WAITING, MOST_WAITING_EACH = 400, 40


class QueueFull(DeviceUnavailable):
    """Too many runs wait already."""

    def __init__(self) -> None:
        super().__init__("Too many runs are waiting already: cancel one of them, or try again later.")


class Admission:
    """Hands out places to runs. Not thread-safe: the caller locks.

    The next place goes to the visitor with the fewest active runs, and among those to the run that has waited longest:
    a visitor's twenty runs do not hold up another's single one. A run that takes much of a device's memory begins when
    those
    that go on leave as much; others, that take little, need not wait for that.

    Parameters
    ----------
    places : int
        Runs at a time.
    memory : callable, optional
        The bytes of a device, ``cpu`` or ``cuda``, that runs may claim; 0 if unknown, and then no run waits for it.
    """

    def __init__(self, places: int, memory: Callable[[str], int] = lambda device: 0) -> None:
        self.places = places
        self._memory = memory
        self._going: dict[str, str] = {}  # owners of runs
        self._waiting: dict[str, str] = {}
        self._claims: dict[str, Claim] = {}  # of those that take much memory

    def enter(self, run: str, owner: str = "", may_wait: bool = True, claim: Claim = NO_CLAIM) -> bool:
        """Whether a new run may begin at once; otherwise it waits, if it may.

        Parameters
        ----------
        run : str
        owner : str
            Who started it; empty for no particular owner.
        may_wait : bool
        claim : Claim
            Its memory.

        Raises
        ------
        QueueFull
        """
        others = Counter(self._waiting.values())
        self._waiting[run] = owner
        if claim.bytes:
            self._claims[run] = claim
        if self._next() == run:
            self._going[run] = self._waiting.pop(run)
            return True
        if not may_wait:
            self.leave(run)
            return False
        if others.total() >= MOST_WAITING or (owner and others[owner] >= MOST_WAITING_EACH):
            self.leave(run)
            raise QueueFull
        return False

    def leave(self, run: str) -> None:
        """A run has ended, or waits no longer; does nothing if it has left before."""
        self._going.pop(run, None)
        self._waiting.pop(run, None)
        self._claims.pop(run, None)

    def pass_on(self, run: str, other: str) -> None:
        """Give the place of a run to another one of the same owner, which has waited for it."""
        self._going[other] = self._going.pop(run, "")
        if claim := self._claims.pop(run, None):
            self._claims[other] = claim

    def admit(self) -> str | None:
        """Let the next run begin if there is a place, and return it."""
        if run := self._next():
            self._going[run] = self._waiting.pop(run)
        return run

    def _next(self) -> str | None:
        """The run that may start now; one that waits for memory also holds up later ones that need much of it."""
        if len(self._going) >= self.places:
            return None
        awaited: set[str] = set()
        for run in self.queue():
            device, wanted = self._claims.get(run, NO_CLAIM)
            if device not in awaited and self._has_room(device, wanted):
                return run
            awaited.add(device)
        return None

    def claimed_bytes(self, device: str) -> int:
        """The bytes of a device that active runs have claimed."""
        claims = (self._claims.get(run, NO_CLAIM) for run in tuple(self._going))
        return sum(claim.bytes for claim in claims if claim.device == device)

    def _has_room(self, device: str, wanted: int) -> bool:
        """Whether a device has this many bytes free; an unclaimed device always counts as free."""
        if not wanted:
            return True
        taken, room = self.claimed_bytes(device), self._memory(device)
        return not (taken and room) or taken + wanted <= room

    def queue(self) -> tuple[str, ...]:
        """The runs that wait, in the order in which they will begin if nothing else happens."""
        counts = Counter(self._going.values())
        turns = []
        for number, (run, owner) in enumerate(self._waiting.items()):
            turns.append((counts[owner], number, run))
            counts[owner] += 1
        return tuple(run for *_, run in sorted(turns))
