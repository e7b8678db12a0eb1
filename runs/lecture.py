"""The lecture of a shared server: the page shown, its followers, and the question to the class."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from runs.nicknames import Nicknames
from runs.question import ClassQuestion, QuestionView
from runs.stream.channel import Listener, Listeners
from runs.visitors import Visitor


@dataclass(frozen=True)
class Place:
    """The page that a lecturer shows, and the position in it.

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
        """Return the place as a dict, as sent by the stream."""
        return asdict(self)


class LectureNews(NamedTuple):
    """The place and, for the host, the number of followers."""

    place: Place | None
    following: int | None

    def values(self) -> dict[str, Any]:
        """Return the news as sent by the stream."""
        values = {"on": self.place is not None, **(self.place.values() if self.place else {})}
        return values if self.following is None else values | {"following": self.following}


class ClassNews(NamedTuple):
    """A person's part in the class: whether they host it, their nickname, whether it was removed, and the question."""

    host: bool
    name: str
    removed: bool
    question: QuestionView | None

    def values(self) -> dict[str, Any]:
        """Return the news as sent by the stream."""
        return self._asdict() | {"question": self.question.values() if self.question else None}


class Lecture:
    """The lecture's current place, if any, and its followers; there is one lecture at a time.

    Parameters
    ----------
    path : Path
        The file that stores the question to the class.
    on_change : callable
        Called when the view of all visitors has changed.

    Attributes
    ----------
    newest : Place or None
        None without a lecture.
    hosts : Listeners
        Notified when the number of followers or of answers changes.
    question : ClassQuestion
    nicknames : Nicknames
    """

    def __init__(self, path: Path, on_change: Callable[[], None]) -> None:
        self._on_change = on_change
        self._followers: frozenset[Listener] = frozenset()
        self.newest: Place | None = None
        self.hosts = Listeners()
        self.question = ClassQuestion(path, on_change, self.hosts.notify)
        self.nicknames = Nicknames(on_change)

    def news(self, viewer: Visitor) -> dict[str, LectureNews | ClassNews]:
        """Return a person's news by kind of frame."""
        lecture = LectureNews(self.newest, self.following if viewer.host else None)
        name, removed = self.nicknames.find(viewer.id), self.nicknames.was_removed(viewer.id)
        return {"lecture": lecture, "class": ClassNews(viewer.host, name, removed, self.question.view_for(viewer))}

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
        """Number of pages following the lecture."""
        return len(self._followers)

    def follow(self, viewer: Listener, on: bool) -> None:
        """Start or stop following with a page; call this only on the event loop."""
        before = self._followers
        self._followers = before | {viewer} if on else before - {viewer}
        if len(before) != len(self._followers):
            self.hosts.notify()
