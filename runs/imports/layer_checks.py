"""Checks an exact solution's layers in an untrusted run file; see `runs.imports.frame_checks`."""

import numpy as np

from solvers.algorithms.held_karp.plan import UNREACHED
from solvers.worker.frames import Frame

#: Limits of the page's counts, of a curve's points, and of its numbers of cities.
_MAX_COUNT, _MAX_POINTS, _MAX_CITIES = 1 << 53, 64, 200
#: Upper bound of transitions and bytes on the curve.
_MAX_SIZE = 1e60


def check_layers(frame: Frame, arrays: dict[str, np.ndarray], n: int) -> None:
    """Check that layers fit an instance of `n` cities.

    Raises
    ------
    ValueError
        If they do not.
    """
    inner, outer = (_read_whole_number(frame, name, n) for name in ("inner", "outer"))
    _read_whole_number(frame, "memory", _MAX_COUNT)
    if outer < 2 or (inner and outer % 2) or inner + outer + 1 != n or frame.values.get("item") not in UNREACHED:
        raise ValueError("the cities of the layers are not those of the instance")
    if len(arrays["subsets"]) != (outer // 2 if inner else outer) + 1:
        raise ValueError("there are too many layers, or too few")
    counts = [arrays[name] for name in ("subsets", "states", "transitions", "bytes")]
    if not inner:  # the states of empty sets are distances, not sums
        counts[2] = counts[2] + (np.arange(len(counts[2])) < 1)
    if any((array < 1).any() or (array > _MAX_COUNT).any() for array in counts):
        raise ValueError("a count of a layer is out of range")
    _check_curve(arrays, n)


def _check_curve(arrays: dict[str, np.ndarray], n: int) -> None:
    """Check the estimated cost for other numbers of cities."""
    cities = arrays["cities"]
    if len(cities) > _MAX_POINTS or (cities < 1).any() or (cities > _MAX_CITIES).any() or n not in cities:
        raise ValueError("the numbers of cities are invalid")
    sizes = [arrays[name] for name in ("cities_transitions", "cities_bytes")]
    if (np.diff(cities) <= 0).any() or any((array <= 0).any() or (array > _MAX_SIZE).any() for array in sizes):
        raise ValueError("the costs of other numbers of cities are out of range")


def check_front(frame: Frame, arrays: dict[str, np.ndarray], n: int) -> None:
    """Check that the front of the layers never moves backwards.

    Raises
    ------
    ValueError
        If it does, or a value is out of range.
    """
    for name, array in arrays.items():
        if (
            (array < 0).any()
            or (array > (n - 1 if name == "layer" else _MAX_COUNT)).any()
            or (np.diff(array) < 0).any()
        ):
            raise ValueError(f"the {name} of a front is invalid")


def _read_whole_number(frame: Frame, name: str, maximum: int) -> int:
    value = frame.values.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= maximum:
        raise ValueError(f"the value {name} of the layers is out of range")
    return value
