"""Reading and writing of TSPLIB 95 files (Reinelt, 1995): instances and tours.

`read` is strict: it gives the file's numbers as they are, notes in `Instance.warnings` what it let pass, and raises
one typed `InvalidInstance` for the rest. `read_checked` has the tsplib95 package read the same file, and refuses it
where the two differ.
"""

import numpy as np

from data import crosscheck, numerals
from data.distances import check_tour
from data.errors import InvalidInstance
from data.head import head, value_of
from data.instance import Instance
from data.layouts import unpack, wanted
from data.limits import MAX_BYTES
from data.normal_form import assemble, write
from data.text import decode
from data.tokens import Document, Section, tokenize

__all__ = ["read", "read_checked", "read_tour", "write", "write_tour"]


def read(raw: bytes, source: str, limit: int = MAX_BYTES) -> Instance:
    """Read an instance, plain or as a single gzip stream.

    Parameters
    ----------
    raw : bytes
        The file.
    source : str
        See `Instance.source`.
    limit : int
        Most bytes, also after inflating.

    Raises
    ------
    InvalidInstance
        With the code of the fault and, where there is one, the line.
    """
    return _read(tokenize(*decode(raw, limit)), source)


def read_checked(raw: bytes) -> Instance:
    """Read an uploaded instance and have the tsplib95 package read it too.

    Raises
    ------
    InvalidInstance
        As `read` does, and ``DISAGREE`` where the two readers differ in n, coordinates or weights.
    """
    document = tokenize(*decode(raw))
    instance = _read(document, "uploaded")
    crosscheck.compare(document, instance, value_of(document, "EDGE_WEIGHT_FORMAT"))
    return instance


def read_tour(raw: bytes, instance: Instance, warnings: list[str] | None = None) -> np.ndarray:
    """Read a TSPLIB tour of an instance.

    Parameters
    ----------
    raw : bytes
        The file, plain or as a single gzip stream.
    instance : Instance
        Whose node numbers the tour uses.
    warnings : list of str, optional
        Takes what was let pass.

    Returns
    -------
    ndarray, shape (n,), int32
        Indices of cities from 0.

    Raises
    ------
    InvalidInstance
        ``NOT_A_TOUR`` or what the tokenizer and the numbers raise.
    """
    document = tokenize(*decode(raw))
    if value_of(document, "TYPE") not in ("", "TOUR"):
        raise InvalidInstance("UNSUPPORTED", "The TYPE of a tour file is TOUR.", document.entries["TYPE"].line)
    section = document.sections.get("TOUR_SECTION")
    if section is None:
        raise InvalidInstance("MISSING", "The file has no TOUR_SECTION.")
    ids = numerals.integers(section, 2**63 - 1)
    ends = np.flatnonzero(ids == -1)
    if ends.size == 0:
        document.warnings.append("The tour ends without -1.")
    else:
        if (ids[ends[0] :] != -1).any():
            raise InvalidInstance("NOT_A_TOUR", "The file holds more than one tour: keep one.", section.line)
        ids = ids[: ends[0]]
    order = _indices(instance, ids)
    check_tour(instance.n, order)
    if warnings is not None:
        warnings.extend(document.warnings)
    return order


def write_tour(instance: Instance, order: np.ndarray, length: int) -> str:
    """A tour as a TSPLIB file, in the instance's own node numbers.

    Parameters
    ----------
    instance : Instance
    order : ndarray, shape (n,), int
        Indices of cities from 0.
    length : int
        For the file's comment.

    Raises
    ------
    InvalidInstance
        ``NOT_A_TOUR``.
    """
    check_tour(instance.n, order)
    ids = np.asarray(order) + 1 if instance.node_ids is None else instance.node_ids[order]
    head_lines = [f"NAME: {instance.name}.tour", f"COMMENT: Length {length}", "TYPE: TOUR", f"DIMENSION: {instance.n}"]
    return "\n".join([*head_lines, "TOUR_SECTION", *map(str, ids.tolist()), "-1", "EOF", ""])


