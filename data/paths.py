"""Paths instead of round trips: from a city, to a city, or both, as directed instances whose tours are the paths.

A tour returns from the path's last city to its first at length 0, so a tour is as long as its path. With only a start,
every edge to the start has length 0; with only an end, every edge from the end. With both, only the edge from the end
to the start has length 0; the others to the start or from the end are missing, so that no shortest tour uses them. Thus
any algorithm for directed distances finds paths, and every length, bound and proof is that of a path.
"""

import hashlib
from dataclasses import replace

import numpy as np

from data.distances import distance_matrix
from data.errors import InvalidInstance
from data.instance import Instance
from data.limits import MAX_EXPLICIT, MAX_NAME
from data.missing import lengthen
from data.suggest import unknown
from data.tsplib.normal_form import numbers_text, one_line


def find_city(instance: Instance, city: str | int) -> int:
    """Find the index of a city, from 0.

    Parameters
    ----------
    instance : Instance
    city : str or int
        A name, or the number in the file, else a number from 1; an int is the index itself.

    Raises
    ------
    InvalidInstance
        ``UNKNOWN``, ``RANGE`` or ``AMBIGUOUS``.
    """
    if isinstance(city, int):
        if not 0 <= city < instance.n:
            raise InvalidInstance("RANGE", f"City {city} is none of the {instance.n:,}, which are counted from 0.")
        return city
    named = [index for index, name in enumerate(instance.names) if name == city]
    if len(named) > 1:
        raise InvalidInstance("AMBIGUOUS", f"{len(named)} cities are called {city:.80}: take the number of one.")
    if not named and city.isdecimal():
        ids = np.arange(1, instance.n + 1) if instance.node_ids is None else instance.node_ids
        named = np.flatnonzero(ids == int(city[:18])).tolist()
    if not named:
        raise InvalidInstance("UNKNOWN", unknown("city", city, [name for name in instance.names if name]))
    return named[0]


def with_path(instance: Instance, start: str | int | None, end: str | int | None) -> Instance:
    """Convert an instance to the shortest path through all cities; unchanged if neither end is given.

    Parameters
    ----------
    instance : Instance
        Instance of round trips.
    start, end : str or int, optional
        First and last city, as in `find_city`; arbitrary if not given.

    Raises
    ------
    InvalidInstance
        As `find_city`; ``LIMIT``, ``RANGE`` or ``UNSUPPORTED``.
    """
    if start is None and end is None:
        return instance
    if instance.is_path:
        raise InvalidInstance("UNSUPPORTED", f"{instance.name} is a path already: choose its round trips.")
    first, last = (None if city is None else find_city(instance, city) for city in (start, end))
    if first == last:
        raise InvalidInstance("UNSUPPORTED", "The path starts and ends in one city: leave one out, or both.")
    if instance.n > MAX_EXPLICIT:
        raise InvalidInstance("LIMIT", f"{instance.n:,} cities are too many: a path has at most {MAX_EXPLICIT:,}.")
    weights, closing = distance_matrix(instance), np.zeros((instance.n, instance.n), bool)
    if first is not None:
        closing[:, first] = True
    if last is not None:
        closing[last] = True
    np.fill_diagonal(closing, False)
    missing, missing_weight = np.zeros_like(closing), instance.missing_weight
    if missing_weight:
        missing = (weights == missing_weight) & ~closing
    weights[closing] = 0
    if first is not None and last is not None:
        closing[last, first] = False
        missing |= closing
        missing_weight = _lengthen(weights, missing) if missing.any() else 0
    way = " → ".join("…" if city is None else _label(instance, city) for city in (first, last))
    name = one_line(f"{instance.name} ({way})", MAX_NAME)
    path = replace(
        instance, name=name, weights=weights, directed=True, start=first, end=last, missing=int(missing.sum()),
        missing_weight=missing_weight if missing.any() else 0, optimum=None, proven=False, optimal_tour=None,
    )  # fmt: skip
    return replace(path, sha256=hashlib.sha256(numbers_text(path).encode()).hexdigest())


def open_order(instance: Instance, order: np.ndarray) -> np.ndarray:
    """Cities of a tour in the order of its path, from the start to the end; the tour itself for round trips.

    If the tour does not go from the end to the start, the end is moved behind all others, which makes it shorter.

    Parameters
    ----------
    instance : Instance
    order : ndarray, shape (n,), int32
    """
    if instance.start is not None:
        order = np.roll(order, -int(np.flatnonzero(order == instance.start)[0]))
        if instance.end is not None and order[-1] != instance.end:
            order = np.append(order[order != instance.end], order.dtype.type(instance.end))
    elif instance.end is not None:
        order = np.roll(order, -1 - int(np.flatnonzero(order == instance.end)[0]))
    return order


def _label(instance: Instance, city: int) -> str:
    """Name of a city, or else its number in the file."""
    ids = instance.node_ids
    return (instance.names and instance.names[city]) or str(city + 1 if ids is None else ids[city])


def _lengthen(weights: np.ndarray, missing: np.ndarray) -> int:
    try:
        return lengthen(weights, missing)
    except InvalidInstance:
        sentence = "A path with a start and an end needs distances of at least 0 that are not as long: scale them down."
        raise InvalidInstance("RANGE", sentence) from None
