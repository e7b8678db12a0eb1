"""Channels: each run's newest data, and notification of its viewers.

Collectors publish from their threads; viewers wait on the event loop. Nothing is queued: a channel holds the newest
head (current tour) and the newest sequence number, and a viewer reads the events it has missed from the run file.
"""

from collections.abc import Sequence
from typing import Protocol

from runs.store.live_tour import Head
from runs.store.pheromone import ColonyPicture

#: Limits on the heads that are stored for viewers who want all of them: their number, and the bytes of their tours.
MAX_HEADS, _MAX_BYTES = 64, 4 << 20


def select_newest(heads: Sequence[Head]) -> Sequence[Head]:
    """Return the last heads, as many as limits allow, at least one if there are any."""
    limit = max(1, min(MAX_HEADS, _MAX_BYTES // max(1, heads[-1].order.nbytes))) if heads else 0
    return heads[-limit:]


class Listener(Protocol):
    """An object that is notified of changes."""

    def notify(self) -> None:
        """Handle a change; called from any thread, so it must not block."""
        ...


class Listeners:
    """Listeners to notify of changes."""

    def __init__(self) -> None:
        self._listeners: frozenset[Listener] = frozenset()

    def join(self, listener: Listener) -> None:
        """Add a listener; call this and `leave` only on the event loop."""
        self._listeners |= {listener}

    @property
    def listeners(self) -> int:
        """Number of listeners."""
        return len(self._listeners)

    def leave(self, listener: Listener) -> None:
        """Remove a listener."""
        self._listeners -= {listener}

    def notify(self) -> None:
        """Notify all listeners of a change, from any thread."""
        for listener in self._listeners:
            listener.notify()


class Channel(Listeners):
    """A run's newest data.

    Attributes
    ----------
    state : (str, str)
        The run's state and its reason.
    logged : int
        Sequence number of the newest event for viewers, 0 if there is none.
    head : Head or None
        The newest head.
    picture : ColonyPicture or None
        The newest picture of an ant colony.
    """

    def __init__(self, state: tuple[str, str] = ("running", ""), logged: int = 0) -> None:
        super().__init__()
        self.state = state
        self.logged = logged
        self.head: Head | None = None
        self._heads: tuple[int, tuple[Head, ...]] = 0, ()
        self.picture: ColonyPicture | None = None

    def publish(
        self,
        state: tuple[str, str],
        logged: int | None = None,
        heads: Sequence[Head] = (),
        picture: ColonyPicture | None = None,
    ) -> None:
        """Publish data that is on disk already; None leaves a field unchanged."""
        self.logged = self.logged if logged is None else logged
        if heads:
            self._add_heads(heads)
        self.picture = picture or self.picture
        self.state = state
        self.notify()

    def _add_heads(self, heads: Sequence[Head]) -> None:
        count, stored = self._heads
        self._heads = (
            count + len(heads),
            tuple(select_newest((*stored, *heads))),
        )  # atomic, since another thread reads it
        self.head = heads[-1]

    def heads(self, after: int) -> tuple[int, tuple[Head, ...]]:
        """Return the number of heads so far, and the stored heads that follow the first `after` ones, in order."""
        count, stored = self._heads
        new = min(count - after, len(stored))
        return count, stored[len(stored) - new :] if new > 0 else ()
