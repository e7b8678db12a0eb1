"""Names and tags of runs, races and studies, in a small file replaced atomically."""

import json
import logging
import threading
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

from data.files import write_whole
from runs.library.entry import BadName
from runs.library.label_rules import Label, clean_name, clean_tag, clean_tags, parse_label
from solvers.core.errors import RunFailed

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
