"""Checks frames of an untrusted run file, and keeps only fields that the events' contract allows."""

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from data.moments import check_moment
from data.tsplib.normal_form import reduce_to_line
from runs.store.run_file import STATES
from solvers.algorithms.held_karp.plan import UNREACHED
from solvers.core.events import CHOICE_MODES
from solvers.worker.frames import Frame, encode

#: Arrays whose values never fall, and arrays whose values never rise.
_RISING, _FALLING = ("node", "cuts", "relaxations", "bound", "elapsed"), ("length",)


def check_tree(frame: Frame, arrays: dict[str, np.ndarray], n: int) -> None:
    """Check that the bound never falls and the best length never rises.

    Raises
    ------
    ValueError
        If the bound falls, the best length rises, or a value is out of range.
    """
    for name, array in arrays.items():
        minimum = -_MAX_COUNT if name in ("bound", "length") else 0
        steps = np.diff(array)
        invalid = (name in _RISING and (steps < 0).any()) or (name in _FALLING and (steps > 0).any())
        if (array < minimum).any() or (array > _MAX_COUNT).any() or invalid:
            raise ValueError(f"the {name} of a tree is invalid")
    if (arrays["bound"] > arrays["length"]).any() or (arrays["columns"] > n * n).any():
        raise ValueError("the tree does not fit the instance")


#: Limits on the page's counts, on the number of a curve's points, and on their numbers of cities.
_MAX_COUNT, _MAX_POINTS, _MAX_CITIES = 1 << 53, 64, 200
#: Upper bound on the curve's transitions and bytes.
_MAX_SIZE = 1e60


