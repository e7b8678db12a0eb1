"""Uploaded instances, each in a file named after its hash, with a second file for cities' names.

Two uploads may have the same hash but different names. The later one then has files of its own, which its reference
identifies in addition to the hash. So nobody can change the names in another visitor's instance.
"""

import hashlib
import json
import os
from dataclasses import replace
from pathlib import Path

from data.city_names import check_names
from data.collection.instance_reference import check_sha256
from data.collection.optima import attach_optimum
from data.errors import InvalidInstance
from data.files import read_bytes, write_whole
from data.instance import Instance
from data.limits import MAX_BYTES
from data.tsplib import instances

# The normal form may be longer than the upload, because it writes out short exponents.
_STORED_BYTES = 2 * MAX_BYTES
#: Number of digits of the hash that identifies an upload with its names.
_DIGITS = 16


def write(instance: Instance, folder: Path) -> Path:
    """Write an instance to an empty folder as ``<sha256>.tsp``, from which `adopt` moves it."""
    path = _make_path(folder, instance.sha256)
    write_whole(path, instances.write(instance).encode())
    if instance.names:
        write_whole(_make_names_path(path), json.dumps(instance.names, ensure_ascii=False).encode())
    return path


def adopt(source: Path, folder: Path) -> str:
    """Move the files that `write` wrote to the folder of uploads; only one thread at a time may do so.

    Returns
    -------
    str
        Argument `upload` of `make_reference`: empty for the first upload with its hash, and for others with the same
        names.
    """
    parts = _encode_parts(source)
    for upload in ("", hashlib.sha256(b"\0".join(parts)).hexdigest()[:_DIGITS]):
        path = _make_path(folder, source.stem, upload)
        if not path.is_file():
            names = _make_names_path(path)
            os.replace(_make_names_path(source), names) if parts[1] else names.unlink(missing_ok=True)
            os.replace(source, path)
            return upload
        if _encode_parts(path) == parts:
            break
    return upload


def make_reference(sha256: str, upload: str = "") -> dict[str, str]:
    """Return a stored instance's reference."""
    return {"sha256": sha256} | ({"upload": upload} if upload else {})


def load_upload(folder: Path, sha256: str, upload: str = "") -> Instance:
    """Load an upload from `folder`.

    Raises
    ------
    InvalidInstance
        ``REFERENCE`` for an invalid hash, ``UNKNOWN`` if there is no such upload, ``DAMAGED`` if its file was modified.
    """
    path = _make_path(folder, sha256, upload)
    if not path.is_file():
        raise InvalidInstance("UNKNOWN", "This server does not have that instance: send its file.")
    instance = instances.read(read_bytes(path, _STORED_BYTES), "uploaded", _STORED_BYTES)
    if instance.sha256 != sha256:
        raise InvalidInstance("DAMAGED", "The stored file of this instance has changed: send the file again.")
    return attach_optimum(replace(instance, names=_load_names(path, instance.n), upload=upload))


def stored_bytes(folder: Path, sha256: str, upload: str = "") -> int:
    """Return the size of an upload's file; 0 if there is no such upload.

    Raises
    ------
    InvalidInstance
        ``REFERENCE`` for an invalid hash.
    """
    path = _make_path(folder, sha256, upload)
    return path.stat().st_size if path.is_file() else 0


def _make_path(folder: Path, sha256: str, upload: str = "") -> Path:
    return folder / f"{'-'.join(filter(None, (check_sha256(sha256), upload)))}.tsp"


def _make_names_path(path: Path) -> Path:
    """Return the path of the file with a stored instance's city names."""
    return path.with_suffix(".names.json")


def _encode_parts(path: Path) -> tuple[bytes, bytes]:
    """Return the contents of an instance's file and of its names' file."""
    names = _make_names_path(path)
    return path.read_bytes(), names.read_bytes() if names.is_file() else b""


def _load_names(path: Path, n: int) -> tuple[str, ...]:
    try:
        return check_names(json.loads(read_bytes(_make_names_path(path), _STORED_BYTES)), n)
    except (InvalidInstance, ValueError):
        return ()  # missing or damaged; the instance is the same without names
