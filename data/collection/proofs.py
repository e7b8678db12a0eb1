"""Optima proven by this server's runs for instances missing from ``optima.json``, in one file per instance.

A file is named by its instance's hash, like uploads, and contains the shortest tour, which is measured whenever the
file is read: a modified file, or one for other cities, proves nothing.
"""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np

from data.collection.instance_reference import check_sha256
from data.distances import check_tour, tour_length
from data.errors import InvalidInstance
from data.files import read_bytes, write_whole
from data.instance import Instance

#: The format that this release writes, and an older one that it reads. With negative distances, older files prove
#: nothing, because Held-Karp was wrong for such distances.
FORMAT, _OLDER = 2, 1
#: Maximum size of a file in bytes, more than the longest tour needs.
_MAX_BYTES = 2_000_000


def save_proof(folder: Path, instance: Instance, order: np.ndarray, run: str) -> None:
    """Save a tour proven to be shortest in `folder`.

    Parameters
    ----------
    folder : Path
        Folder, created if it does not exist.
    instance : Instance
    order : ndarray, shape (n,), int32
    run : str
        Id of the run that proved it.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    value = {"format": FORMAT, "sha256": instance.sha256, "length": tour_length(instance, order), "run": run}
    text = json.dumps({**value, "tour": order.tolist()})
    write_whole(_make_path(folder, instance), text.encode("ascii"))


def attach_proof(instance: Instance, folder: Path | None) -> Instance:
    """Add the optimum and tour proven here to an instance; return it unchanged if there is no valid file.

    Parameters
    ----------
    instance : Instance
    folder : Path or None
        Folder in which `save_proof` stores tours; None if there is none.
    """
    if folder is None or instance.proven:
        return instance
    tour = _read_tour(folder, instance)
    if tour is None:
        return instance
    return replace(instance, optimum=tour_length(instance, tour), proven=True, optimal_tour=tour)


def _make_path(folder: Path, instance: Instance) -> Path:
    return folder / f"{check_sha256(instance.sha256)}.json"


def _read_tour(folder: Path, instance: Instance) -> np.ndarray | None:
    """Return a file's tour if it belongs to this instance and has the length given in the file."""
    try:
        path = _make_path(folder, instance)
        if not path.is_file():
            return None
        value = json.loads(read_bytes(path, _MAX_BYTES))
        tour = np.array(value["tour"])
        check_tour(instance.n, tour)
        tour = tour.astype(np.int32)
        formats = (FORMAT,) if instance.has_negative else (FORMAT, _OLDER)
        proves = value["format"] in formats and value["sha256"] == instance.sha256
        return tour if proves and value["length"] == tour_length(instance, tour) else None
    except (InvalidInstance, ValueError, LookupError, TypeError, OverflowError, RecursionError):
        return None
