"""A standalone race: each lane's tours over time, numbers and colour."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from components.embed.embedded import add_land
from components.shell import palette
from components.types import JsonObject
from runs.embedding.parts import Parts, pack
from runs.embedding.run import merge_progress, pack_instance
from runs.store.reader import RunReader
from runs.store.summary import find_solver
from runs.store.tour_timeline import build_film
from solvers.worker.frames import Frame, decode

_LETTERS = "ABCD"
#: Maximum number of tours of a lane.
_MAX_TOURS = 240


def pack_race(files: Sequence[Path]) -> tuple[JsonObject, bytes]:
    """Pack a race's run files: ``EmbeddedRace`` of `assets/embed/types.d.ts`, and its parts' bytes.

    Raises
    ------
    ValueError, sqlite3.Error
        If a file is not a run file.
    """
    parts, lanes, algorithms = Parts(), list[JsonObject](), list[list[str]]()
    for number, path in enumerate(files):
        with RunReader(path) as reader:
            meta, instance = reader.meta(), pack_instance(decode(reader.instance()))
            log = [decode(raw) for kind in ("started", "finished") if (raw := reader.last(kind))]
            parts.add(f"lanes/{number}", pack([*merge_progress(reader), *log, _thin_film(decode(build_film(path)))]))
        algorithms.append([stage["algorithm"] for stage in meta.spec["stages"]])
        about: JsonObject = {"state": meta.state, "reason": meta.reason, "seed": meta.spec["seed"]}
        lanes.append({**about, "algorithms": algorithms[-1]})
    parts.add("head", pack([instance]))
    add_land(instance.values, parts)
    return {"lanes": lanes, "views": _views(algorithms), "parts": parts.places}, parts.block()


def _thin_film(film: Frame) -> Frame:
    """Thin a timeline evenly, keeping its last tour."""
    count = len(film.arrays["at"])
    rows = np.unique(np.linspace(0, count - 1, min(count, _MAX_TOURS)).round().astype(int)) if count else slice(0)
    return Frame(film.kind, film.values, {name: array[rows] for name, array in film.arrays.items()})


def _views(lanes: Sequence[Sequence[str]]) -> list[JsonObject]:
    styles = palette.choose_styles([algorithms[0] for algorithms in lanes])
    return [
        {
            "letter": _LETTERS[k],
            "title": " \u2192 ".join(find_solver(algorithm).title for algorithm in algorithms),
            "facts": "",
            **styles[k],
            "iteration": find_solver(algorithms[-1]).iteration_unit,
            "evaluation": "",
        }
        for k, algorithms in enumerate(lanes)
    ]
