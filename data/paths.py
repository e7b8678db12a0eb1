"""Converts problems with paths and fixed edges to directed instances whose tours are their solutions.

A tour returns from the path's last city to its first with length 0, so it is as long as its path. With only a start,
every edge to the start has length 0; with only an end, every edge from the end. With both, only the edge from the end
to the start has length 0; the others to the start or from the end are longer than every edge of a path, or missing, so
that no shortest tour uses them: moving the end behind all other cities replaces two such edges by two edges of a path.
A path that is open at both ends starts at an added city, at distance 0 from and to all others. A path of many cities
with coordinates has no matrix: `data.distances` computes these distances.

A fixed edge with a direction makes all others from its first city and to its second missing. A fixed edge that is
allowed in both directions gets an added city in its middle, joined only to its two ends, without changing the length.

Thus any algorithm for directed distances solves these problems, and every length, bound and proof holds for the problem
itself. `open_order` removes the added cities from a tour, and `complete_order` inserts them.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from data.distances import close_path, distance_matrix
from data.errors import InvalidInstance
from data.instance import Instance
from data.limits import MAX_EXPLICIT, MAX_MATRIX, MAX_NAME, MAX_WEIGHT
from data.missing import set_missing_lengths
from data.suggest import describe_unknown
from data.tsplib.normal_form import format_numbers, reduce_to_line

#: Stands for a start or end of a path that may be any city.
ANY = "any"


def find_city(instance: Instance, city: str | int) -> int:
    """Return the index of a city, from 0.

    Parameters
    ----------
    instance : Instance
    city : str or int
        A text is a name or the city's number in the file, counted from 1 if the file has none; an int is the index
        itself.

    Raises
    ------
    InvalidInstance
        ``UNKNOWN``, ``RANGE`` or ``AMBIGUOUS``.
    """
    if isinstance(city, int):
        if not 0 <= city < instance.city_count:
            sentence = f"City {city} is none of the {instance.city_count:,}, which are counted from 0."
            raise InvalidInstance("RANGE", sentence)
        return city
    named = [index for index, name in enumerate(instance.names) if name == city]
    if len(named) > 1:
        raise InvalidInstance("AMBIGUOUS", f"{len(named)} cities are called {city:.80}: use the number of one.")
    if not named and city.isdecimal():
        ids = np.arange(1, instance.n + 1) if instance.node_ids is None else instance.node_ids
        named = np.flatnonzero(ids[: instance.city_count] == int(city[:18])).tolist()
    if not named:
        raise InvalidInstance("UNKNOWN", describe_unknown("city", city, [name for name in instance.names if name]))
    return named[0]


def with_path(instance: Instance, start: str | int | None, end: str | int | None) -> Instance:
    """Change the problem to a shortest path through all cities; return the instance unchanged without ends.

    Parameters
    ----------
    instance : Instance
        An instance of round trips.
    start, end : str or int, optional
        First and last city, as in `find_city`; arbitrary if `ANY` or not given.

    Raises
    ------
    InvalidInstance
        As `find_city`; ``LIMIT``, ``RANGE`` or ``UNSUPPORTED``.
    """
    if start is None and end is None:
        return instance
    if instance.is_path:
        raise InvalidInstance("UNSUPPORTED", f"{instance.name} is a path already: choose its round trips.")
    first, last = (None if city is None or _is_any(city) else find_city(instance, city) for city in (start, end))
    if first is not None and first == last:
        raise InvalidInstance("UNSUPPORTED", "The path starts and ends in one city: leave one out, or both.")
    if instance.fixed:
        _check_fixed_between(instance, first, last)
    ends_label = " → ".join("…" if city is None else _find_label(instance, city) for city in (first, last))
    name = reduce_to_line(f"{instance.name} ({ends_label})", MAX_NAME)
    if not instance.fixed and not instance.missing:
        return _add_ends(replace(instance, name=name), first, last)
    _check_size(instance, first is last is None)
    weights, missing = distance_matrix(instance), _find_missing_edges(instance)
    left, entered = np.array(_list_directed(instance.fixed), np.int64).reshape(-1, 2).T
    middles = np.arange(instance.city_count, instance.n)
    if first is None and last is None:
        instance, first = _with_cities(instance, [0]), instance.n
        weights, missing = np.pad(weights, (0, 1)), np.pad(missing, (0, 1))
        missing[first, [*middles, *entered]] = True
    closing = np.zeros_like(missing)
    if first is not None:
        closing[:, first] = True
    if last is not None:
        closing[last] = True
    np.fill_diagonal(closing, False)
    missing &= ~closing
    weights[closing] = 0
    if first is not None and last is not None:
        closing[last, first] = False
        missing |= closing
    # No path begins or ends in the middle of a fixed edge.
    if first is not None:
        missing[[*middles, *left], first] = True
    if last is not None:
        missing[last, [*middles, *entered]] = True
    for middle, (a, b) in zip(middles, _list_undirected(instance.fixed), strict=True):
        if first in (a, b):
            missing[a + b - first, middle] = True
    return _with_missing(replace(instance, name=name, start=first, end=last), weights, missing)


def has_directions(instance: Instance) -> bool:
    """Return whether any edge of the original problem has a different length in the other direction.

    Every path is directed, since no edge leads to its start or away from its end; so are fixed edges with added cities.
    Thus only the edges between the other cities count.
    """
    if not instance.is_path and not instance.fixed:
        return instance.directed
    if instance.weights is None or instance.kind != "EXPLICIT":
        return False
    others = np.setdiff1d(
        np.arange(instance.city_count), [end for end in (instance.start, instance.end) if end is not None]
    )
    inner = instance.weights[np.ix_(others, others)]
    return not np.array_equal(inner, inner.T)


def _add_ends(instance: Instance, start: int | None, end: int | None) -> Instance:
    """Return the path for an instance without fixed or missing edges."""
    has_matrix = instance.weights is not None
    _check_size(instance, start is end is None, MAX_EXPLICIT if has_matrix else MAX_MATRIX)
    weights = instance.weights
    if start is end is None:
        instance, start = _with_cities(instance, [0]), instance.n
        weights = None if weights is None else np.pad(weights, (0, 1))
    path = replace(instance, start=start, end=end, weights=None, directed=True)
    if weights is not None:
        weights, cities = weights.copy(), np.arange(path.n)
        if start is not None and end is not None:
            weights[:, start], weights[end] = 0, 0  # so that a path has the same distances after writing and reading
        penalty = int(weights.max(initial=0)) - int(weights.min(initial=0)) + 1
        if penalty > MAX_WEIGHT:
            raise InvalidInstance("RANGE", "Paths with a start and an end need shorter distances: scale them down.")
        close_path(path, weights, cities[:, None], cities, penalty)
    elif path.n <= MAX_EXPLICIT:
        weights = distance_matrix(path)
    return _replace_weights(path, weights)


def parse_edges(text: str) -> list[tuple[str, str]]:
    """Parse edges such as ``Rome, Milan; 3, 4`` into names or numbers of cities.

    Raises
    ------
    InvalidInstance
        ``COLUMNS``.
    """
    edges = [[city.strip() for city in edge.split(",")] for edge in text.split(";") if edge.strip()]
    if any(len(edge) != 2 or not all(edge) for edge in edges):
        raise InvalidInstance("COLUMNS", "Give fixed edges as pairs of cities: Rome, Milan; 3, 4.")
    return [(a, b) for a, b in edges]


def with_fixed_edges(instance: Instance, edges: Iterable[tuple[int, int]]) -> Instance:
    """Change the problem to a shortest round trip that contains the given edges.

    Parameters
    ----------
    instance : Instance
        An instance of round trips.
    edges : iterable of (int, int)
        Indices of cities from 0. In a directed instance, an edge has a direction; list both directions if either is
        allowed.

    Raises
    ------
    InvalidInstance
        ``LIMIT``, ``RANGE``, or ``UNSUPPORTED`` if no round trip can contain the edges.
    """
    fixed = {(int(a), int(b)) for a, b in edges}
    if not instance.directed:
        fixed |= {(b, a) for a, b in fixed}
    if not fixed:
        return instance
    if instance.is_path or instance.fixed:
        raise InvalidInstance("UNSUPPORTED", f"{instance.name} has a start, an end or fixed edges already.")
    if any(a == b for a, b in fixed):
        raise InvalidInstance("UNSUPPORTED", "A fixed edge joins two cities, not one with itself.")
    both, one = _list_undirected(fixed), _list_directed(fixed)
    _check_fixed(instance.n, both, one)
    _check_size(instance, len(both))
    extended = _with_cities(instance, [a for a, _ in both])
    weights = np.pad(distance_matrix(instance), (0, len(both)))
    missing = np.pad(_find_missing_edges(instance), (0, len(both)), constant_values=True)
    for middle, (a, b) in enumerate(both, instance.n):
        weights[a, middle], weights[b, middle] = weights[a, b], weights[b, a]
        missing[a, middle], missing[b, middle] = missing[a, b], missing[b, a]
        missing[middle, [a, b]] = False
    for a, b in one:
        there = missing[a, b]
        missing[a], missing[:, b] = True, True
        missing[a, b] = there
    return _with_missing(replace(extended, fixed=tuple(sorted(fixed))), weights, missing)


def complete_order(instance: Instance, order: np.ndarray) -> np.ndarray:
    """Insert the added cities into a tour of the file's cities: in their fixed edges, or at the end.

    Parameters
    ----------
    instance : Instance
    order : ndarray, shape (city_count,), int

    Returns
    -------
    ndarray, shape (n,), int32
    """
    middles = {ends: middle for middle, ends in enumerate(_list_undirected(instance.fixed), instance.city_count)}
    tour: list[int] = []
    for city, following in zip(order.tolist(), np.roll(order, -1).tolist(), strict=True):
        tour.append(city)
        if (middle := middles.pop((min(city, following), max(city, following)), None)) is not None:
            tour.append(middle)
    tour += middles.values()
    if len(tour) < instance.n:
        tour.append(instance.n - 1)
    return np.array(tour, np.int32)


def open_order(instance: Instance, order: np.ndarray) -> np.ndarray:
    """Return a tour's cities in path order, from start to end; round trips keep their order.

    If the tour does not go from the end to the start, the end is moved after all others, which shortens it. Added
    cities are left out.

    Parameters
    ----------
    instance : Instance
    order : ndarray, shape (n,), int32

    Returns
    -------
    ndarray, shape (city_count,), int32
    """
    order = order_with_added(instance, order)
    return order[order < instance.city_count] if instance.added else order


def order_with_added(instance: Instance, order: np.ndarray) -> np.ndarray:
    """Return the order of `open_order` with the added cities."""
    if instance.start is not None:
        order = np.roll(order, -int(np.flatnonzero(order == instance.start)[0]))
        if instance.end is not None and order[-1] != instance.end:
            order = np.append(order[order != instance.end], order.dtype.type(instance.end))
    elif instance.end is not None:
        order = np.roll(order, -1 - int(np.flatnonzero(order == instance.end)[0]))
    return order


def _is_any(city: str | int) -> bool:
    return isinstance(city, str) and city.lower() == ANY


def _list_undirected(fixed: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return undirected fixed edges, smaller city first, in the order of the added cities in their middles."""
    among = set(fixed)
    return sorted((a, b) for a, b in among if a < b and (b, a) in among)


