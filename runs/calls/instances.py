"""The instance of a call: a name, a file, coordinates or distances."""

from pathlib import Path
from typing import Any

import numpy as np

from data.collection.instance_reference import generated
from data.collection.resolve import attach_optimum, resolve
from data.errors import InvalidInstance
from data.files import read_bytes
from data.instance import Instance
from data.limits import MAX_BYTES
from data.remeasure import DEGREES, adjust
from data.rounding import degrees_kind
from data.tsplib.instances import read_checked
from data.tsplib.normal_form import assemble
from solvers.worker.frames import Frame

#: Lengths of single edges are 32-bit integers.
_MOST = 2**31 - 1


def instance_of_call(call: Frame) -> tuple[dict[str, Any], Instance]:
    """The reference for the run's spec, and the instance.

    Raises
    ------
    InvalidInstance
        If there is no such instance, its file cannot be read, or it is invalid.
    """
    if "name" in call.values:
        reference = generated(call.values["name"]) or {"name": call.values["name"]}
        return reference, resolve(reference, None)
    if "file" in call.values:
        instance = attach_optimum(read_checked(read_bytes(Path(call.values["file"]), MAX_BYTES)))
    elif "coordinates" in call.arrays:
        coordinates = _table(call.arrays["coordinates"], 2)
        kind = call.values["distances"] or "EUC_2D"
        kind = degrees_kind(coordinates) if kind == DEGREES else kind
        instance = assemble("coordinates", kind, "inline", coordinates=coordinates)
    else:
        given = call.arrays["weights"]
        instance = assemble("distances", "EXPLICIT", "inline", weights=_whole(_table(given, len(given))))
    return {"sha256": instance.sha256}, instance


def adjusted(call: Frame, reference: dict[str, Any], instance: Instance) -> tuple[dict[str, Any], Instance]:
    """The instance with the distances that the call asks for, unless it is an array that has them, and its scale.

    Raises
    ------
    InvalidInstance
        As `data.remeasure.adjust`.
    """
    changed = adjust(instance, None if call.arrays else call.values.get("distances"), call.values.get("scale"))
    return (reference, instance) if changed is instance else ({"sha256": changed.sha256}, changed)


def _table(given: np.ndarray, columns: int) -> np.ndarray:
    if given.ndim != 2 or given.shape[1] != columns:
        shape = " x ".join(map(str, given.shape))
        sentence = f"The array is {shape}: coordinates are n x 2, and distances n x n."
        raise InvalidInstance("COLUMNS", sentence)
    return given.astype(np.float64)


def _whole(weights: np.ndarray) -> np.ndarray:
    if not np.isfinite(weights).all():
        raise InvalidInstance("NONFINITE", "A distance is not a finite number.")
    if (weights != np.round(weights)).any():
        raise InvalidInstance("INT", "A distance is not a whole number: scale the distances up and round them.")
    if (np.abs(weights) > _MOST).any():
        raise InvalidInstance("RANGE", f"A distance is beyond {_MOST:,}: scale the distances down.")
    return weights.astype(np.int32)
