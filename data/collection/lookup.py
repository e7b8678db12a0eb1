"""Finds the instance that a user names: listed, generated, or in a file."""

from pathlib import Path
from typing import Any

from data.collection.instance_reference import parse_generated
from data.collection.resolve import attach_optimum, resolve
from data.errors import InvalidInstance
from data.instance import Instance
from data.recognition import read_file


def look_up(text: str, path: Path) -> tuple[Instance, dict[str, Any]]:
    """Return the instance that a text names, and its reference; names take precedence over files.

    Parameters
    ----------
    text : str
        A name, ``uniform:N:SEED`` or another form of `data.generators.SPELLINGS`, or a path.
    path : Path
        The text as a path.

    Raises
    ------
    InvalidInstance
        If there is no such instance, or its file is unreadable or invalid.
    """
    reference = parse_generated(text) or {"name": text}
    try:
        return resolve(reference, None), reference
    except InvalidInstance as error:
        if error.code != "UNKNOWN" or not (path.exists() or Path(text).suffix):
            raise
    return look_up_file(path)


def look_up_file(path: Path) -> tuple[Instance, dict[str, Any]]:
    """Return a file's instance and reference, raising the errors of `data.recognition.read_file`."""
    instance = attach_optimum(read_file(path))
    return instance, {"sha256": instance.sha256}
