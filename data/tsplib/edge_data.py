"""Reads a graph's edges and required edges (EDGE_DATA_SECTION, FIXED_EDGES_SECTION of TSPLIB 95)."""

import numpy as np

from data.errors import InvalidInstance
from data.instance import Instance
from data.tsplib import numerals
from data.tsplib.tokens import Section

#: Formats of the section: pairs of nodes, or each node with its neighbours.
FORMATS = ("EDGE_LIST", "ADJ_LIST")


def read_edges(section: Section, layout: str, n: int) -> np.ndarray:
    """Read a file's list of edges.

    Parameters
    ----------
    section : Section
    layout : str
        One of `FORMATS`.
    n : int
        Number of cities, numbered from 1.

    Returns
    -------
    ndarray, shape (n, n), bool
        Symmetric, with a diagonal of False.

    Raises
    ------
    InvalidInstance
        ``COUNT`` for a truncated list, ``RANGE`` for an unknown node or a loop, or the errors of numbers.
    """
    values = numerals.parse_integers(section)
    if values.size == 0 or values[-1] != -1:
        raise InvalidInstance("COUNT", "EDGE_DATA_SECTION must end with -1.", section.line)
    ends = _read_list(values, section) if layout == "EDGE_LIST" else _read_adjacency(values, section)
    _check_ends(ends, n, section)
    present = np.zeros((n, n), bool)
    present[ends[0] - 1, ends[1] - 1] = True
    return present | present.T


def read_fixed_edges(section: Section, instance: Instance) -> list[tuple[int, int]]:
    """Read the edges required in a tour, as cities counted from 0.

    Raises
    ------
    InvalidInstance
        As `read_edges`, and ``RANGE`` for a missing edge.
    """
    values = numerals.parse_integers(section)
    if values.size == 0 or values[-1] != -1:
        raise InvalidInstance("COUNT", "The fixed edges must end with -1.", section.line)
    ends = _read_list(values, section)
    if instance.node_ids is not None:
        index = {number: city for city, number in enumerate(instance.node_ids.tolist(), 1)}
        ends = np.array([[index.get(number, 0) for number in side] for side in ends.tolist()], np.int64)
    _check_ends(ends, instance.n, section)
    edges = list(zip(*(ends - 1).tolist(), strict=True))
    for a, b in edges if instance.missing else ():
        assert instance.weights is not None
        if min(instance.weights[a, b], instance.weights[b, a]) == instance.missing_weight:
            raise InvalidInstance("RANGE", f"The graph lacks the fixed edge {a + 1}-{b + 1}.", section.line)
    return edges


def _check_ends(ends: np.ndarray, n: int, section: Section) -> None:
    outside = (ends < 1) | (ends > n)
    if outside.any():
        node = ends[outside][0]
        raise InvalidInstance("RANGE", f"An edge has the node {node}, and nodes are numbered 1 to {n:,}.", section.line)
    loops = ends[0] == ends[1]
    if loops.any():
        raise InvalidInstance("RANGE", f"An edge joins node {ends[0][loops][0]} with itself.", section.line)


def _read_list(values: np.ndarray, section: Section) -> np.ndarray:
    """Return an EDGE_LIST's nodes, (2, m)."""
    values = values[:-1]
    if values.size % 2:
        raise InvalidInstance("COUNT", f"{section.name} lists pairs of nodes, and one is cut off.", section.line)
    return values.reshape(-1, 2).T


def _read_adjacency(values: np.ndarray, section: Section) -> np.ndarray:
    """Return an ADJ_LIST's nodes, (2, m), from groups of a node and its neighbours, each ended by -1."""
    stops = values == -1
    if values.size < 2 or not stops[-2]:
        raise InvalidInstance("COUNT", "EDGE_DATA_SECTION must end its last list and itself with -1.", section.line)
    group = np.cumsum(stops[:-1]) - stops[:-1]
    begins = np.flatnonzero(np.r_[True, stops[:-2]])
    if stops[begins].any():
        raise InvalidInstance("COUNT", "EDGE_DATA_SECTION has a list without a node.", section.line)
    beside = ~stops[:-1]
    beside[begins] = False
    return np.stack((values[begins][group[beside]], values[:-1][beside]))