def _list_directed(fixed: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return directed fixed edges."""
    among = set(fixed)
    return sorted((a, b) for a, b in among if (b, a) not in among)


def _check_fixed(n: int, undirected: list[tuple[int, int]], directed: list[tuple[int, int]]) -> None:
    """Raise an error if no round trip contains these undirected and directed edges."""
    most = Counter(city for edge in (*undirected, *directed) for city in edge).most_common(1)[0]
    left, entered = (Counter(edge[at] for edge in directed).most_common(1) for at in (0, 1))
    if most[1] > 2 or any(counts and counts[0][1] > 1 for counts in (left, entered)):
        raise InvalidInstance("UNSUPPORTED", "The fixed edges meet in a city: a round trip has one in and one out.")
    root = list(range(n))

    def find(city: int) -> int:
        while root[city] != city:
            city = root[city]
        return city

    for count, (a, b) in enumerate((*undirected, *directed), 1):
        if find(a) == find(b) and count < n:
            raise InvalidInstance("UNSUPPORTED", "The fixed edges close a round trip of some cities: leave one out.")
        root[find(a)] = find(b)


def _check_fixed_between(instance: Instance, first: int | None, last: int | None) -> None:
    """Raise an error if no path contains the fixed edges, by closing the path, through another city if it is open."""
    n, undirected, directed = instance.city_count, _list_undirected(instance.fixed), _list_directed(instance.fixed)
    if not (first is last is None):
        directed.append((n if last is None else last, n if first is None else first))
    try:
        _check_fixed(n + (None in (first, last)), undirected, directed)
    except InvalidInstance:
        sentence = "No path with this start and end has all fixed edges: leave one out."
        raise InvalidInstance("UNSUPPORTED", sentence) from None


def _check_size(instance: Instance, more: int, most: int = MAX_EXPLICIT) -> None:
    if (count := instance.n + more) > most:
        path = f"{count:,} cities are too many: a path takes at most {most:,}."
        matrix = f"{count:,} cities are too many: a matrix with a path, or fixed edges, take at most {most:,}."
        raise InvalidInstance("LIMIT", path if most > MAX_EXPLICIT else matrix)


def _find_missing_edges(instance: Instance) -> np.ndarray:
    """Return the missing edges, (n, n) bool."""
    if not instance.missing or instance.weights is None:
        return np.zeros((instance.n, instance.n), bool)
    return instance.weights == instance.missing_weight


def _with_cities(instance: Instance, originals: list[int]) -> Instance:
    """Return an instance with more cities at the positions of existing ones, without their weights."""
    ids, names = instance.node_ids, instance.names
    at = np.r_[np.arange(instance.n), originals].astype(np.int64)
    return replace(
        instance,
        n=at.size,
        added=instance.added + len(originals),
        display=instance.display[at],
        coordinates=None if instance.coordinates is None else instance.coordinates[at],
        node_ids=None if ids is None else np.r_[ids, ids.max() + 1 + np.arange(len(originals))],
        names=(*names, *[""] * len(originals)) if names else (),
    )


def _with_missing(instance: Instance, weights: np.ndarray, missing: np.ndarray) -> Instance:
    """Return a directed instance with these distances; edges from a city to itself are never missing."""
    np.fill_diagonal(missing, False)
    missing_weight = _lengthen(weights, missing) if missing.any() else 0
    counted = replace(instance, directed=True, missing=int(missing.sum()), missing_weight=missing_weight)
    return _replace_weights(counted, weights)


def _replace_weights(instance: Instance, weights: np.ndarray | None) -> Instance:
    """Return an instance with these distances and no optimum."""
    renewed = replace(instance, weights=weights, optimum=None, proven=False, optimal_tour=None)
    return replace(renewed, sha256=hashlib.sha256(format_numbers(renewed).encode()).hexdigest())


def _find_label(instance: Instance, city: int) -> str:
    """Return a city's name, or else its number in the file."""
    ids = instance.node_ids
    return (instance.names and instance.names[city]) or str(city + 1 if ids is None else ids[city])


def _lengthen(weights: np.ndarray, missing: np.ndarray) -> int:
    try:
        return set_missing_lengths(weights, missing)
    except InvalidInstance:
        sentence = "Fixed and missing edges need distances of at least 0 that are not as long: scale them down."
        raise InvalidInstance("RANGE", sentence) from None
