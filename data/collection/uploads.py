"""Uploaded instances, each in a file named by its hash; names of its cities in another beside it."""

import json
from dataclasses import replace
from pathlib import Path

from data.city_names import checked_names
from data.collection.instance_reference import check_sha256
from data.collection.optima import attach_optimum
from data.errors import InvalidInstance
from data.files import read_bytes, write_whole
from data.instance import Instance
from data.limits import MAX_BYTES
from data.tsplib import instances

# The normal form may be longer than the upload, since short exponents are written out.
_STORED_BYTES = 2 * MAX_BYTES


def store(instance: Instance, folder: Path) -> Path:
    """Save an instance atomically in `folder` as ``<sha256>.tsp``.

    Returns
    -------
    Path
        Of the file; an existing file is left unchanged, but for the names of its cities.
    """
    path = folder / f"{check_sha256(instance.sha256)}.tsp"
    if not path.is_file():
        write_whole(path, instances.write(instance).encode())
    if instance.names:
        write_whole(names_path(path), json.dumps(instance.names, ensure_ascii=False).encode())
    return path


def names_path(path: Path) -> Path:
    """Where the names of a stored instance's cities are."""
    return path.with_suffix(".names.json")


def _names(path: Path, n: int) -> tuple[str, ...]:
    try:
        return checked_names(json.loads(read_bytes(names_path(path), _STORED_BYTES)), n)
    except (InvalidInstance, ValueError):
        return ()  # there are none, or the file has been damaged: the instance is the same without


def load_sha(sha256: str, folder: Path) -> Instance:
    """An upload that `store` saved in `folder`.

    Raises
    ------
    InvalidInstance
        ``REFERENCE`` for an invalid hash, ``UNKNOWN`` where the folder lacks it, ``DAMAGED`` where the file has
        changed.
    """
    path = folder / f"{check_sha256(sha256)}.tsp"
    if not path.is_file():
        raise InvalidInstance("UNKNOWN", "This server does not have that instance: send its file.")
    instance = instances.read(read_bytes(path, _STORED_BYTES), "uploaded", _STORED_BYTES)
    if instance.sha256 != sha256:
        raise InvalidInstance("DAMAGED", "The stored file of this instance has changed: send the file again.")
    return attach_optimum(replace(instance, names=_names(path, instance.n)))
