"""Best known tours, looked up by an instance's hash rather than its name."""

import json
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import NotRequired, TypedDict

from data.instance import Instance
from data.tsplib import instances

#: Folder of the bundled instances and their optimal tours.
BUNDLED = Path(__file__).resolve().parents[1] / "instances"


class KnownOptimum(TypedDict):
    """An instance's entry in ``optima.json``; `sha256` is `Instance.sha256`. Only bundled instances have an origin."""

    optimum: int
    proven: bool
    n: int
    sha256: str
    origin: NotRequired[str]


@lru_cache(maxsize=1)
def known_optima() -> dict[str, KnownOptimum]:
    """Return every known optimum, keyed by the instance's name, whether or not the instance is bundled."""
    return json.loads((BUNDLED.parent / "optima.json").read_text(encoding="ascii"))


def find_tour_file(name: str) -> Path | None:
    """Return the file with a bundled instance's optimal tour; `name` is one of `known_optima`."""
    path = BUNDLED / f"{name}.opt.tour"
    return path if path.is_file() else None


def attach_optimum(instance: Instance) -> Instance:
    """Add optimum and optimal tour to an instance whose hash is known.

    The name does not matter: a file named berlin52 with other cities has no known optimum.
    """
    for name, row in known_optima().items():
        if row["sha256"] == instance.sha256:
            path = find_tour_file(name)
            tour = instances.read_tour(path.read_bytes(), instance) if path else None
            return replace(instance, optimum=row["optimum"], proven=row["proven"], optimal_tour=tour)
    if instance.name in known_optima():
        note = "This differs from TSPLIB's instance of the same name: the optimum is not shown."
        return replace(instance, warnings=(*instance.warnings, note))
    return instance
