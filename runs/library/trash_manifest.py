"""A deletion's manifest, stored in its folder of the trash."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from data.files import write_whole
from data.moments import read_moment
from runs.library.labels import Label, parse_label

#: Folders of the data folder that contain deletable files.
FOLDERS = ("runs", "races", "studies")
MANIFEST = "manifest.json"


class TrashItem(NamedTuple):
    """A deleted entry.

    Attributes
    ----------
    key : str
    name : str
        Title of the entry.
    files : tuple of (str, str)
        Folder and name of each file, relative to the data folder, in the order of deletion; the first is the entry's
        own.
    labels : dict of str to Label
        Labels of all keys deleted with it.
    """

    key: str
    name: str
    files: tuple[tuple[str, str], ...]
    labels: dict[str, Label]

    def to_json(self) -> dict[str, Any]:
        """Return the item as a JSON value."""
        labels = {key: label.to_json() for key, label in self.labels.items()}
        return {"key": self.key, "name": self.name, "files": [list(file) for file in self.files], "labels": labels}


def write(folder: Path, deleted_at: float, entries: Sequence[TrashItem]) -> None:
    """Write a folder's manifest: entries and time of deletion (seconds since 1970)."""
    value = {"when": deleted_at, "entries": [entry.to_json() for entry in entries]}
    write_whole(folder / MANIFEST, json.dumps(value).encode())


def read(folder: Path) -> tuple[float, list[TrashItem]] | None:
    """Return a manifest's time and entries; None if it is missing or invalid."""
    path = folder / MANIFEST
    try:
        value = json.loads(path.read_bytes())
        return read_moment(value.get("when"), path), [_parse_item(each) for each in value["entries"]]
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
        return None


def _parse_item(value: dict[str, Any]) -> TrashItem:
    files = tuple((str(folder), str(name)) for folder, name in value["files"])
    for folder, name in files:
        if folder not in FOLDERS or name in ("", ".", "..") or name != os.path.basename(name):
            raise ValueError("invalid file name")
    labels = {str(key): parse_label(label) for key, label in value["labels"].items()}
    return TrashItem(str(value["key"]), str(value["name"]), (files[0], *files[1:]), labels)
