"""The lecture of a shared server: the page the lecturer shows, and its followers. One at a time, newest place only."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from runs.stream.channel import Listener, Listeners


@dataclass(frozen=True)
class Place:
    """The page that a lecturer shows.

    Attributes
    ----------
    lecture : str
        Id of the lecture, which the page draws again each time that it begins to lead.
    page : str
        Name of the page, such as ``watch`` or ``race``.
    query : str
        What the address of another page than Watch has after its question mark; of Race the race that is open.
    run : str
        Id of the run; empty on other pages than Watch.
    view : str
        Name of the view, such as ``tour`` or ``pheromone``.
    climb : int
        The climb that is walked, from 0; in views other than the tour the iteration, from 0 too.
    position : int
        Moves of the climb that are made; of a race the milliseconds of its clock.
    live : bool
        Whether the page follows the run or the race as it goes, wherever that is.
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
        """The place by field names, as the stream sends it."""
        return asdict(self)


class Lecture:
    """The newest place of the lecture, if there is one, and those who follow it.

    Parameters
    ----------
    changed : callable Called when the shown place has changed.

    Attributes
    ----------
    newest : Place or None
        None without a lecture.
    hosts : Listeners
        Are notified when the number of those who follow has changed.
    """

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self._followers: frozenset[Listener] = frozenset()
        self.newest: Place | None = None
        self.hosts = Listeners()

    def lead(self, place: Place) -> None:
        """Show a place to everybody who follows."""
        if place != self.newest:
            self.newest = place
            self._changed()

    def stop(self) -> None:
        """Show nothing any more."""
        if self.newest:
            self.newest = None
            self._changed()

    @property
    def following(self) -> int:
        """Number of pages that follow the lecture."""
        return len(self._followers)

    def follow(self, viewer: Listener, on: bool) -> None:
        """A page follows, or no longer; call this only on the event loop."""
        before = self._followers
        self._followers = before | {viewer} if on else before - {viewer}
        if len(before) != len(self._followers):
            self.hosts.notify()
