"""What the trash knows of a deletion: a manifest in its folder."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from data.files import write_whole
from data.moments import moment_of
from runs.library.label_rules import Label, label_of

#: The folders of the data folder whose files may go into the trash.
FOLDERS = ("runs", "races", "studies")
MANIFEST = "manifest.json"


class TrashItem(NamedTuple):
    """One entry that is deleted.

    Attributes
    ----------
    key : str
    name : str
        What it is called.
    files : tuple of (str, str)
        Folder and name of each, below the data folder, in the order in which they go; the first is the entry's own.
    labels : dict of str to Label
        Of all keys that go with it.
    """

    key: str
    name: str
    files: tuple[tuple[str, str], ...]
    labels: dict[str, Label]

    def to_json(self) -> dict[str, Any]:
        """The same as a JSON value."""
        labels = {key: label.to_json() for key, label in self.labels.items()}
        return {"key": self.key, "name": self.name, "files": [list(file) for file in self.files], "labels": labels}


def write(folder: Path, when: float, entries: Sequence[TrashItem]) -> None:
    """Write what is in a folder of the trash, and since when (seconds since 1970)."""
    value = {"when": when, "entries": [each.to_json() for each in entries]}
    write_whole(folder / MANIFEST, json.dumps(value).encode())


def read(folder: Path) -> tuple[float, list[TrashItem]] | None:
    """What a manifest says; None if there is none, or it says what no deletion leaves."""
    path = folder / MANIFEST
    try:
        value = json.loads(path.read_bytes())
        return moment_of(value.get("when"), path), [_thrown(each) for each in value["entries"]]
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
        return None


def _thrown(value: dict[str, Any]) -> TrashItem:
    files = tuple((str(folder), str(name)) for folder, name in value["files"])
    for folder, name in files:
        if folder not in FOLDERS or name in ("", ".", "..") or name != os.path.basename(name):
            raise ValueError("a file is none of ours")
    labels = {str(key): label_of(label) for key, label in value["labels"].items()}
    return TrashItem(str(value["key"]), str(value["name"]), (files[0], *files[1:]), labels)
