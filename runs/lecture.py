"""The lecture of a shared server: the page that the lecturer shows, and its followers. One lecture at a time."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from runs.stream.channel import Listener, Listeners


@dataclass(frozen=True)
class Place:
    """The page and position that a lecturer shows.

    Attributes
    ----------
    lecture : str
        Id of the lecture; the page generates a new one each time it starts to lead.
    page : str
        Name of the page, such as ``watch`` or ``race``.
    query : str
        Query of the address on pages other than Watch; on Race, the open race.
    run : str
        Id of the run; empty on other pages than Watch.
    view : str
        Name of the view, such as ``tour`` or ``pheromone``.
    climb : int
        The climb shown, from 0; in views other than the tour, the iteration, from 0.
    position : int
        Number of moves applied; in a race, milliseconds on its clock.
    live : bool
        Whether the page follows the run or race live.
    """

    lecture: str
    page: str
    query: str
    run: str
    view: str
    climb: int
    position: int
    live: bool

    def values(self) -> dict[str, Any]:
        """The place as a dict, as sent by the stream."""
        return asdict(self)


class Lecture:
    """The lecture's current place, if any, and its followers.

    Parameters
    ----------
    on_change : callable
        Called when the shown place has changed.

    Attributes
    ----------
    newest : Place or None
        None without a lecture.
    hosts : Listeners
        Notified when the number of followers changes.
    """

    def __init__(self, on_change: Callable[[], None]) -> None:
        self._on_change = on_change
        self._followers: frozenset[Listener] = frozenset()
        self.newest: Place | None = None
        self.hosts = Listeners()

    def lead(self, place: Place) -> None:
        """Show a place to all followers."""
        if place != self.newest:
            self.newest = place
            self._on_change()

    def stop(self) -> None:
        """End the lecture."""
        if self.newest:
            self.newest = None
            self._on_change()

    @property
    def following(self) -> int:
        """Number of pages that follow the lecture."""
        return len(self._followers)

    def follow(self, viewer: Listener, on: bool) -> None:
        """Start or stop following with a page; call this only on the event loop."""
        before = self._followers
        self._followers = before | {viewer} if on else before - {viewer}
        if len(before) != len(self._followers):
            self.hosts.notify()
