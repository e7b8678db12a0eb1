"""Tours as TSPLIB 95 files (Reinelt, 1995), in their instance's node numbers."""

from dataclasses import replace

import numpy as np

from data.distances import check_tour
from data.errors import InvalidInstance
from data.instance import Instance
from data.paths import complete_order, open_order
from data.tsplib import numerals
from data.tsplib.exchange import simplify_name
from data.tsplib.header import find_header_value
from data.tsplib.text import decode
from data.tsplib.tokens import Document, Section, tokenize


def read_tour(raw: bytes, instance: Instance, warnings: list[str] | None = None) -> np.ndarray:
    """Read a TSPLIB tour of an instance.

    Parameters
    ----------
    raw : bytes
        The file, plain or as a single gzip stream.
    instance : Instance
        Instance whose node numbers the tour uses; if the tour contains a 0 that is not a node number, it counts from 0.
    warnings : list of str, optional
        Warnings are appended to it.

    Returns
    -------
    ndarray, shape (n,), int32
        Indices of cities from 0.

    Raises
    ------
    InvalidInstance
        ``NOT_A_TOUR``, ``UNSUPPORTED``, ``MISSING``, or the errors of the tokenizer and of numbers.
    """
    document = tokenize(*decode(raw))
    n = instance.city_count
    _check_header(document, n)
    section = document.sections.get("TOUR_SECTION")
    if section is None:
        raise InvalidInstance("MISSING", "The file has no TOUR_SECTION.")
    ids = numerals.parse_integers(section, 2**63 - 1)
    ends = np.flatnonzero(ids == -1)
    if ends.size == 0:
        document.warnings.append("The tour ends without -1.")
    else:
        if (ids[ends[0] :] != -1).any():
            raise InvalidInstance("NOT_A_TOUR", "The file holds more than one tour: keep one.", section.line)
        ids = ids[: ends[0]]
    if 0 in ids and (instance.node_ids is None or 0 not in instance.node_ids):
        instance = replace(instance, node_ids=np.arange(instance.n))
        document.warnings.append("The cities of the list were counted from 0.")
    if ids.size == n + 1 > 2 and ids[0] == ids[-1]:
        ids = ids[:-1]
        document.warnings.append("The tour returns to its first city, which was read once.")
    order = _find_indices(instance, ids, section)
    check_tour(n, order)
    order = complete_order(instance, order)
    if warnings is not None:
        warnings.extend(document.warnings)
    return order


def format_tour(instance: Instance, order: np.ndarray, length: int) -> str:
    """Format a tour as a TSPLIB file, in its instance's node numbers.

    Parameters
    ----------
    instance : Instance
    order : ndarray, shape (n,), int
        Indices of cities from 0.
    length : int
        Length for the file's comment.

    Raises
    ------
    InvalidInstance
        ``NOT_A_TOUR``.
    """
    check_tour(instance.n, order)
    order = open_order(instance, np.asarray(order))
    ids = np.asarray(order) + 1 if instance.node_ids is None else instance.node_ids[order]
    head_lines = [
        f"NAME: {simplify_name(instance.name)}.tour",
        f"COMMENT: Length {length}",
        "TYPE: TOUR",
        f"DIMENSION: {instance.city_count}",
    ]
    return "\n".join([*head_lines, "TOUR_SECTION", *map(str, ids.tolist()), "-1", "EOF", ""])


def _check_header(document: Document, n: int) -> None:
    if find_header_value(document, "TYPE") not in ("", "TOUR"):
        raise InvalidInstance("UNSUPPORTED", "The TYPE of a tour file is TOUR.", document.entries["TYPE"].line)
    if entry := document.entries.get("DIMENSION"):
        dimension = numerals.parse_integer(entry.value, entry.line, "DIMENSION")
        if dimension != n:
            sentence = (
                f"The file's tour has {dimension:,} cities and the instance has {n:,}: choose the tour's instance."
            )
            raise InvalidInstance("NOT_A_TOUR", sentence, entry.line)
    for section in document.sections.values():
        if section.name != "TOUR_SECTION":
            sentence = f"{section.name[:40]} is not part of a tour: remove it."
            raise InvalidInstance("UNSUPPORTED", sentence, section.line)


def _find_indices(instance: Instance, ids: np.ndarray, section: Section) -> np.ndarray:
    node_ids = np.arange(1, instance.n + 1) if instance.node_ids is None else instance.node_ids
    by_id = np.argsort(node_ids)
    order = by_id[np.minimum(np.searchsorted(node_ids, ids, sorter=by_id), instance.n - 1)]
    unknown = node_ids[order] != ids
    if unknown.any():
        first = int(unknown.argmax())
        sentence = f"The tour names node {ids[first]}, which the instance lacks."
        raise InvalidInstance("NOT_A_TOUR", sentence, *numerals.locate_word(section, first))
    if (repeated := numerals.find_repeated(order)) is not None:
        sentence = f"The tour visits node {ids[repeated]} twice."
        raise InvalidInstance("NOT_A_TOUR", sentence, *numerals.locate_word(section, repeated))
    return order.astype(np.int32)
