"""Instances of calls: a name, a file, or an array of coordinates or distances."""

from pathlib import Path
from typing import Any

import numpy as np

from data.collection.lookup import look_up, look_up_file
from data.distance_kinds import DEGREES, DISTANCES, adjust
from data.errors import InvalidInstance
from data.instance import Instance
from data.rounding import choose_degrees_kind
from data.tsplib.normal_form import assemble
from solvers.worker.frames import Frame

#: How to read an array: as coordinates with a distance function, or as the distances themselves.
EXPLICIT = "EXPLICIT"
READINGS = (*DISTANCES, EXPLICIT)
#: Largest length of a single edge, which is a 32-bit integer.
_MAX_DISTANCE = 2**31 - 1


def resolve_instance(call: Frame) -> tuple[dict[str, Any], Instance]:
    """Return the instance of a call, and its reference for the run's spec.

    Raises
    ------
    InvalidInstance
        If there is no such instance, its file cannot be read, or it is invalid.
    """
    if "array" in call.arrays:
        instance = parse_array(call.arrays["array"], call.values["distances"])
        return {"sha256": instance.sha256}, instance
    if (name := call.values.get("name")) is None:
        instance, reference = look_up_file(Path(call.values["file"]))
    else:
        instance, reference = look_up(name, Path(call.values.get("file", name)))
    return reference, instance


def adjust_instance(call: Frame, reference: dict[str, Any], instance: Instance) -> tuple[dict[str, Any], Instance]:
    """Apply the requested distances, scale, edges and path to an instance; an array already has its distances.

    Raises
    ------
    InvalidInstance
        As `data.distance_kinds.adjust`.
    """
    distances = None if call.arrays else call.values.get("distances")
    scale, start, end = (call.values.get(name) for name in ("scale", "start", "end"))
    adjusted = adjust(instance, distances, scale, start, end, call.values.get("fixed", ()))
    return (reference, instance) if adjusted is instance else ({"sha256": adjusted.sha256}, adjusted)


def parse_array(table: np.ndarray, reading: str | None) -> Instance:
    """Return the instance of an array of coordinates or distances.

    Parameters
    ----------
    table : ndarray, shape (n, 2) or (n, n), float64
        Coordinates, or whole-numbered distances from row to column.
    reading : str or None
        One of `READINGS`; None reads n x 2 as EUC_2D and n x n as EXPLICIT, unless that is ambiguous.

    Raises
    ------
    InvalidInstance
        ``AMBIGUOUS`` if `reading` must say what the array is; ``UNSUPPORTED`` for another reading; ``COLUMNS`` for
        another shape; else as `data.tsplib.normal_form.assemble`.
    """
    if reading is None:
        _refuse_ambiguous(table)
        reading = "EUC_2D" if table.ndim == 2 and table.shape[1] == 2 else EXPLICIT
    if reading not in READINGS:
        raise InvalidInstance("UNSUPPORTED", f"distances must be one of {', '.join(READINGS)}, not {reading!r:.40}.")
    if reading == EXPLICIT:
        return assemble("distances", EXPLICIT, "inline", weights=_to_integers(_check_columns(table)))
    points = _check_columns(table, 2)
    kind = choose_degrees_kind(points) if reading == DEGREES else reading
    return assemble("coordinates", kind, "inline", coordinates=points)


def _refuse_ambiguous(table: np.ndarray) -> None:
    """Refuse distances that could also be two cities' coordinates, or three rows of id, x, y.

    A diagonal of equal values indicates distances. So does symmetry, unless the first column holds ids from 0 or 1.
    """
    if table.shape not in ((2, 2), (3, 3)):
        return
    level = len(set(np.diagonal(table))) == 1
    as_distances = f'distances="{EXPLICIT}" reads it as distances from row to column'
    if len(table) == 2 and level:
        advice = f'{as_distances}, distances="EUC_2D" as the coordinates of two cities'
    elif len(table) == 3 and _is_row_number(table[:, 0]) and not (level and np.array_equal(table, table.T)):
        advice = f"{as_distances}; if its rows are id, x, y, leave the ids out"
    else:
        return
    raise InvalidInstance("AMBIGUOUS", f"The array is {len(table)} x {len(table)}, which is ambiguous: {advice}.")


def _is_row_number(column: np.ndarray) -> bool:
    return column[0] in (0, 1) and bool((np.diff(column) == 1).all())


def _check_columns(table: np.ndarray, columns: int | None = None) -> np.ndarray:
    """Return the array if it has this many columns, by default as many as it has rows."""
    if table.ndim != 2 or table.shape[1] != (columns or len(table)):
        shape = " x ".join(map(str, table.shape))
        sentence = f"The array is {shape}: coordinates are n x 2, and distances n x n."
        raise InvalidInstance("COLUMNS", sentence)
    return table.astype(np.float64)


def _to_integers(weights: np.ndarray) -> np.ndarray:
    if not np.isfinite(weights).all():
        raise InvalidInstance("NONFINITE", "A distance is not a finite number.")
    if (weights != np.round(weights)).any():
        raise InvalidInstance("INT", "A distance is not a whole number: scale the distances up and round them.")
    if (np.abs(weights) > _MAX_DISTANCE).any():
        raise InvalidInstance("RANGE", f"A distance is beyond {_MAX_DISTANCE:,}: scale the distances down.")
    return weights.astype(np.int32)
