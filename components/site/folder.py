"""Writes a site's files to a folder, atomically."""

import json
import os
import secrets
import shutil
from collections.abc import Mapping
from pathlib import Path

from components.shell.texts import site as text

#: File that marks a folder as a site, with the names of its files.
MARKER = "site.json"


class FolderTaken(ValueError):
    """The folder contains files that do not belong to a site."""


def write(folder: Path, files: Mapping[str, str]) -> None:
    """Write a site's files beside the folder, then replace it.

    Parameters
    ----------
    folder : Path
        A folder that does not exist, is empty, or contains only the files of an earlier site.
    files : mapping of str to str

    Raises
    ------
    FolderTaken
    OSError
        If the files cannot be written; the folder is then as before.
    """
    folder = folder.resolve()
    check(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    new = folder.with_name(f".{folder.name}.{secrets.token_hex(4)}")
    old = new.with_name(f"{new.name}.old")
    try:
        new.mkdir()
        for name, content in files.items():
            (new / name).write_text(content, "utf-8", newline="\n")
        (new / MARKER).write_text(json.dumps({"files": sorted(files)}, indent=1), "utf-8")
        if folder.exists():
            os.rename(folder, old)
        try:
            os.rename(new, folder)
        except BaseException:
            if old.exists():
                os.rename(old, folder)
            raise
    finally:
        shutil.rmtree(new, ignore_errors=True)
    shutil.rmtree(old, ignore_errors=True)


def check(folder: Path) -> None:
    """Check that replacing the folder loses nothing.

    Raises
    ------
    FolderTaken
    """
    if folder.exists() and not folder.is_dir():
        raise FolderTaken(text("folder.file", folder=str(folder)))
    there = {path.name for path in folder.iterdir()} if folder.exists() else set()
    if others := sorted(there - _files_of_site(folder)):
        raise FolderTaken(text("folder.taken", folder=str(folder), file=others[0]))


def _files_of_site(folder: Path) -> set[str]:
    """Return the names of the site's files in this folder; none if the folder has no marker."""
    try:
        listed = json.loads((folder / MARKER).read_text("utf-8"))["files"]
    except (OSError, ValueError, KeyError, TypeError):
        return set()
    return {MARKER, *(name for name in listed if isinstance(name, str))} if isinstance(listed, list) else set()