def check_layers(frame: Frame, arrays: dict[str, np.ndarray], n: int) -> None:
    """Check that layers fit an instance of `n` cities.

    Raises
    ------
    ValueError
        If the layers do not fit.
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
        If the front moves backwards, or a value is out of range.
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


_MAX_TEXT = 500
_MAX_ROWS = 1 << 24
#: The page's limits on counts: blocks per side and strongest edges of a field, trials of a choice, lengths of a
#: population, iterations, tabu edges, candidates of a choice.
_MAX_BLOCKS, _MAX_EDGES, _MAX_TRIALS, _MAX_INDIVIDUALS, _MAX_ITERATIONS = 256, 2000, 65, 1000, 1 << 53
_MAX_TABU, _MAX_CANDIDATES = 50_000, 32

#: Values and arrays that are seconds of a run, and their upper bound: a few centuries.
_SECONDS = frozenset({"elapsed", "seconds", "seconds_to_best", "compile_seconds"})
_MAX_SECONDS = 1e10
#: Values that cannot be checked: a file's claim of a proof is not accepted.
_UNVERIFIABLE = frozenset({"proven"})
#: Kinds of events that only exact solvers send.
_EXACT_ONLY = ("layers", "front", "tree")
#: Relative tolerance between two means of the same lengths.
_ROUNDING = 1e-9
#: Float arrays whose entries may be NaN if they are missing.
_MAY_BE_NAN = ("milliseconds",)
#: Arrays that files of earlier releases lack.
_OPTIONAL_ARRAYS = ("step", "control")

Values = dict[str, type]
Arrays = dict[str, tuple[str, str]]


_TYPES: dict[str, type] = {kind.__name__: kind for kind in (str, int, float, bool, dict)}


def _load_layout(layout: dict[str, dict[str, str]]) -> tuple[Values, Arrays]:
    values = {name: _TYPES[kind] for kind, names in layout.get("values", {}).items() for name in names.split()}
    dtypes = {tuple(form.split()): names for form, names in layout.get("arrays", {}).items()}
    return values, {name: (dtype, axes) for (dtype, axes), names in dtypes.items() for name in names.split()}


#: By kind: values with their types, and arrays with dtype and names of axes; axes of the same name are equally long.
LAYOUTS = {
    kind: _load_layout(layout)
    for kind, layout in json.loads(Path(__file__).with_name("frame_layouts.json").read_text()).items()
}


def check_frame(frame: Frame, kind: str, n: int, exact: bool = False) -> bytes:
    """Rebuild a frame from its checked fields.

    Parameters
    ----------
    frame : Frame
        The frame as read from the file.
    kind : str
        The frame's kind according to the file.
    n : int
        Number of cities of the run's instance.
    exact : bool
        Whether the run's algorithm is exact; layers are only allowed then.

    Raises
    ------
    ValueError
        If the frame does not match the events' contract.
    """
    if frame.kind != kind or kind not in LAYOUTS or (kind in _EXACT_ONLY and not exact):
        raise ValueError(f"an event of kind {kind[:20]!a} is invalid")
    values, layout = LAYOUTS[kind]
    arrays = _check_arrays(frame.arrays, layout, n)
    if kind in _CHECKS:
        _CHECKS[kind](frame, arrays, n)
    checked_values = {name: _check_value(frame.values.get(name), expected) for name, expected in values.items()}
    checked_values |= dict.fromkeys(_UNVERIFIABLE & checked_values.keys(), False)
    _check_seconds({**checked_values, **arrays})
    return encode(kind, {**checked_values, "at": check_moment(frame.values.get("at"))}, arrays)


def _check_arrays(received: dict[str, np.ndarray], layout: Arrays, n: int) -> dict[str, np.ndarray]:
    sizes = {"n": n, "2": 2}
    arrays = {}
    for name, (dtype, axes) in layout.items():
        if name in _OPTIONAL_ARRAYS and name not in received:
            continue
        array = received.get(name)
        if array is None or array.dtype.str != dtype or array.ndim != len(axes):
            raise ValueError(f"the array {name} is missing or invalid")
        for axis, size in zip(axes, array.shape, strict=True):
            if sizes.setdefault(axis, size) != size or size > _MAX_ROWS:
                raise ValueError(f"the array {name} does not match the others")
        if array.dtype.kind == "f" and not (np.isfinite(array) | (np.isnan(array) & (name in _MAY_BE_NAN))).all():
            raise ValueError(f"the array {name} has a value that is not a number")
        arrays[name] = array
    return arrays


def _check_value(value: Any, expected: type) -> Any:
    if expected is dict:
        pairs = value.items() if isinstance(value, dict) and len(value) <= 20 else [(None, None)]
        return {_check_value(name, str): _check_value(text, str) for name, text in pairs}
    if expected is str and isinstance(value, str):
        return reduce_to_line(value, _MAX_TEXT)
    if expected is bool and isinstance(value, bool):
        return value
    number = isinstance(value, int) or (expected is float and isinstance(value, float))
    if expected in (int, float) and number and not isinstance(value, bool) and math.isfinite(value):
        return value
    raise ValueError(f"{value!r:.40} is not of the type {expected.__name__}")


def _check_seconds(fields: dict[str, Any]) -> None:
    for name in _SECONDS & fields.keys():
        if np.any(np.less(fields[name], 0) | np.greater(fields[name], _MAX_SECONDS)):
            raise ValueError(f"the {name} are out of range")


def _check_orders(orders: np.ndarray, n: int) -> None:
    if not np.array_equal(np.sort(orders, axis=-1), np.broadcast_to(np.arange(n), orders.shape)):
        raise ValueError("a tour does not visit each city once")


def _check_tour(frame: Frame, arrays: dict[str, np.ndarray], n: int) -> None:
    _check_orders(arrays["order"], n)


def _check_moves(frame: Frame, arrays: dict[str, np.ndarray], n: int) -> None:
    _check_orders(arrays["tours"], n)
    i, j, count, tour = (arrays[name] for name in ("i", "j", "count", "tour"))
    valid = (i >= 0) & (i < j) & (j < n)
    if not valid.all() or (count < 0).any() or int(count.sum(dtype=np.int64)) != len(i):
        raise ValueError("a move is invalid")
    if (tour < -1).any() or (tour >= len(arrays["tours"])).any():
        raise ValueError("a piece of a climb has no tour")
    step, control = (arrays.get(name, np.empty(0)) for name in _OPTIONAL_ARRAYS)
    if step.size != control.size or step.size not in (0, len(i)) or (step < -1).any() or (control < 0).any():
        raise ValueError("the step of a move is invalid")
    if any((arrays[name] < 0).any() for name in ("climber", "first", "length")):
        raise ValueError("a piece of a climb has a negative number")


def _check_edges(frame: Frame, arrays: dict[str, np.ndarray], n: int) -> None:
    edges = arrays["edges"]
    if len(edges) > n or (edges < 0).any() or (edges >= n).any():
        raise ValueError("an edge has an unknown city")


def _check_choices(frame: Frame, arrays: dict[str, np.ndarray], n: int) -> None:
    _check_orders(arrays["order"], n)
    city, mode = arrays["city"], arrays["mode"]
    if len(mode) != n - 1 or city.shape[1] > _MAX_CANDIDATES or arrays["luck"].shape[1] not in (0, city.shape[1]):
        raise ValueError("a choice is missing, or has too many candidates")
    if (city < -1).any() or (city >= n).any() or (mode >= len(CHOICE_MODES)).any():
        raise ValueError("a choice is of an unknown city or kind")


def _check_crossover(frame: Frame, arrays: dict[str, np.ndarray], n: int) -> None:
    removed = arrays["removed"]
    if (arrays["origin"] > 3).any() or len(removed) > n or (removed < 0).any() or (removed >= n).any():
        raise ValueError("a crossover is of unknown edges")


def _check_steps(frame: Frame, arrays: dict[str, np.ndarray], n: int) -> None:
    changed, ends = arrays["changed"], arrays["ends"]
    if (changed < 0).any() or (changed >= n).any():
        raise ValueError("a step changes an edge of an unknown city")
    if (np.diff(ends, prepend=0) < 1).any() or int(ends[-1:].sum()) != len(changed):
        raise ValueError("the steps of a construction have other edges")


def _check_rows(frame: Frame, arrays: dict[str, np.ndarray], n: int) -> None:
    if any((arrays[name] < 0).any() for name in ("climber", "moves", "length")):
        raise ValueError("a climber has a negative number")


def _check_iterations(iterations: list[int], minimum: int) -> None:
    if any(not minimum <= iteration < _MAX_ITERATIONS for iteration in iterations):
        raise ValueError("an iteration is out of range")


def _check_colony(frame: Frame, arrays: dict[str, np.ndarray], n: int) -> None:
    _check_iterations(arrays["iteration"].tolist(), 1)
    if any((array < 0).any() for array in arrays.values()) or (arrays["best"] > arrays["worst"]).any():
        raise ValueError("a value of a colony is out of range")
    if arrays["trials"].shape[1] > _MAX_TRIALS:
        raise ValueError("a choice of a city took too many trials")


def _check_ants(frame: Frame, arrays: dict[str, np.ndarray], n: int) -> None:
    _check_iterations([_check_value(frame.values.get("iteration"), int)], 1)
    if not arrays["lengths"].size or (arrays["lengths"] < 0).any():
        raise ValueError("an ant has no tour")


def _check_population(frame: Frame, arrays: dict[str, np.ndarray], n: int) -> None:
    _check_iterations(arrays["iteration"].tolist(), 1)
    if any((array < 0).any() for array in arrays.values()) or (arrays["best"] > arrays["worst"]).any():
        raise ValueError("a value of a population is out of range")
    if (arrays["shared"] > 1).any() or (arrays["edges"] > n * (n - 1) // 2).any():
        raise ValueError("a population has more edges than there are")


def _check_individuals(frame: Frame, arrays: dict[str, np.ndarray], n: int) -> None:
    _check_iterations([_check_value(frame.values.get("iteration"), int)], 1)
    lengths = arrays["lengths"]
    if not 1 <= lengths.size <= min(_MAX_INDIVIDUALS, _check_value(frame.values.get("size"), int)):
        raise ValueError("a population has too many tours, or none")
    if lengths[0] < 0 or (np.diff(lengths) < 0).any():
        raise ValueError("the lengths of a population are not in order")


def _check_tabu(frame: Frame, arrays: dict[str, np.ndarray], n: int) -> None:
    _check_orders(arrays["order"], n)
    if any(_check_value(frame.values.get(name), int) < 0 for name in ("climber", "step")):
        raise ValueError("a tabu search has a negative number")
    for name in ("removed", "added"):
        edges = arrays[name]
        if len(edges) > _MAX_TABU or (edges < 0).any() or (edges >= n).any() or (edges[:, 0] >= edges[:, 1]).any():
            raise ValueError("a tabu edge has an unknown city")


def _check_field(frame: Frame, arrays: dict[str, np.ndarray], n: int) -> None:
    _check_iterations([_check_value(frame.values.get("iteration"), int)], 0)
    low, high = (_check_value(frame.values.get(name), float) for name in ("low", "high"))
    if not 0 < low <= high or not math.isfinite(high / low):
        raise ValueError("the trails of a field have no range")
    if not 1 <= len(arrays["heat"]) <= min(n, _MAX_BLOCKS):
        raise ValueError("a field has too many blocks, or none")
    _check_orders(arrays["order"], n)
    edges, trail = arrays["edges"], arrays["trail"]
    if len(edges) > _MAX_EDGES or (edges < 0).any() or (edges >= n).any() or (edges[:, 0] >= edges[:, 1]).any():
        raise ValueError("an edge of a field has an unknown city")
    if (trail < 0).any() or (np.diff(trail) > 0).any():
        raise ValueError("the strongest trails of a field are not in order")


def _check_phases(frame: Frame, arrays: dict[str, np.ndarray], n: int) -> None:
    _check_iterations(arrays["iteration"].tolist(), 1)
    if any((array < 0).any() for array in arrays.values()):
        raise ValueError("a phase has a negative duration")


def _check_shortened(frame: Frame, arrays: dict[str, np.ndarray], n: int) -> None:
    _check_iterations(arrays["iteration"].tolist(), 1)
    longer = arrays["after"] > arrays["before"] * (1 + _ROUNDING)
    if longer.any() or any((arrays[name] < 0).any() for name in ("after", "milliseconds")):
        raise ValueError("2-opt made a tour longer, or has a negative duration")


def _check_state(frame: Frame, arrays: dict[str, np.ndarray], n: int) -> None:
    if frame.values.get("state") not in STATES:
        raise ValueError("Invalid state.")


_CHECKS: dict[str, Callable[[Frame, dict[str, np.ndarray], int], None]] = {
    "tour": _check_tour,
    "finished": _check_tour,
    "moves": _check_moves,
    "edges": _check_edges,
    "choices": _check_choices,
    "crossover": _check_crossover,
    "steps": _check_steps,
    "rows": _check_rows,
    "colony": _check_colony,
    "ants": _check_ants,
    "population": _check_population,
    "individuals": _check_individuals,
    "tabu": _check_tabu,
    "field": _check_field,
    "phases": _check_phases,
    "shortened": _check_shortened,
    "layers": check_layers,
    "front": check_front,
    "tree": check_tree,
    "state": _check_state,
}
