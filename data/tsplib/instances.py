"""Reads and writes TSPLIB 95 instance files (Reinelt, 1995); `data.tsplib.tours` handles tours.

`read` is strict: it returns the file's numbers unchanged, lists tolerated faults in `Instance.warnings`, and raises
`InvalidInstance` for all others. `read_checked` also reads the file with the tsplib95 package, and refuses it if the
results differ.
"""

from dataclasses import replace

import numpy as np

from data.display import place_by_coordinates
from data.distances import coordinate_matrix
from data.errors import InvalidInstance
from data.instance import UNITS, Instance
from data.limits import MAX_BYTES
from data.missing import find_missing
from data.paths import with_fixed_edges, with_path
from data.tsplib import crosscheck, numerals
from data.tsplib.edge_data import read_edges, read_fixed_edges
from data.tsplib.header import Head, check_header, find_header_value
from data.tsplib.matrix_formats import count_entries, unpack
from data.tsplib.normal_form import PATH_ENTRIES, assemble, check_globe, write
from data.tsplib.text import decode
from data.tsplib.tokens import FIXED_EDGES, Document, Section, tokenize
from data.tsplib.tours import format_tour, read_tour

__all__ = ["format_tour", "read", "read_checked", "read_tour", "write"]


def read(raw: bytes, source: str, limit: int = MAX_BYTES) -> Instance:
    """Read an instance from a plain file or a single gzip stream.

    Parameters
    ----------
    raw : bytes
        The file.
    source : str
        See `Instance.source`.
    limit : int
        Maximum size in bytes, before and after decompression.

    Raises
    ------
    InvalidInstance
        With the code of the error and, if possible, the line.
    """
    document = tokenize(*decode(raw, limit))
    return _add_entries(document, _read(document, source))


def read_checked(raw: bytes) -> Instance:
    """Read an uploaded instance, cross-checked by the tsplib95 package.

    Raises
    ------
    InvalidInstance
        As `read`, and ``DISAGREE`` if the two readers differ in n, coordinates or weights.
    """
    document = tokenize(*decode(raw))
    instance = _read(document, "uploaded")
    crosscheck.compare(document, instance, check_header(document))
    return _add_entries(document, instance)


def _read(document: Document, source: str) -> Instance:
    header = check_header(document, source)
    _check_sections(document, header)
    points = weights = drawn = missing = None
    ids: np.ndarray | None
    if header.kind not in ("EXPLICIT", ""):
        section = document.sections["NODE_COORD_SECTION"]
        ids, points = _read_nodes(section, header.n)
        if header.kind in UNITS:
            check_globe(points, lambda city: numerals.locate_word(section, 3 * city))
        if "DISPLAY_DATA_SECTION" in document.sections:
            document.warnings.append("DISPLAY_DATA_SECTION was ignored: the cities are drawn at their coordinates.")
    else:
        weights = _read_weights(document.sections.get("EDGE_WEIGHT_SECTION"), header)
        missing = find_missing(weights)
        ids, drawn = _read_display(document, header.n)
    if header.edges:
        unlisted = _find_missing(document, header, ids)
        missing = unlisted if missing is None else missing | unlisted
        if missing.any() and points is not None:
            weights, drawn = coordinate_matrix(header.kind, points), place_by_coordinates(header.kind, points)
            points = None
            document.warnings.append(f"Edges are missing, so the {header.kind} distances were written out as a matrix.")
    return assemble(
        header.name,
        header.kind if points is not None else "EXPLICIT",
        source,
        coordinates=points,
        weights=weights,
        drawn=drawn,
        missing=missing,
        node_ids=ids,
        comment=header.comment,
        warnings=tuple(document.warnings),
    )


def _add_entries(document: Document, instance: Instance) -> Instance:
    """Add a file's fixed edges and path ends to an instance."""
    name = instance.name
    if fixed := document.sections.get(FIXED_EDGES):
        instance = with_fixed_edges(instance, read_fixed_edges(fixed, instance))
    path = with_path(instance, *(find_header_value(document, name) or None for name in PATH_ENTRIES))
    return replace(path, name=name)


