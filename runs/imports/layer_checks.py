"""Checking what a stranger's run file says of an exact solution by layers; see `runs.imports.frame_checks`."""

import numpy as np

from solvers.held_karp.plan import UNREACHED
from solvers.worker.frames import Frame

#: Numbers that the page counts with, and numbers of cities that a curve goes through.
_MOST, _MOST_POINTS, _MOST_CITIES = 1 << 53, 64, 200
#: Transitions and bytes for so many cities are no counts any more.
_MOST_SIZE = 1e60


def layers(frame: Frame, arrays: dict[str, np.ndarray], n: int) -> None:
    """See that layers are those of `n` cities.

    Raises
    ------
    ValueError
        If they cannot be.
    """
    inner, outer = (_whole(frame, name, n) for name in ("inner", "outer"))
    _whole(frame, "memory", _MOST)
    if inner < 1 or outer < 2 or outer % 2 or inner + outer + 1 != n or frame.values.get("item") not in UNREACHED:
        raise ValueError("the cities of the layers are not those of the instance")
    if len(arrays["subsets"]) != outer // 2 + 1:
        raise ValueError("there are too many layers, or too few")
    counts = [arrays[name] for name in ("subsets", "states", "transitions", "bytes")]
    if any((array < 1).any() or (array > _MOST).any() for array in counts):
        raise ValueError("a number of a layer cannot be")
    _curve(arrays, n)


def _curve(arrays: dict[str, np.ndarray], n: int) -> None:
    """What the solution takes for other numbers of cities."""
    cities = arrays["cities"]
    if len(cities) > _MOST_POINTS or (cities < 1).any() or (cities > _MOST_CITIES).any() or n not in cities:
        raise ValueError("the numbers of cities cannot be")
    sizes = [arrays[name] for name in ("cities_transitions", "cities_bytes")]
    if (np.diff(cities) <= 0).any() or any((array <= 0).any() or (array > _MOST_SIZE).any() for array in sizes):
        raise ValueError("what other numbers of cities take cannot be")


def front(frame: Frame, arrays: dict[str, np.ndarray], n: int) -> None:
    """See that the front of the layers goes on and never back.

    Raises
    ------
    ValueError
        If it cannot be.
    """
    for name, array in arrays.items():
        if (array < 0).any() or (array > (n // 2 if name == "layer" else _MOST)).any() or (np.diff(array) < 0).any():
            raise ValueError(f"the {name} of a front cannot be")


def _whole(frame: Frame, name: str, most: int) -> int:
    value = frame.values.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise ValueError(f"the value {name} of the layers cannot be")
    return value
