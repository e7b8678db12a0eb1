"""Assembles every instance, whether read, generated or inline: checks it and computes its hash.

The normal form is a unique TSPLIB file for each instance: fixed header order, the shortest decimal that gives the same
float64, and for a matrix the upper triangle, or all of a directed one. If edges are missing, their length is also on
the diagonal, by which a reader recognises them. The hash excludes NAME and COMMENT.
"""

import hashlib
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from data import display
from data import missing as missing_edges
from data.errors import InvalidInstance
from data.instance import KINDS, UNITS, Instance
from data.limits import MAX_COMMENT, MAX_COORDINATE, MAX_EXPLICIT, MAX_NAME, max_cities
from data.rounding import warn_if_coarse
from data.tsplib.matrix_formats import format_row, pack
from data.tsplib.tokens import FIXED_EDGES

#: Header entries for the ends of a path, an extension of this program; the first is `data.paths.ANY` if both are open.
PATH_ENTRIES = ("PATH_START", "PATH_END")
#: Minimum share of coordinates with 60 minutes or more for which they do not count as typing errors.
_SLIPS = 0.01


def check_size(kind: str, n: int, line: int | None = None, source: str = "uploaded") -> None:
    """Raise an error for an unsupported number of cities, before allocating arrays.

    Parameters
    ----------
    kind : str
        One of `data.instance.KINDS`.
    n : int
    line : int, optional
        Line of the file, for the error.
    source : str
        See `Instance.source`.

    Raises
    ------
    InvalidInstance
        ``RANGE`` or ``LIMIT``.
    """
    most = MAX_EXPLICIT if kind == "EXPLICIT" else max_cities(source)
    if n < 1:
        raise InvalidInstance("RANGE", f"DIMENSION is {n}: an instance has at least one city.", line)
    if n > most:
        raise InvalidInstance("LIMIT", f"{n:,} cities are too many: {kind} instances have at most {most:,}.", line)


def assemble(
    name: str,
    kind: str,
    source: str,
    *,
    coordinates: np.ndarray | None = None,
    weights: np.ndarray | None = None,
    drawn: np.ndarray | None = None,
    missing: np.ndarray | None = None,
    node_ids: np.ndarray | None = None,
    comment: str = "",
    names: tuple[str, ...] = (),
    warnings: tuple[str, ...] = (),
) -> Instance:
    """Return an instance after checking its values.

    Parameters
    ----------
    name, comment : str
        Any text; characters that cannot be shown in one line are removed.
    kind : str
        One of `data.instance.KINDS`.
    source : str
        See `Instance.source`.
    coordinates : ndarray, shape (n, 2), float64, optional
        Coordinates, for every kind except EXPLICIT.
    weights : ndarray, shape (n, n), int32, optional
        Matrix for EXPLICIT, from row to column. Its diagonal is set to zero, and missing edges to their length, in
        place.
    drawn : ndarray, shape (n, 2), float64, optional
        Drawing positions of an EXPLICIT instance, if it has them.
    missing : ndarray, shape (n, n), bool, optional
        Missing edges of an EXPLICIT instance, if any.
    node_ids : ndarray, shape (n,), int64, optional
        Node numbers of the file.
    names : tuple of str, optional
        Names of the cities.
    warnings : tuple of str
        Warnings of the previous steps.

    Raises
    ------
    InvalidInstance
        ``UNSUPPORTED``, ``RANGE`` or ``LIMIT``.
    """
    if kind not in KINDS:
        raise InvalidInstance("UNSUPPORTED", f"The edge weight type must be one of {', '.join(KINDS)}.")
    notes = list(warnings)
    positions, note = drawn, ""
    directed, missing_weight = False, 0
    if kind == "EXPLICIT":
        assert weights is not None
        assert weights.dtype == np.int32  # otherwise kernels would be compiled again
        n = len(weights)
        check_size(kind, n)
        notes += _set_missing_weights(weights, missing is not None)
        if missing is not None and missing.any():
            missing_weight = missing_edges.set_missing_lengths(weights, missing)
        directed = not np.array_equal(weights, weights.T)
        if drawn is not None:
            _check_range(drawn)
        else:
            positions, note = display.place_by_weights(weights, missing_weight), display.MDS_NOTE
    else:
        assert coordinates is not None
        n = len(coordinates)
        check_size(kind, n, source=source)
        _check_range(coordinates)
        if kind in UNITS:
            check_globe(coordinates)
        notes += warn_about_coordinates(kind, coordinates)
        positions = display.place_by_coordinates(kind, coordinates, name)
    assert positions is not None
    if node_ids is not None and np.array_equal(node_ids, np.arange(1, n + 1)):
        node_ids = None
    line = reduce_to_line(name, MAX_NAME)
    if line != name:
        notes.append("The name was shortened to characters that can be shown.")
    instance = Instance(
        name=line or "unnamed",
        kind=kind,
        n=n,
        coordinates=coordinates,
        weights=weights,
        display=positions,
        display_note=note,
        comment=reduce_to_line(comment, MAX_COMMENT),
        source=source,
        node_ids=node_ids,
        names=names,
        warnings=tuple(notes),
        directed=directed,
        missing=_count_missing(weights, missing_weight, directed),
        missing_weight=missing_weight,
    )
    return replace(instance, sha256=hashlib.sha256(format_numbers(instance).encode()).hexdigest())