def _check_sections(document: Document, header: Head) -> None:
    matrix, what = header.kind in ("EXPLICIT", ""), header.kind or header.problem
    needed = ["EDGE_WEIGHT_SECTION" if header.kind == "EXPLICIT" else "NODE_COORD_SECTION"] if header.kind else []
    needed += ["EDGE_DATA_SECTION"] if header.edges else []
    allowed = (*needed, "DISPLAY_DATA_SECTION", *(("NODE_COORD_SECTION",) if matrix else ()))
    if document.sections.pop("DEPOT_SECTION", None):
        document.warnings.append("DEPOT_SECTION was ignored: a round trip may begin at any city.")
    for section in document.sections.values():
        if section.name not in (*allowed, FIXED_EDGES):
            sentence = f"{section.name[:40]} is not supported with {what}: send a plain {header.problem} without it."
            raise InvalidInstance("UNSUPPORTED", sentence, section.line)
    for name in needed:
        if name not in document.sections:
            raise InvalidInstance("MISSING", f"The file has no {name}, which {what} needs.")


def _find_missing(document: Document, header: Head, ids: np.ndarray | None) -> np.ndarray:
    """Return the edges missing from the file's list, (n, n) bool."""
    section = document.sections["EDGE_DATA_SECTION"]
    if ids is not None and not np.array_equal(ids, np.arange(1, header.n + 1)):
        raise InvalidInstance(
            "RANGE", "A graph's nodes must be numbered from 1 in the order of the file.", section.line
        )
    present = read_edges(section, header.edges, header.n)
    missing = ~present
    np.fill_diagonal(missing, False)
    return missing


def _read_weights(section: Section | None, header: Head) -> np.ndarray:
    if section is None:
        return np.ones((header.n, header.n), np.int32) - np.eye(header.n, dtype=np.int32)
    values = numerals.parse_integers(section)
    _check_count(section, values.size, count_entries(header.layout, header.n), "numbers")
    matrix = unpack(header.layout, header.n, values)
    odd = np.argwhere(matrix != matrix.T)
    if odd.size and header.problem != "ATSP":
        i, j = (int(k) for k in odd[0])
        sentence = (
            f"The weights {i + 1}-{j + 1} and {j + 1}-{i + 1} differ: the matrix must be symmetric, or the TYPE ATSP."
        )
        raise InvalidInstance("ASYM", sentence, *numerals.locate_word(section, i * header.n + j))
    return matrix


def _read_nodes(section: Section, n: int) -> tuple[np.ndarray, np.ndarray]:
    ids, points = numerals.parse_node_rows(section)
    _check_count(section, len(ids), n, "nodes")
    # -1 ends a tour, so no node can have this number.
    if ids.min() < 0:
        sentence = "A node has a negative number: number them from 0 or 1."
        raise InvalidInstance("RANGE", sentence, *numerals.locate_word(section, 3 * int((ids < 0).argmax())))
    if (repeated := numerals.find_repeated(ids)) is not None:
        line, _ = numerals.locate_word(section, 3 * int((ids == ids[repeated]).argmax()))
        sentence = f"Node {ids[repeated]} is in line {line} already: list each node once."
        raise InvalidInstance("DUPLICATE", sentence, *numerals.locate_word(section, 3 * repeated))
    return ids, points


def _read_display(document: Document, n: int) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Return an EXPLICIT instance's node numbers and drawing positions, in matrix order."""
    if find_header_value(document, "DISPLAY_DATA_TYPE") == "NO_DISPLAY":
        return None, None
    section = document.sections.get("DISPLAY_DATA_SECTION") or document.sections.get("NODE_COORD_SECTION")
    if section is None:
        return None, None
    ids, points = _read_nodes(section, n)
    by_id = np.argsort(ids)
    ids, points = ids[by_id], points[by_id]
    if int(ids[-1]) - int(ids[0]) != n - 1:
        sentence = f"{section.name} must number the nodes of the matrix without gaps."
        raise InvalidInstance("RANGE", sentence, section.line)
    return ids, points


def _check_count(section: Section, got: int, expected: int, what: str) -> None:
    if got != expected:
        sentence = f"{section.name} has {got:,} {what} and the header asks for {expected:,}."
        raise InvalidInstance("COUNT", sentence, section.line)
