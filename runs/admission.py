"""Admission control: which runs may start, given places, memory and fairness between owners."""

from collections import Counter
from collections.abc import Callable

from solvers.core.errors import DeviceUnavailable
from solvers.plan import Claim

#: The memory claim of a run that needs little memory.
NO_CLAIM = Claim()
#: Limits on waiting runs: in total, and for one owner.
MAX_WAITING, MAX_WAITING_EACH = 400, 40


class QueueFull(DeviceUnavailable):
    """The queue of waiting runs is full."""

    def __init__(self) -> None:
        super().__init__("Too many runs are waiting already: cancel one of them, or try again later.")


class Admission:
    """Assigns places to runs. Not thread-safe: the caller holds the lock.

    The next place goes to the visitor with the fewest active runs, and then to the run that has waited longest, so that
    one visitor's twenty runs do not block another visitor's only run. A run that needs much of a device's memory starts
    once the active runs leave enough of it free; runs that need little do not wait for memory.

    Parameters
    ----------
    places : int
        Maximum number of runs at a time.
    capacity : callable, optional
        Returns how many bytes of memory runs may claim on a device, ``cpu`` or ``cuda``; 0 if unknown, and then no run
        waits for memory.
    """

    def __init__(self, places: int, capacity: Callable[[str], int] = lambda device: 0) -> None:
        self.places = places
        self._memory = capacity
        self._active: dict[str, str] = {}  # active runs and their owners
        self._waiting: dict[str, str] = {}
        self._claims: dict[str, Claim] = {}  # memory claims of the runs that need much memory

    def enter(self, run: str, owner: str = "", may_wait: bool = True, claim: Claim = NO_CLAIM) -> bool:
        """Return whether a new run may start at once; otherwise queue it, if it may wait.

        Parameters
        ----------
        run : str
        owner : str
            The visitor who started the run; empty for none.
        may_wait : bool
        claim : Claim
            The memory that the run needs.

        Raises
        ------
        QueueFull
        """
        others = Counter(self._waiting.values())
        self._waiting[run] = owner
        if claim.bytes:
            self._claims[run] = claim
        if self._find_next() == run:
            self._active[run] = self._waiting.pop(run)
            return True
        if not may_wait:
            self.leave(run)
            return False
        if others.total() >= MAX_WAITING or (owner and others[owner] >= MAX_WAITING_EACH):
            self.leave(run)
            raise QueueFull
        return False

    def leave(self, run: str) -> None:
        """Remove a run that has ended or no longer waits; does nothing the second time."""
        self._active.pop(run, None)
        self._waiting.pop(run, None)
        self._claims.pop(run, None)

    def transfer(self, run: str, other: str) -> None:
        """Hand an active run's place and memory claim to the run that replaces it."""
        self._active[other] = self._active.pop(run, "")
        if claim := self._claims.pop(run, None):
            self._claims[other] = claim

    def admit(self) -> str | None:
        """Start the next run if there is a place for it; return its id."""
        if run := self._find_next():
            self._active[run] = self._waiting.pop(run)
        return run

    def _find_next(self) -> str | None:
        """Return the run that may start now; a run waiting for memory blocks later runs that need much of it."""
        if len(self._active) >= self.places:
            return None
        awaited: set[str] = set()
        for run in self.queue():
            device, needed = self._claims.get(run, NO_CLAIM)
            if device not in awaited and self._has_memory(device, needed):
                return run
            awaited.add(device)
        return None

    def claimed_bytes(self, device: str) -> int:
        """Return how many bytes of a device's memory the active runs claim."""
        claims = (self._claims.get(run, NO_CLAIM) for run in tuple(self._active))
        return sum(claim.bytes for claim in claims if claim.device == device)

    def _has_memory(self, device: str, needed: int) -> bool:
        """Return whether a device has this much free memory; a device that no run claims always has."""
        if not needed:
            return True
        claimed, capacity = self.claimed_bytes(device), self._memory(device)
        return not (claimed and capacity) or claimed + needed <= capacity

    def queue(self) -> tuple[str, ...]:
        """Return the waiting runs in the order in which they will start."""
        counts = Counter(self._active.values())
        turns = []
        for number, (run, owner) in enumerate(self._waiting.items()):
            turns.append((counts[owner], number, run))
            counts[owner] += 1
        return tuple(run for *_, run in sorted(turns))
