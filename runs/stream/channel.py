"""The hub: what there is to see of each run now, and who is to be told when it changes.

Collectors publish from their threads; viewers wait on the event loop. Nothing is queued: a channel holds the newest
head and the newest sequence number, and a viewer reads what lies in between from the run file.
"""

from collections.abc import Sequence
from typing import Protocol

from runs.store.live_tour import Head
from runs.store.pheromone import ColonyPicture

#: Heads that are kept for who wants all of them, and bytes of their tours.
MOST_HEADS, _MOST_BYTES = 64, 4 << 20


def newest(heads: Sequence[Head]) -> Sequence[Head]:
    """As many of the last heads as are kept: one at least, if there is one."""
    most = max(1, min(MOST_HEADS, _MOST_BYTES // max(1, heads[-1].order.nbytes))) if heads else 0
    return heads[-most:]


class Listener(Protocol):
    """Somebody who wants to be told of changes."""

    def notify(self) -> None:
        """Something has changed; may be called from any thread, and must not block."""
        ...


class Channel:
    """The present of one run.

    Attributes
    ----------
    state : (str, str)
        The run's state and its reason.
    logged : int
        Sequence number of the newest event that viewers are sent, 0 for none.
    head : Head or None
        The newest.
    picture : ColonyPicture or None
        Of a colony of ants.
    """

    def __init__(self, state: tuple[str, str] = ("running", ""), logged: int = 0) -> None:
        self.state = state
        self.logged = logged
        self.head: Head | None = None
        self._heads: tuple[int, tuple[Head, ...]] = 0, ()
        self.picture: ColonyPicture | None = None
        self._listeners: frozenset[Listener] = frozenset()

    def publish(
        self,
        state: tuple[str, str],
        logged: int | None = None,
        heads: Sequence[Head] = (),
        picture: ColonyPicture | None = None,
    ) -> None:
        """Show what is on disk now; None leaves a field unchanged."""
        self.logged = self.logged if logged is None else logged
        if heads:
            self._keep(heads)
        self.picture = picture or self.picture
        self.state = state
        for listener in self._listeners:
            listener.notify()

    def _keep(self, heads: Sequence[Head]) -> None:
        told, kept = self._heads
        self._heads = told + len(heads), tuple(newest((*kept, *heads)))  # at once, for another thread reads it
        self.head = heads[-1]

    def heads(self, after: int) -> tuple[int, tuple[Head, ...]]:
        """How many heads there were, and those behind the first `after` that are still kept, in their order."""
        told, kept = self._heads
        new = min(told - after, len(kept))
        return told, kept[len(kept) - new :] if new > 0 else ()

    def join(self, listener: Listener) -> None:
        """Tell `listener` of changes from now on; called on the event loop alone, as `leave` is."""
        self._listeners |= {listener}

    def leave(self, listener: Listener) -> None:
        """Tell it no more."""
        self._listeners -= {listener}
