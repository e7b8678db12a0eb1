"""The hub: what there is to see of each run now, and who is to be told when it changes.

Collectors publish from their threads; viewers wait on the event loop. Nothing is queued: a channel holds the newest
head and the newest sequence number, and a viewer reads what lies in between from the run file.
"""

from typing import Protocol

from runs.head import Head
from runs.pictured import Pictured


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
    picture : Pictured or None
        Of a colony of ants.
    """

    def __init__(self, state: tuple[str, str] = ("running", ""), logged: int = 0) -> None:
        self.state = state
        self.logged = logged
        self.head: Head | None = None
        self.picture: Pictured | None = None
        self._listeners: frozenset[Listener] = frozenset()

    def publish(
        self,
        state: tuple[str, str],
        logged: int | None = None,
        head: Head | None = None,
        picture: Pictured | None = None,
    ) -> None:
        """Show what is on disk now; what is None has not changed."""
        self.logged = self.logged if logged is None else logged
        self.head = head or self.head
        self.picture = picture or self.picture
        self.state = state
        for listener in self._listeners:
            listener.notify()

    def join(self, listener: Listener) -> None:
        """Tell `listener` of changes from now on; called on the event loop alone, as `leave` is."""
        self._listeners |= {listener}

    def leave(self, listener: Listener) -> None:
        """Tell it no more."""
        self._listeners -= {listener}
