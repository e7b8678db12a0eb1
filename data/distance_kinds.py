"""Makes a new instance from another one, with another kind of distances or a finer unit."""

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from data.collection.optima import attach_optimum
from data.distances import decimal_degrees
from data.errors import InvalidInstance
from data.instance import KINDS, Instance
from data.paths import ANY, find_city, with_fixed_edges, with_path
from data.rounding import choose_degrees_kind, warn_if_coarse
from data.tsplib.normal_form import assemble, has_decimal_degrees, warn_about_coordinates

#: The choice for latitudes and longitudes in decimal degrees; its unit is as fine as the instance needs.
DEGREES = "degrees"
#: Distance functions for coordinates, by name.
DISTANCES = (*(kind for kind in KINDS if kind != "EXPLICIT"), DEGREES)
#: Factor of `refine`, and factor from kilometres to metres.
FACTOR = 1000


def remeasure(instance: Instance, distances: str) -> Instance:
    """Return the instance with the same coordinates and another kind of distances.

    Parameters
    ----------
    instance : Instance
        Instance with coordinates, which are used unchanged: 52.75 in a GEO file means 52 degrees and 75 minutes for
        ``GEO``, and 52.75 degrees for ``degrees``.
    distances : str
        One of `DISTANCES`.

    Raises
    ------
    InvalidInstance
        ``UNSUPPORTED`` for other kinds and for an instance with distances only, ``RANGE`` for coordinates that are not
        latitudes and longitudes.
    """
    if distances not in DISTANCES:
        raise InvalidInstance("UNSUPPORTED", f"Distances must be one of {', '.join(DISTANCES)}.")
    points = _require_coordinates(instance)
    return _rebuild(instance, choose_degrees_kind(points) if distances == DEGREES else distances, points)


def scale(instance: Instance, factor: float) -> Instance:
    """Multiply all coordinates by a factor, which the name then mentions; for places, kilometres become metres.

    Parameters
    ----------
    instance : Instance
        Instance with coordinates.
    factor : float
        Positive finite factor.

    Raises
    ------
    InvalidInstance
        ``UNSUPPORTED``, or ``RANGE`` if coordinates become too large.
    """
    points = _require_coordinates(instance)
    if not (math.isfinite(factor) and factor > 0):
        raise InvalidInstance("UNSUPPORTED", "A scale is a number above 0, such as 1000.")
    if not instance.is_on_globe:
        name = f"{instance.name} x {factor:.10g}"
        return replace(_rebuild(instance, instance.kind, points * float(factor)), name=name)
    if factor != FACTOR or instance.unit == "m":
        raise InvalidInstance("UNSUPPORTED", "Places on the globe are scaled by 1000 alone, from kilometres to metres.")
    metres = _rebuild(instance, "HAVERSINE_M", decimal_degrees(instance.kind, points))
    return replace(metres, name=f"{instance.name} (m)")


def adjust(
    instance: Instance, distances: str | None, factor: float | None, start: str | int | None = None,
    end: str | int | None = None, fixed: Iterable[tuple[str | int, str | int]] = (),
) -> Instance:  # fmt: skip
    """Apply distances, scale, fixed edges and path to an instance; return it unchanged if none is given.

    Raises
    ------
    InvalidInstance
        As `remeasure`, `scale`, `data.paths.with_fixed_edges` and `data.paths.with_path`.
    """
    if distances is not None:
        instance = remeasure(instance, distances)
    if factor is not None:
        instance = scale(instance, factor)
    edges = [(find_city(instance, a), find_city(instance, b)) for a, b in fixed]
    return with_path(with_fixed_edges(instance, edges), start, end)


def find_refinement(instance: Instance) -> str:
    """Return how `refine` refines an instance: ``degrees``, ``metres`` or ``scale``; empty if it need not."""
    if instance.coordinates is None:
        return ""
    if has_decimal_degrees(instance.kind, instance.coordinates):
        return "degrees"
    if not warn_if_coarse(instance.kind, instance.coordinates):
        return ""
    return "metres" if instance.unit == "km" else "" if instance.is_on_globe else "scale"


def refine(instance: Instance) -> Instance:
    """Measure an instance more precisely: in decimal degrees if it has them, otherwise scaled by `FACTOR`."""
    if find_refinement(instance) == "degrees":
        return replace(remeasure(instance, DEGREES), name=f"{instance.name} (degrees)")
    return scale(instance, FACTOR)


def _require_coordinates(instance: Instance) -> np.ndarray:
    if instance.coordinates is None:
        raise InvalidInstance(
            "UNSUPPORTED", f"{instance.name} has distances alone, which cannot be measured otherwise."
        )
    return instance.coordinates


def _rebuild(instance: Instance, kind: str, points: np.ndarray) -> Instance:
    assert instance.coordinates is not None
    n = instance.city_count
    former = warn_about_coordinates(instance.kind, instance.coordinates)
    renewed = assemble(
        instance.name,
        kind,
        instance.source,
        coordinates=points[:n].copy(),
        node_ids=None if instance.node_ids is None else instance.node_ids[:n],
        comment=instance.comment,
        names=instance.names[:n],
        warnings=tuple(note for note in instance.warnings if note not in former),
    )
    start = ANY if instance.start is not None and instance.start >= n else instance.start
    return replace(
        with_path(with_fixed_edges(attach_optimum(renewed), instance.fixed), start, instance.end), name=instance.name
    )
