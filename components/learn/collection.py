"""All lessons: the bundled ones in ``docs/lessons/``, and a lecturer's own in the data folder's ``lessons``."""

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path, PurePosixPath

from components.learn.lesson import Lesson
from components.learn.reading import MAX_TEXT, InvalidLesson, parse_lesson
from components.shell.markdown import DOCS, localised_path
from components.shell.texts import learn as text
from data.files import EVERYBODY, write_whole
from runs.language import DEFAULT, current_language

#: Folder of the bundled lessons.
FOLDER = DOCS / "lessons"
#: The bundled lessons, in the order in which they build on each other.
ORDER = (
    "first-minute",
    "two-opt-stuck",
    "climbers-and-accuracy",
    "a-million-climbers",
    "cooling",
    "pheromone",
    "stagnation",
    "held-karp-wall",
    "gaps-and-bounds",
    "moats",
    "honest-race",
)
#: Maximum size of a file: a character has at most four bytes.
MAX_BYTES = 4 * MAX_TEXT
#: Maximum number of files read from the user's own folder.
MAX_OWN = 100
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")


class RefusedLesson(ValueError):
    """A file that cannot be saved as a lesson; the message says why in a sentence."""


class NoSuchLesson(LookupError):
    """There is no such lesson, or its file has a fault."""


@dataclass(frozen=True, slots=True)
class Faulty:
    """A file in the user's folder that is not a valid lesson."""

    file: str
    sentence: str


class Lessons:
    """A server's lessons; files are read again when they change.

    Parameters
    ----------
    own_folder : Path
        Folder of the user's own lessons, which need not exist.
    """

    def __init__(self, own_folder: Path) -> None:
        self.own_folder = own_folder

    def bundled_lessons(self) -> list[Lesson]:
        """Return this release's lessons.

        Raises
        ------
        InvalidLesson
            If a lesson has a fault; a test ensures that none has.
        """
        return [_read_bundled(name) for name in ORDER]

    def own_lessons(self) -> list[Lesson | Faulty]:
        """Return the user's own lessons by file name."""
        files = sorted(path for path in self.own_folder.glob("*.md") if path.is_file())
        return [_read_own(path) for path in files[:MAX_OWN]]

    def save(self, file: str, content: bytes) -> str:
        """Save a file as the user's own lesson, replacing one of the same name.

        Parameters
        ----------
        file : str
            Name of the file, which is reduced to lower-case letters, digits and hyphens.
        content : bytes

        Returns
        -------
        str
            Id of the lesson.

        Raises
        ------
        RefusedLesson
        OSError
        """
        name = re.sub(r"[^a-z0-9]+", "-", PurePosixPath(file).stem.lower()).strip("-")
        try:
            if why := _find_name_fault(name):
                raise RefusedLesson(why)
            parse_lesson(name, _decode(content))
        except InvalidLesson as fault:
            raise RefusedLesson(str(fault)) from None
        write_whole(self.own_folder / f"{name}.md", content, EVERYBODY)
        return name

    def find(self, name: str) -> Lesson:
        """Return a lesson by id.

        Raises
        ------
        NoSuchLesson
        """
        if name in ORDER:
            return _read_bundled(name)
        for lesson in self.own_lessons():
            if isinstance(lesson, Lesson) and lesson.id == name:
                return lesson
        raise NoSuchLesson(text("address.unknown"))

    def find_next(self, name: str) -> Lesson | None:
        """Return the lesson after a bundled one; None after the last one, and for a user's own lesson."""
        following = dict(pairwise(ORDER)).get(name)
        return None if following is None else self.find(following)


def _read_bundled(name: str) -> Lesson:
    """Read a bundled lesson in the request's language, or else in English."""
    path = FOLDER / f"{name}.md"
    translation = DOCS / localised_path(current_language(), f"lessons/{name}.md")
    if translation != path and translation.is_file():
        return replace(_load_lesson(translation, _read_stamp(translation)), language=current_language())
    return replace(_load_lesson(path, _read_stamp(path)), language=DEFAULT)


def _read_own(path: Path) -> Lesson | Faulty:
    if why := _find_name_fault(path.stem):
        return Faulty(path.name, why)
    try:
        return _load_lesson(path, _read_stamp(path))
    except InvalidLesson as fault:
        return Faulty(path.name, str(fault))
    except OSError as fault:
        return Faulty(path.name, text("fault.unreadable", why=fault.strerror or type(fault).__name__))


def _find_name_fault(name: str) -> str:
    """Return why a user's lesson cannot have this name; empty if it can."""
    if not _NAME.fullmatch(name):
        return text("fault.name")
    return text("fault.taken") if name in ORDER else ""


def _read_stamp(path: Path) -> tuple[int, int]:
    """Return a stamp that changes with a file's contents."""
    stat = path.stat()
    return stat.st_mtime_ns, stat.st_size


@lru_cache(maxsize=256)
def _load_lesson(path: Path, _changed: tuple[int, int]) -> Lesson:
    with path.open("rb") as file:
        return parse_lesson(path.stem, _decode(file.read(MAX_BYTES + 1)))


def _decode(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise InvalidLesson(content.count(b"\n", 0, fault.start) + 1, text("fault.utf-8")) from None