def _read(document: Document, source: str) -> Instance:
    found = head(document)
    _check_sections(document, found.kind)
    points = weights = drawn = None
    ids: np.ndarray | None
    if found.kind != "EXPLICIT":
        ids, points = _nodes(document.sections["NODE_COORD_SECTION"], found.n)
        if "DISPLAY_DATA_SECTION" in document.sections:
            document.warnings.append("DISPLAY_DATA_SECTION was ignored: the cities are drawn where they lie.")
    else:
        section = document.sections["EDGE_WEIGHT_SECTION"]
        values = numerals.integers(section)
        _check_count(section, values.size, wanted(found.layout, found.n), "numbers")
        weights = unpack(found.layout, found.n, values)
        ids, drawn = _drawn(document, found.n)
    return assemble(
        found.name,
        found.kind,
        source,
        coordinates=points,
        weights=weights,
        drawn=drawn,
        node_ids=ids,
        comment=found.comment,
        warnings=tuple(document.warnings),
    )


def _check_sections(document: Document, kind: str) -> None:
    explicit = kind == "EXPLICIT"
    needed = "EDGE_WEIGHT_SECTION" if explicit else "NODE_COORD_SECTION"
    allowed = (needed, "DISPLAY_DATA_SECTION", *(("NODE_COORD_SECTION",) if explicit else ()))
    for section in document.sections.values():
        if section.name not in allowed:
            sentence = f"{section.name[:40]} is not supported with {kind}: send a plain TSP without it."
            raise InvalidInstance("UNSUPPORTED", sentence, section.line)
    if needed not in document.sections:
        raise InvalidInstance("MISSING", f"The file has no {needed}, which {kind} needs.")


def _nodes(section: Section, n: int) -> tuple[np.ndarray, np.ndarray]:
    ids, points = numerals.node_rows(section)
    _check_count(section, len(ids), n, "nodes")
    # A tour ends with -1, so no node can have that number.
    if ids.min() < 0:
        raise InvalidInstance("RANGE", "A node has a negative number: number them from 0 or 1.", section.line)
    if len(np.unique(ids)) < n:
        raise _duplicate(section, ids)
    return ids, points


def _duplicate(section: Section, ids: np.ndarray) -> InvalidInstance:
    first: dict[int, int] = {}
    numbers = iter(ids.tolist())
    for line, text in enumerate(section.text.split("\n"), section.line + 1):
        if text.strip():
            node = next(numbers)
            if node in first:
                sentence = f"Node {node} stands in line {first[node]} already: give each node once."
                return InvalidInstance("DUPLICATE", sentence, line)
            first[node] = line
    raise AssertionError("only called where a number stands twice")


def _drawn(document: Document, n: int) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Node numbers and drawing positions of an EXPLICIT instance, in the matrix's order."""
    if value_of(document, "DISPLAY_DATA_TYPE") == "NO_DISPLAY":
        return None, None
    section = document.sections.get("DISPLAY_DATA_SECTION") or document.sections.get("NODE_COORD_SECTION")
    if section is None:
        return None, None
    ids, points = _nodes(section, n)
    by_id = np.argsort(ids)
    ids, points = ids[by_id], points[by_id]
    if int(ids[-1]) - int(ids[0]) != n - 1:
        sentence = f"{section.name} must number the nodes of the matrix without gaps."
        raise InvalidInstance("RANGE", sentence, section.line)
    return ids, points


def _check_count(section: Section, got: int, want: int, what: str) -> None:
    if got != want:
        sentence = f"{section.name} has {got:,} {what} and the header asks for {want:,}."
        raise InvalidInstance("COUNT", sentence, section.line)


def _indices(instance: Instance, ids: np.ndarray) -> np.ndarray:
    known = np.arange(1, instance.n + 1) if instance.node_ids is None else instance.node_ids
    by_id = np.argsort(known)
    place = np.minimum(np.searchsorted(known, ids, sorter=by_id), instance.n - 1)
    order = by_id[place]
    if (known[order] != ids).any():
        raise InvalidInstance("NOT_A_TOUR", "The tour names a node that the instance lacks.")
    return order.astype(np.int32)