def reduce_to_line(text: str, limit: int) -> str:
    """Remove line breaks, control and direction characters, and shorten to `limit` characters."""
    return "".join(c if c.isprintable() else " " for c in text).strip()[:limit].strip()


def write(instance: Instance) -> str:
    """Format an instance as a TSPLIB file in normal form.

    Reading it again gives the same numbers and the same `sha256`.
    """
    comment = f"COMMENT: {instance.comment}\n" if instance.comment else ""
    return f"NAME: {instance.name}\n{comment}{format_numbers(instance)}"


def format_numbers(instance: Instance) -> str:
    """Return the normal form from TYPE to EOF, which is hashed."""
    lines = [
        f"TYPE: {'ATSP' if instance.directed and instance.coordinates is None else 'TSP'}",
        f"DIMENSION: {instance.city_count}",
        f"EDGE_WEIGHT_TYPE: {instance.kind}",
    ]
    n, edges = instance.city_count, instance.fixed
    ids = range(1, n + 1) if instance.node_ids is None else instance.node_ids[:n].tolist()
    for name, city in zip(PATH_ENTRIES, (instance.start, instance.end), strict=True):
        lines += [] if city is None else [f"{name}: {ids[city] if city < n else 'any'}"]
    if instance.coordinates is not None:
        lines += ["NODE_COORD_SECTION", *_format_points(ids, instance.coordinates[:n])]
        edges = tuple((a, b) for a, b in edges if a < b)  # in either direction
    if instance.weights is not None and instance.coordinates is None:
        # Without NO_DISPLAY, computed positions would look like the file's own.
        display = "NO_DISPLAY" if instance.display_note else "TWOD_DISPLAY"
        weights, mark = instance.weights[:n, :n], instance.missing_weight
        layout, rows = pack(weights, instance.directed, mark if (weights == mark).any() else 0)
        lines += [f"EDGE_WEIGHT_FORMAT: {layout}", f"DISPLAY_DATA_TYPE: {display}", "EDGE_WEIGHT_SECTION"]
        lines += map(format_row, rows)
        if not instance.display_note:
            lines += ["DISPLAY_DATA_SECTION", *_format_points(ids, instance.display[:n])]
    if edges:
        lines += [FIXED_EDGES, *(f"{ids[a]} {ids[b]}" for a, b in edges), "-1"]
    return "\n".join([*lines, "EOF", ""])


def _format_points(ids: range | list[int], points: np.ndarray) -> list[str]:
    x, y = points.T.tolist()
    return [f"{i} {format_decimal(a)} {format_decimal(b)}" for i, a, b in zip(ids, x, y, strict=True)]


def format_decimal(value: float) -> str:
    """Return the shortest text that reads back as the same float64.

    Coordinates are far below 2**53, where integers end.
    """
    return str(int(value)) if value.is_integer() else repr(value)


def _check_range(points: np.ndarray) -> None:
    if not (np.abs(points) <= MAX_COORDINATE).all():
        raise InvalidInstance("RANGE", f"A coordinate is beyond {MAX_COORDINATE:,.0f}: scale the coordinates down.")


def check_globe(coordinates: np.ndarray, place: Callable[[int], tuple[int, int]] | None = None) -> None:
    """Raise an error for coordinates that are not on the globe.

    Parameters
    ----------
    coordinates : ndarray, shape (n, 2), float64
        Latitude and longitude.
    place : callable, optional
        Returns line and column of a city by its index.

    Raises
    ------
    InvalidInstance
        ``RANGE``.
    """
    outside = (np.abs(coordinates) > (90.0, 180.0)).any(axis=1)
    if outside.any():
        limits = "Places need latitudes within 90 and longitudes within 180 degrees, latitude first."
        raise InvalidInstance("RANGE", limits, *(place(int(outside.argmax())) if place else ()))


def warn_about_coordinates(kind: str, coordinates: np.ndarray) -> list[str]:
    """Return warnings about coordinates and their distances."""
    notes = []
    if has_decimal_degrees(kind, coordinates):
        notes.append(
            "Some GEO coordinates have 60 minutes or more: they are measured as TSPLIB does; "
            "choose the distances degrees if they are decimal degrees."
        )
    elif note := warn_if_coarse(kind, coordinates):
        notes.append(note)
    if len(coordinates) > 1 and (coordinates == coordinates[0]).all():
        notes.append("All cities have the same coordinates.")
    return notes


def has_decimal_degrees(kind: str, coordinates: np.ndarray) -> bool:
    """Return whether GEO coordinates must be decimal degrees, of which 40 % exceed 60 minutes.

    In ali535, 3 of 1,070 do.
    """
    minutes = np.abs(coordinates - np.trunc(coordinates))
    # With a tolerance, since 12.60 - 12 is not 0.60 in binary.
    return kind == "GEO" and bool((minutes >= 0.6 - 1e-9).mean() > _SLIPS)


def _count_missing(weights: np.ndarray | None, missing_weight: int, directed: bool) -> int:
    """Return the number of missing edges."""
    if weights is None or not missing_weight:
        return 0
    found = int((weights == missing_weight).sum())
    return found if directed else found // 2


def _set_missing_weights(weights: np.ndarray, has_marks: bool) -> list[str]:
    notes = []
    if np.diagonal(weights).any():
        np.fill_diagonal(weights, 0)
        if not has_marks:
            notes.append("The diagonal of the weights is not zero; it is not used.")
    if (weights < 0).any():
        notes.append("Some weights are negative.")
    return notes
