"""Names and tags of runs, races and studies, in a small file replaced atomically."""

import json
import logging
import threading
import time
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from data.files import write_whole
from runs.library.entry import BadName
from solvers.core.errors import RunFailed

MAX_NAME, MAX_TAG, MAX_TAGS = 120, 32, 20
#: Joiners, needed by scripts such as Persian and by composed emoji; other characters of category Cf are refused.
_JOINERS = "\u200c\u200d"


class Label(NamedTuple):
    """A name, possibly empty, and tags."""

    name: str = ""
    tags: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the label as a JSON value."""
        return {"name": self.name, "tags": list(self.tags)}


def clean_name(text: Any) -> str:
    """Normalise a name to one line; it may be empty.

    Raises
    ------
    BadName
    """
    return _clean_line(text, "A name", MAX_NAME)


def clean_tag(text: Any) -> str:
    """Normalise a tag.

    Raises
    ------
    BadName
    """
    tag = _clean_line(text, "A tag", MAX_TAG)
    if not tag:
        raise BadName("A tag has at least one character.")
    if "," in tag:
        raise BadName("A tag has no comma.")
    return tag


def parse_label(value: Any) -> Label:
    """Parse a label from a JSON value.

    Raises
    ------
    BadName
        If the value is not a label.
    """
    if not isinstance(value, dict) or not isinstance(value.get("tags"), list):
        raise BadName("This is not a label.")
    return Label(clean_name(value.get("name")), clean_tags(value["tags"]))


def _clean_line(text: Any, subject: str, longest: int) -> str:
    if not isinstance(text, str) or any(_is_control(character) for character in text):
        raise BadName(f"{subject} is a text without control characters.")
    line = unicodedata.normalize("NFC", " ".join(text.split()))
    if len(line) > longest:
        raise BadName(f"{subject} has at most {longest} characters, and this one has {len(line)}.")
    return line


def _is_control(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") and character not in _JOINERS


def clean_tags(texts: Iterable[Any], exclude: Collection[str] = ()) -> tuple[str, ...]:
    """Validate tags and drop those in `exclude`; of tags differing only in case, keep the first."""
    excluded, tags = {tag.casefold() for tag in exclude}, dict[str, str]()
    for tag in map(clean_tag, texts):
        if tag.casefold() not in excluded:
            tags.setdefault(tag.casefold(), tag)
    if len(tags) > MAX_TAGS:
        raise BadName(f"An entry has at most {MAX_TAGS} tags.")
    return tuple(tags.values())


_VERSION = 1
_log = logging.getLogger(__name__)


class Labels:
    """Names and tags by library key.

    Parameters
    ----------
    path : Path
        The file. A damaged file is renamed; its readable labels are kept.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._lock = path, threading.Lock()
        self._labels = self._load()

    def find(self, key: str) -> Label:
        """Return an entry's label; empty if it has none."""
        return self._labels.get(key, Label())

    def rename(self, key: str, name: str) -> None:
        """Set an entry's name; an empty name removes it.

        Raises
        ------
        BadName
        RunFailed
            If the file could not be written.
        """
        name = clean_name(name)
        with self._lock:
            self._write({**self._labels, key: self.find(key)._replace(name=name)})

    def tag(self, keys: Iterable[str], add: Iterable[str], remove: Iterable[str]) -> None:
        """Add and remove tags of entries atomically.

        Raises
        ------
        BadName, RunFailed
        """
        removed = {clean_tag(tag) for tag in remove}
        with self._lock:
            spellings = {tag.casefold(): tag for label in self._labels.values() for tag in label.tags}
            new = [spellings.get(tag.casefold(), tag) for tag in map(clean_tag, add)]
            changes = {
                key: self.find(key)._replace(tags=clean_tags([*self.find(key).tags, *new], removed)) for key in keys
            }
            self._write({**self._labels, **changes})

    def put(self, labels: Mapping[str, Label]) -> None:
        """Set entries' labels.

        Raises
        ------
        RunFailed
        """
        with self._lock:
            self._write({**self._labels, **labels})

    def drop(self, keys: Iterable[str]) -> None:
        """Delete entries' labels.

        Raises
        ------
        RunFailed
        """
        removed = set(keys)
        with self._lock:
            self._write({key: label for key, label in self._labels.items() if key not in removed})

    def _write(self, labels: dict[str, Label]) -> None:
        labels = {key: label for key, label in labels.items() if label != Label()}
        if labels == self._labels:
            return
        value = {"v": _VERSION, "labels": {key: label.to_json() for key, label in labels.items()}}
        try:
            write_whole(self._path, json.dumps(value, ensure_ascii=False, indent=1).encode())
        except OSError as error:
            raise RunFailed("The names and tags could not be saved; is the disk full?") from error
        self._labels = labels

    def _load(self) -> dict[str, Label]:
        try:
            value = json.loads(self._path.read_bytes())
            entries = value["labels"]
            is_valid = value["v"] == _VERSION and isinstance(entries, dict)
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            entries, is_valid = {}, False
        labels = {}
        for key, label in entries.items() if isinstance(entries, dict) else ():
            try:
                labels[key] = parse_label(label)
            except BadName:
                is_valid = False
        if not is_valid:
            self._move_aside()
        return labels

    def _move_aside(self) -> None:
        backup = self._path.with_name(f"{self._path.stem}.damaged-{time.time_ns()}{self._path.suffix}")
        try:
            self._path.rename(backup)
        except OSError as error:
            _log.warning("The names and tags of the library are damaged: %s", error)
        else:
            _log.warning("The names and tags of the library were damaged; the file is now %s.", backup.name)
