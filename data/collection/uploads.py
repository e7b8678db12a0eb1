"""Uploads that a server keeps, each in a file that is named by its hash."""

from pathlib import Path

from data.collection.instance_reference import sha256_of
from data.collection.optima import attach_optimum
from data.errors import InvalidInstance
from data.files import read_bytes, write_whole
from data.instance import Instance
from data.limits import MAX_BYTES
from data.tsplib import instances

# A normal form can be a little longer than the upload it was made of: short exponents are written out.
_STORED_BYTES = 2 * MAX_BYTES


def store(instance: Instance, folder: Path) -> Path:
    """Keep an instance in `folder` as ``<sha256>.tsp``, whole or not at all.

    Returns
    -------
    Path
        Of the file; one that is there already is left as it is.
    """
    path = folder / f"{sha256_of(instance.sha256)}.tsp"
    if not path.is_file():
        write_whole(path, instances.write(instance).encode())
    return path


def load_sha(sha256: str, folder: Path) -> Instance:
    """An upload that `store` kept in `folder`.

    Raises
    ------
    InvalidInstance
        ``REFERENCE`` for an invalid hash, ``UNKNOWN`` where the folder lacks it, ``DAMAGED`` where the file has
        changed.
    """
    path = folder / f"{sha256_of(sha256)}.tsp"
    if not path.is_file():
        raise InvalidInstance("UNKNOWN", "This server does not have that instance: send its file.")
    instance = instances.read(read_bytes(path, _STORED_BYTES), "uploaded", _STORED_BYTES)
    if instance.sha256 != sha256:
        raise InvalidInstance("DAMAGED", "The kept file of this instance has changed: send the file again.")
    return attach_optimum(instance)
