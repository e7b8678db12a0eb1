"""Small pictures of runs' and races' best tours."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TypedDict

import numpy as np
from fastapi.responses import Response

from data.sqlite_files import read_stamp
from runs.computing.answer import Answer
from runs.library.service import Library, NoSuchEntry
from runs.races.errors import NoSuchRace
from runs.races.service import RaceService
from runs.service import RunService
from runs.store.open_run import NoSuchRun
from runs.store.reader import RunReader
from runs.store.summary import find_best_tour
from runs.web.instances import degree_aspect
from solvers.worker.frames import decode, decode_instance

#: Limits: cities per picture, pictures per request, and cached pictures, which take a few kilobytes each.
_CITIES, _AT_ONCE, _CACHED = 400, 40, 1000
#: Largest file in bytes that gets a picture, since a thumbnail must not read a gigabyte.
_MAX_BYTES = 64 << 20


class Picture(TypedDict):
    """A best tour: flat positions in thousandths of the picture, y upwards, and its cuts at the date line.

    Attributes
    ----------
    positions : list of int
    date_line : list of int or None
        x of 180 degrees west and east.
    """

    positions: list[int]
    date_line: list[int] | None


def answer_pictures(library: Library, run_service: RunService, races: RaceService, keys: Sequence[str]) -> Response:
    """Return the response with best tours' pictures by key; null without a tour."""
    paths = {key: _find_path(library, run_service, races, key) for key in keys[:_AT_ONCE]}
    version = tuple(path and read_stamp(path) for path in paths.values())
    path_texts = {key: path and str(path) for key, path in paths.items()}
    return run_service.computations.answer(f"{__name__}:draw", path_texts, version=version)


def _find_path(library: Library, run_service: RunService, races: RaceService, key: str) -> Path | None:
    """Return the run file of an entry or of a race's first lane; None if it gets no picture."""
    try:
        entry = library.get(key)
        if entry.kind == "study" or entry.bytes > _MAX_BYTES:
            return None
        path: Path = run_service.path(entry.id if entry.kind == "run" else races.find(entry.id).runs[0])
    except (NoSuchEntry, NoSuchRun, NoSuchRace):
        return None
    return path


def draw(paths: Mapping[str, str | None]) -> Answer:
    """Return the picture of each run file's best tour as JSON, under the keys of `paths`; null without one."""
    pictures = {key: _draw(Path(path)) if path else None for key, path in paths.items()}
    return Answer(json.dumps(pictures).encode(), "application/json")


def _draw(path: Path) -> Picture | None:
    try:
        return _draw_cached(path, read_stamp(path))
    except (OSError, ValueError, KeyError, sqlite3.Error):
        return None


@lru_cache(_CACHED)
def _draw_cached(path: Path, _version: tuple[tuple[int, int], ...]) -> Picture | None:
    with RunReader(path) as reader:
        best, instance = find_best_tour(reader), decode_instance(decode(reader.instance()))
    if best is None:
        return None
    order, globe = best.arrays["order"], instance.is_on_globe
    ratio = degree_aspect(instance.display) if globe else 1.0
    places = instance.display[order[:: -(-order.size // _CITIES)]] * (1.0, ratio)
    low, extent = places.min(axis=0), np.ptp(places, axis=0).max() or 1.0

    def scale(values: np.ndarray) -> list[int]:
        return np.rint(1000 * values / extent).astype(int).ravel().tolist()

    date_line = scale(np.array([-180.0, 180.0]) - low[0]) if globe else None
    return {"positions": scale(places - low), "date_line": date_line}
