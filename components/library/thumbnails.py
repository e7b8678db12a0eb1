"""Small pictures of the best tours of runs and races."""

import sqlite3
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from data.sqlite_files import stamp
from runs.library.service import NoSuchEntry
from runs.races.errors import NoSuchRace
from runs.service import NoSuchRun
from runs.store.reader import RunReader
from runs.store.summary import best_tour
from solvers.worker.frames import decode, instance_of

#: Most cities of a picture, most pictures of one request, and most cached pictures, some kilobytes each.
_CITIES, _AT_ONCE, _CACHED = 400, 40, 1000
#: Files above this many bytes get no picture: a thumbnail must not read a gigabyte.
_MOST_BYTES = 64 << 20


def pictures(library, run_service, races, keys: Sequence[str]) -> dict[str, list[int] | None]:
    """By key, the flat positions of best tours, in thousandths of the picture, y upwards; None without a tour."""
    return {key: picture(library, run_service, races, key) for key in keys[:_AT_ONCE]}


def picture(library, run_service, races, key: str) -> list[int] | None:
    """The picture of one entry: that of a race is its first lane's."""
    try:
        entry = library.get(key)
        if entry.kind == "study" or entry.bytes > _MOST_BYTES:
            return None
        path = run_service.path(entry.id if entry.kind == "run" else races.find(entry.id).runs[0])
        return _positions(path, stamp(path))
    except (NoSuchEntry, NoSuchRun, NoSuchRace, OSError, ValueError, KeyError, sqlite3.Error):
        return None


@lru_cache(_CACHED)
def _positions(path: Path, _version: tuple[tuple[int, int], ...]) -> list[int] | None:
    with RunReader(path) as reader:
        best, instance = best_tour(reader), instance_of(decode(reader.instance()))
    if best is None:
        return None
    order = best.arrays["order"]
    ratio = height_of_a_degree(instance.display) if instance.is_on_globe else 1.0
    return scale(instance.display[order[:: -(-order.size // _CITIES)]] * (1.0, ratio))


def height_of_a_degree(positions: np.ndarray) -> float:
    """How much longer a degree upwards is than one to the right, as on the map (`assets/common/map/map.js`)."""
    middle = (positions[:, 1].min() + positions[:, 1].max()) / 2
    return float(1 / max(0.1, np.cos(np.radians(middle))))


def scale(positions: np.ndarray) -> list[int]:
    """Positions, shape (k, 2), shifted and scaled by one factor into 0 to 1000, and flattened."""
    low, extent = positions.min(axis=0), np.ptp(positions, axis=0).max() or 1.0
    return np.rint(1000 * (positions - low) / extent).astype(int).ravel().tolist()
