"""A data folder's version, so that an older release does not use a newer one's folder.

A folder without this file was created before the file was introduced, and has version 1.
"""

import contextlib
import json
from pathlib import Path

from data.files import write_whole
from data.home.errors import HomeRefused

#: Version written by this release. It is increased when older releases can no longer use the folder as a whole; single
#: files have versions of their own.
VERSION = 1
#: Name of the file; its contents are ``{"format": VERSION}``.
MARKER = "format.json"
_MAX_BYTES = 1_000


def check_version(folder: Path) -> int:
    """Return a data folder's version without changing anything; raise an error if it is newer.

    Raises
    ------
    HomeRefused
    """
    try:
        with (folder / MARKER).open("rb") as file:
            version = parse_version(json.loads(file.read(_MAX_BYTES)))
    except (FileNotFoundError, NotADirectoryError):  # creating the folder will report the problem
        return 1
    except (OSError, ValueError) as error:
        raise HomeRefused(
            f"The version of the data folder {folder} cannot be read from its file {MARKER}; "
            "restore the folder from a backup, or choose another one with --home."
        ) from error
    refuse_newer(version, f"The data folder {folder}")
    return version


def parse_version(value: object) -> int:
    """Return the version in a marker's or a backup manifest's contents.

    Raises
    ------
    ValueError
        If the contents have no version.
    """
    version = value.get("format") if isinstance(value, dict) else None
    if type(version) is not int or version < 1:
        raise ValueError("no version")
    return version


def refuse_newer(version: int, what: str, known: int = VERSION) -> None:
    """Raise an error for a version newer than `known`.

    Raises
    ------
    HomeRefused
    """
    if version > known:
        readable = f"version {known}" if known == 1 else f"versions up to {known}"
        raise HomeRefused(
            f"{what} has version {version}, of a newer release of TourScope; this release reads {readable}."
        )


def mark_version(folder: Path) -> None:
    """Write the version to a folder that has none; if that fails, as on a full disk, the next start retries."""
    if not (folder / MARKER).exists():
        with contextlib.suppress(OSError):
            write_whole(folder / MARKER, json.dumps({"format": VERSION}).encode())
