"""Writes instances and tours for other programs, in the subset of TSPLIB 95 that all of them read.

`docs/dialects.md` lists what they read. tsplib95 mistakes keywords in a name for header lines, and numbers the
cities of a matrix from 1 only if the file also has coordinates. vrplib and PyVRP read only planar coordinates, and full
matrices with a line per row. elkai's LKH needs nodes numbered from 1, no DISPLAY_DATA_SECTION and, for a directed
matrix, the coordinates before the matrix.
"""

import re

import numpy as np

from data.distances import check_tour, distance_matrix
from data.errors import InvalidInstance
from data.instance import Instance
from data.limits import MAX_EXPLICIT
from data.paths import open_order
from data.tsplib.normal_form import format_decimal

#: Kinds of distances that all programs compute.
_OF_ALL = ("EUC_2D", "CEIL_2D")
_KEYWORD = re.compile("EOF|SECTION|NAME|TYPE|COMMENT|DIMENSION|CAPACITY|FORMAT|EDGES")


def format_exchange(instance: Instance) -> str:
    """Format an instance for other programs, with nodes numbered from 1.

    Distances that not all programs compute are written as a matrix. Entries that no program needs, such as the comment,
    are left out.

    Raises
    ------
    InvalidInstance
        ``LIMIT`` for a matrix of more than 5,000 cities.
    """
    plane = instance.weights is None and instance.kind in _OF_ALL
    if not plane and instance.n > MAX_EXPLICIT:
        sentence = f"{instance.kind} distances are written as a matrix, which has at most {MAX_EXPLICIT:,} cities."
        raise InvalidInstance("LIMIT", sentence)
    lines = [
        f"NAME: {simplify_name(instance.name)}",
        f"TYPE: {'ATSP' if instance.directed else 'TSP'}",
        f"DIMENSION: {instance.n}",
        f"EDGE_WEIGHT_TYPE: {instance.kind if plane else 'EXPLICIT'}",
    ]
    if not plane:
        lines += ["EDGE_WEIGHT_FORMAT: FULL_MATRIX", "NODE_COORD_TYPE: TWOD_COORDS"]
    points = instance.coordinates if plane else instance.display
    assert points is not None
    lines.append("NODE_COORD_SECTION")
    lines += [f"{city} {format_decimal(x)} {format_decimal(y)}" for city, (x, y) in enumerate(points.tolist(), 1)]
    if not plane:
        lines += ["EDGE_WEIGHT_SECTION", *(" ".join(map(str, row)) for row in distance_matrix(instance).tolist())]
    return "\n".join([*lines, "EOF", ""])


def format_route(instance: Instance, order: np.ndarray, length: int) -> str:
    """Format a tour as VRPLIB's solution, for PyVRP: a route from the first city, the unnamed depot.

    Parameters
    ----------
    instance : Instance
    order : ndarray, shape (n,), int
        Indices of cities from 0.
    length : int

    Raises
    ------
    InvalidInstance
        ``NOT_A_TOUR``.
    """
    check_tour(instance.n, order)
    order = open_order(instance, order)
    from_depot = np.roll(order, -int(np.flatnonzero(np.asarray(order) == 0)[0]))
    return f"Route #1: {' '.join(map(str, from_depot[1:].tolist()))}\nCost {length}\n"


def simplify_name(name: str) -> str:
    """Replace characters and keywords in a name that break other programs' readers."""
    plain = re.sub(r"[^A-Za-z0-9_.-]+", "-", name)
    return plain.lower() if _KEYWORD.search(plain) else plain
