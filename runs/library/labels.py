"""What people call runs, races and studies: names and tags, in one small file that is written whole."""

import json
import logging
import threading
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

from data.files import write_whole
from runs.library.entry import BadName
from runs.library.label_rules import Label, label_of, name_of, tag_of, tags_of
from solvers.errors import RunFailed

_VERSION = 1
_log = logging.getLogger(__name__)


class Labels:
    """Names and tags by the keys of the library.

    Parameters
    ----------
    path : Path
        Of the file. One that is damaged is moved aside, and what can be read of it is kept.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._guard = path, threading.Lock()
        self._labels = self._loaded()

    def of(self, key: str) -> Label:
        """The label of an entry, an empty one if it has none."""
        return self._labels.get(key, Label())

    def rename(self, key: str, name: str) -> None:
        """Give an entry a name; an empty one takes it away.

        Raises
        ------
        BadName
        RunFailed
            If it could not be kept.
        """
        name = name_of(name)
        with self._guard:
            self._write({**self._labels, key: self.of(key)._replace(name=name)})

    def tag(self, keys: Iterable[str], add: Iterable[str], remove: Iterable[str]) -> None:
        """Give entries tags and take others from them; all of it or nothing.

        Raises
        ------
        BadName, RunFailed
        """
        gone = {tag_of(tag) for tag in remove}
        with self._guard:
            spelt = {tag.casefold(): tag for label in self._labels.values() for tag in label.tags}
            new = [spelt.get(tag.casefold(), tag) for tag in map(tag_of, add)]
            changed = {key: self.of(key)._replace(tags=tags_of([*self.of(key).tags, *new], gone)) for key in keys}
            self._write({**self._labels, **changed})

    def put(self, labels: Mapping[str, Label]) -> None:
        """Give entries their labels back.

        Raises
        ------
        RunFailed
        """
        with self._guard:
            self._write({**self._labels, **labels})

    def drop(self, keys: Iterable[str]) -> None:
        """Forget the labels of some entries.

        Raises
        ------
        RunFailed
        """
        gone = set(keys)
        with self._guard:
            self._write({key: label for key, label in self._labels.items() if key not in gone})

    def _write(self, labels: dict[str, Label]) -> None:
        kept = {key: label for key, label in labels.items() if label != Label()}
        if kept == self._labels:
            return
        value = {"v": _VERSION, "labels": {key: label.to_json() for key, label in kept.items()}}
        try:
            write_whole(self._path, json.dumps(value, ensure_ascii=False, indent=1).encode())
        except OSError as error:
            raise RunFailed("The names and tags could not be kept; is the disk full?") from error
        self._labels = kept

    def _loaded(self) -> dict[str, Label]:
        try:
            value = json.loads(self._path.read_bytes())
            found = value["labels"]
            sound = value["v"] == _VERSION and isinstance(found, dict)
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            found, sound = {}, False
        labels = {}
        for key, told in found.items() if isinstance(found, dict) else ():
            try:
                labels[key] = label_of(told)
            except BadName:
                sound = False
        if not sound:
            self._move_aside()
        return labels

    def _move_aside(self) -> None:
        aside = self._path.with_name(f"{self._path.stem}.damaged-{time.time_ns()}{self._path.suffix}")
        try:
            self._path.rename(aside)
        except OSError as error:
            _log.warning("The names and tags of the library are damaged: %s", error)
        else:
            _log.warning("The names and tags of the library were damaged; the file is now %s.", aside.name)
