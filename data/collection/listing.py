"""The instance list: bundled instances, and those in the user's folder.

The folder is the value of the environment variable ``TOURSCOPE_DATA``, else ``library`` in the data folder. Only paths
of listed files are used; none is ever built from a name sent by a client.
"""

import logging
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from data.collection.optima import BUNDLED, attach_optimum, find_tour_file, known_optima
from data.command_line import format_command
from data.errors import InvalidInstance
from data.files import read_bytes
from data.home.place import default_home
from data.instance import Instance
from data.limits import MAX_COMMENT, MAX_OWN_BYTES
from data.suggest import describe_unknown
from data.tsplib import instances
from data.tsplib.header import Head, check_header
from data.tsplib.normal_form import reduce_to_line
from data.tsplib.text import INSTANCE_SUFFIXES, decode, decompress_gzip, is_instance_file
from data.tsplib.tokens import tokenize

FOLDER_VARIABLE = "TOURSCOPE_DATA"
# Enough for any realistic header.
_HEAD_BYTES = 65_536
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Card:
    """An entry of the instance list, read from the file's header only.

    Attributes
    ----------
    name : str
        Argument of `load`: the file name without suffix.
    n : int
    kind : str
        One of `data.instance.KINDS`.
    optimum : int or None
        Best known length, looked up by name and n; `load` also requires a matching hash.
    proven : bool
    has_optimal_tour : bool
    source : str
        ``bundled`` or ``folder``.
    comment : str
        COMMENT of the file in one line.
    computed_map : bool
        Whether the file has no positions, so that `load` computes them for drawing.
    directed : bool
        Whether the file declares directed distances.
    """

    name: str
    n: int
    kind: str
    optimum: int | None
    proven: bool
    has_optimal_tour: bool
    source: str
    comment: str = ""
    computed_map: bool = False
    directed: bool = False


def user_folder() -> Path:
    """Return the folder of the user's own instances; it may not exist."""
    if named := os.environ.get(FOLDER_VARIABLE):
        return Path(named)
    return default_home() / "library"


def instance_list() -> list[Card]:
    """Return the cards of the bundled instances, then those of the user's folder, each group sorted by size.

    A damaged file in the folder, or one named like a bundled instance, is skipped with a logged warning.
    """
    cards: list[Card] = []
    for source, paths in (("bundled", bundled_files()), ("folder", _list_folder())):
        listed = (_make_card(path, *_read_stamp(path), source) for path in paths.values())
        cards += sorted((card for card in listed if card), key=lambda card: (card.n, card.name))
    return cards


def load(name: str) -> Instance:
    """Load an instance by its name in the list.

    Raises
    ------
    InvalidInstance
        ``UNKNOWN`` with similar names, or the error of the file.
    """
    for source, paths in (("bundled", bundled_files()), ("folder", _list_folder())):
        if path := paths.get(name):
            return _load(path, *_read_stamp(path), source)
    sentence = describe_unknown("instance", name, [*bundled_files(), *_list_folder()])
    if not sentence.endswith("?"):
        sentence += f" All names: {format_command('data')} list, or Instances on the page."
    raise InvalidInstance("UNKNOWN", sentence)


@lru_cache(maxsize=1)
def bundled_files() -> dict[str, Path]:
    """Return bundled instances' files by name."""
    return {path.stem: path for path in sorted(BUNDLED.iterdir()) if path.suffix in INSTANCE_SUFFIXES}


def _list_folder() -> dict[str, Path]:
    paths: dict[str, Path] = {}
    for path in _list_files(user_folder()):
        name = _find_name(path)
        if name in bundled_files() or name in paths:
            _warn_once(str(path), "another instance has its name")
        else:
            paths[name] = path
    return paths


def _list_files(folder: Path) -> Iterator[Path]:
    try:
        paths = sorted(folder.iterdir())
    except OSError as error:
        if not isinstance(error, FileNotFoundError):
            _warn_once(str(folder), f"{error.strerror}")
        return
    for path in paths:
        if is_instance_file(path.name) and path.is_file():
            yield path


def _find_name(path: Path) -> str:
    return Path(path.name.removesuffix(".gz")).stem


@lru_cache(maxsize=1024)
def _warn_once(path: str, reason: str) -> None:
    _log.warning("%s was skipped: %s", Path(path).name, reason)


def _read_stamp(path: Path) -> tuple[int, int]:
    """Return a file's modification time and size as a cache key; (0, 0) if it is missing."""
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size


@lru_cache(maxsize=1024)
def _make_card(path: Path, mtime_ns: int, size: int, source: str) -> Card | None:
    name = _find_name(path)
    try:
        header = _read_head(path, source)
    except (InvalidInstance, OSError) as error:
        _warn_once(str(path), error.sentence if isinstance(error, InvalidInstance) else "it cannot be read")
        return None
    row = known_optima().get(name)
    if row and row["n"] != header.n:
        row = None
    return Card(
        name=name,
        n=header.n,
        kind=header.measured_as,
        optimum=row["optimum"] if row else None,
        proven=bool(row and row["proven"]),
        has_optimal_tour=source == "bundled" and find_tour_file(name) is not None,
        source=source,
        comment=reduce_to_line(header.comment, MAX_COMMENT),
        computed_map=not header.drawable,
        directed=header.problem == "ATSP",
    )


def _read_head(path: Path, source: str) -> Head:
    with path.open("rb") as file:
        raw = file.read(_HEAD_BYTES)
    text, notes = decode(decompress_gzip(raw, _HEAD_BYTES, prefix=True))
    return check_header(tokenize(text, notes, head_only=True), source)


@lru_cache(maxsize=16)
def _load(path: Path, mtime_ns: int, size: int, source: str) -> Instance:
    instance = instances.read(read_bytes(path, MAX_OWN_BYTES), source, MAX_OWN_BYTES)
    return attach_optimum(replace(instance, name=_find_name(path)))
