"""A standalone player's data: the parts of a run, and its algorithms' units."""

import zlib
from pathlib import Path

from components.shell import facts
from components.shell.bundle import FOLDER
from components.types import JsonObject
from data.instance import UNITS
from runs.embedding.parts import Parts
from runs.embedding.run import EmbeddedRun, pack_run
from solvers import find
from solvers.core.errors import InvalidParams

#: Level of detail of the coastlines behind a map of the globe: the one with the smallest file.
_LAND = "110m"


def embed_run(path: Path) -> tuple[JsonObject, bytes, EmbeddedRun]:
    """Return a packed run file: ``Embedded`` of `assets/embed/types.d.ts`, its parts' bytes, and the run.

    Raises
    ------
    ValueError, sqlite3.Error
        If the file is not a run file.
    """
    run = pack_run(path)
    add_land(run.instance, run.parts)
    units = {name: _units(name) for name in {stage["algorithm"] for stage in run.values["spec"]["stages"]}}
    data: JsonObject = {"run": run.values, "units": units, "parts": run.parts.places}
    return data, run.parts.block(), run


def add_land(instance: JsonObject, parts: Parts) -> None:
    """Add the land to an instance on the globe."""
    if instance["edge_weight_type"] in UNITS:
        parts.add(f"land/{_LAND}", zlib.compress((FOLDER / "world" / f"land-{_LAND}.bin").read_bytes(), 9))


def _units(algorithm: str) -> JsonObject:
    """Return an algorithm's units; climbers and moves if this release lacks the algorithm."""
    try:
        return facts.units(find(algorithm))
    except InvalidParams:
        words = {"title": algorithm, "iteration": "climber", "evaluation": "move", "step": "move"}
        return {**words, "first": 1, "views": ["tour"]}
