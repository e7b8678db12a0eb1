"""Packs a run file into parts of bounded size for a standalone page: log, climbs, pheromone."""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from runs.embedding.parts import Parts, pack
from runs.store.climb import build_climb_frame
from runs.store.reader import Meta, RunReader
from runs.store.run_file import FINAL
from solvers.worker.frames import Frame, decode, split

#: Limits in bytes: of all parts, and of the pheromone pictures among them; base64 adds a third.
MAX_BYTES, MAX_PICTURES = 1_500_000, 600_000
#: Maximum number of climbs and pictures, since each is read and packed by itself.
_MAX_CLIMBS, _MAX_PICTURES = 1500, 150
#: Kinds of log events that a player needs besides the best tour and the progress.
_LOG_KINDS = ("started", "colony", "shortened", "layers", "front", "tree", "population", "tabu", "finished")
#: Size of the log in bytes beyond which only essential events are kept.
_MAX_LOG = 400_000
_ESSENTIAL = ("started", "finished")
#: Maximum number of cities for which a distance matrix is included, for sentences about moves.
_MAX_WEIGHTS = 400
#: Reason shown for a run that had not ended.
_IN_PROGRESS = "The run was in progress."


@dataclass(frozen=True)
class EmbeddedRun:
    """A run packed into parts.

    Attributes
    ----------
    values : dict
        ``id``, ``spec`` (without tours), ``state``, ``reason``, ``adopted``, ``climbers`` (number of climbers in the
        run), ``held`` (number of climbs included), ``last`` (last included climber or iteration, from 0; -1 without
        one), ``fields`` (iterations with pheromone).
    instance : dict
        The values of the instance's frame.
    parts : Parts
        ``head`` (the instance and the log), ``climbs/{climber}``, ``fields/{iteration}``.
    """

    values: dict[str, Any]
    instance: dict[str, Any]
    parts: Parts


def pack_run(path: Path, max_bytes: int = MAX_BYTES) -> EmbeddedRun:
    """Pack a run file.

    Parameters
    ----------
    path : Path
        File of a run that has ended, or whose current state is wanted.
    max_bytes : int
        Approximate maximum size of all parts in bytes.

    Raises
    ------
    ValueError, sqlite3.Error
        As `RunReader`.
    """
    parts = Parts()
    with RunReader(path) as reader:
        meta = reader.meta()
        instance = pack_instance(decode(reader.instance()))
        parts.add("head", _pack_head(reader, instance))
        iterations = _add_pictures(reader, parts)
        included = _add_climbs(reader, parts, max_bytes, _find_best_climber(reader))
        climbers = _count_climbers(reader)
    last = max([*included, *(iteration - 1 for iteration in iterations)], default=-1)
    counts = {"climbers": max(climbers, last + 1), "held": len(included), "last": last, "fields": sorted(iterations)}
    return EmbeddedRun(_describe(meta) | counts, instance.values, parts)


def _describe(meta: Meta) -> dict[str, Any]:
    stages = [
        {**stage, "params": {name: [] if isinstance(value, list) else value for name, value in stage["params"].items()}}
        for stage in meta.spec["stages"]
    ]
    spec = {**meta.spec, "stages": stages, "instance": {}}
    state = (meta.state, meta.reason) if meta.state in FINAL else ("interrupted", _IN_PROGRESS)
    return {"id": meta.id, "spec": spec, "state": state[0], "reason": state[1], "adopted": meta.adopted}


def pack_instance(frame: Frame) -> Frame:
    """Drop a large distance matrix: maps use coordinates, and explanations do without distances."""
    arrays = dict(frame.arrays)
    if frame.values["n"] > _MAX_WEIGHTS:
        arrays.pop("weights", None)
    return Frame(frame.kind, frame.values, arrays)


def _pack_head(reader: RunReader, instance: Frame) -> bytes:
    log = [decode(raw) for raw in reader.all_frames(_LOG_KINDS)]
    last = [decode(raw) for raw in [reader.last("tour")] if raw]
    steps = merge_progress(reader)
    data = pack([instance, *steps, *last, *log])
    if len(data) <= _MAX_LOG:
        return data
    return pack([instance, *steps, *last, *(frame for frame in log if frame.kind in _ESSENTIAL)])


def merge_progress(reader: RunReader) -> list[Frame]:
    """Merge the progress rows that contain a new best length, and the last row, into one frame."""
    columns: dict[str, list[np.ndarray]] = {}
    shortest, end = np.iinfo(np.int64).max, None
    for raw in reader.read_frames("progress"):
        end = decode(raw).arrays
        best = end["best"]
        best_so_far = np.minimum.accumulate(np.concatenate([[shortest], best]))
        rows = np.flatnonzero(best < best_so_far[:-1])
        shortest = int(best_so_far[-1])
        for name, column in end.items():
            columns.setdefault(name, []).append(column[rows])
    if end is None:
        return []
    return [
        Frame("progress", {}, {name: np.concatenate([*column, end[name][-1:]]) for name, column in columns.items()})
    ]


def _find_best_climber(reader: RunReader) -> int:
    raw = reader.last("tour")
    return decode(raw).values["climber"] if raw else 0


def _count_climbers(reader: RunReader) -> int:
    raw = reader.last("rows")
    return int(decode(raw).arrays["climber"].max(initial=-1)) + 1 if raw else 0


def _add_pictures(reader: RunReader, parts: Parts) -> list[int]:
    """Add as many pheromone pictures as fit; return their iterations."""
    iterations = reader.field_iterations(0, 1 << 62)
    included, before = list[int](), parts.size
    for iteration in list(order_evenly(iterations))[:_MAX_PICTURES]:
        frames = [decode(raw) for raw in split(reader.pictures_at(iteration))]
        part = pack(frame for frame in frames if frame.kind == "field")
        if parts.size - before + len(part) > MAX_PICTURES:
            break
        parts.add(f"fields/{iteration}", part)
        included.append(iteration)
    return included


def _add_climbs(reader: RunReader, parts: Parts, max_bytes: int, best: int) -> list[int]:
    """Add as many climbs as fit, starting with the best tour's; return their climbers."""
    included = list[int]()
    for climber, part in _pack_climbs(reader, best):
        if included and parts.size + len(part) > max_bytes:
            break
        parts.add(f"climbs/{climber}", part)
        included.append(climber)
    return included


def _pack_climbs(reader: RunReader, best: int) -> Iterator[tuple[int, bytes]]:
    for climber in list(order_evenly(reader.recorded_climbers(), [best]))[:_MAX_CLIMBS]:
        if raw := build_climb_frame(climber, reader.climb(climber)):
            yield climber, pack([_reduce_climb(decode(raw))])


def _reduce_climb(climb: Frame) -> Frame:
    """Reduce a climb to its start tour, from which its moves determine all others."""
    if climb.values["walk"] != "moves":
        return climb
    arrays = {**climb.arrays, "at": climb.arrays["at"][:1], "tours": climb.arrays["tours"][:1]}
    return Frame(climb.kind, climb.values, arrays)


def order_evenly(items: Sequence[int], first: Sequence[int] = ()) -> Iterator[int]:
    """Order items so that every prefix is evenly spread: ends, middle, then the middles between those.

    Parameters
    ----------
    items : sequence of int
        Items in ascending order.
    first : sequence of int
        Items to take before all others, if they are in `items`.
    """
    available = set(items)
    selected = set[int]()
    for each in (*first, *items[:1], *items[-1:], *_iterate_middles(items)):
        if each in available and each not in selected:
            selected.add(each)
            yield each


def _iterate_middles(items: Sequence[int]) -> Iterator[int]:
    gaps = deque([(0, len(items) - 1)])
    while gaps:
        low, high = gaps.popleft()
        if high - low < 2:
            continue
        middle = (low + high) // 2
        yield items[middle]
        gaps += [(low, middle), (middle, high)]
