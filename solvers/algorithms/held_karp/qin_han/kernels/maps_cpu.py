"""Lists and maps of Qin and Han's Held-Karp on CPU cores (2022, section 2.3.2), and the layer computation.

Their *combinations* are, for each number of cities, the list of all sets, each a list of cities. Their *graph* is a map
with three keys: the target city, the number of cities between it and the root, and a string of these cities. Here each
pair of the first two keys has its own map, and the third key is a number with one bit per city. As in their program,
the third key is computed from the list of cities whenever it is needed. All keys are inserted before the first layer,
so that threads only overwrite lengths.

Cities other than the root are numbered from 0; the root is the last row of distances.
"""

from typing import NamedTuple

import numpy as np

from solvers.kernels.compiler import njit

#: The value of a slot without a key, and the multiplier that scatters keys (Knuth, The Art of Computer Programming 3,
#: section 6.4).
_FREE, _GOLDEN = np.uint32(0xFFFFFFFF), np.uint32(2654435769)
#: Marks a missing length: half of the maximum, so that it can be added to a distance.
_UNREACHED = np.int64(0x7FFFFFFF)
#: Greater than the length of every path.
_INFINITE = np.int64(1 << 62)


class Maps(NamedTuple):
    """The lengths of all states, found by three keys.

    Attributes
    ----------
    keys, values : ndarray, uint32
        The slots of all maps: sets, and the lengths of their shortest paths.
    starts : ndarray, shape (n - 1, n - 1), int64
        The first slot of the map for a city and a number of cities.
    logs : ndarray, shape (n - 1,), int64
        Base-2 logarithm of a map's number of slots, for each number of cities.
    distances : ndarray, shape (n, n), int64
        Distances of at most half of the maximum of 32 bits.
    """

    keys: np.ndarray
    values: np.ndarray
    starts: np.ndarray
    logs: np.ndarray
    distances: np.ndarray


@njit(cache=True, nogil=True)
def list_sets(sets: np.ndarray, cities: int, first: int, last: int) -> None:
    """List sets `first` to `last` - 1 of one size in lexicographic order; earlier sets must already be listed.

    Parameters
    ----------
    sets : ndarray, shape (count, size), uint8
    cities, first, last : int
    """
    size = sets.shape[1]
    for at in range(first, last):
        if at == 0:
            for k in range(size):
                sets[0, k] = k
            continue
        sets[at] = sets[at - 1]
        k = size - 1
        while sets[at, k] == cities - size + k:
            k -= 1
        sets[at, k] += 1
        for after in range(k + 1, size):
            sets[at, after] = sets[at, after - 1] + 1


@njit(cache=True, nogil=True)
def set_key(cities: np.ndarray) -> np.uint32:
    """Return the key of a list of cities: a number with one bit per city."""
    key = np.uint32(0)
    for city in cities:
        key |= np.uint32(1) << np.uint32(city)
    return key


@njit(cache=True, nogil=True)
def find_slot(maps: Maps, city: int, size: int, key: np.uint32) -> int:
    """Find the slot of a key, or a free slot for it."""
    start, log = maps.starts[city, size], maps.logs[size]
    mask = (1 << log) - 1
    slot = np.int64(np.uint32(key * _GOLDEN) >> np.uint32(32 - log))
    while maps.keys[start + slot] != key and maps.keys[start + slot] != _FREE:
        slot = (slot + 1) & mask
    return start + slot


@njit(cache=True, nogil=True)
def insert_keys(maps: Maps, sets: np.ndarray, first: int, last: int) -> None:
    """Insert sets `first` to `last` - 1 into the maps of all cities outside them."""
    for at in range(first, last):
        key = set_key(sets[at])
        for city in range(len(maps.starts)):
            if not key >> np.uint32(city) & np.uint32(1):
                maps.keys[find_slot(maps, city, sets.shape[1], key)] = key


@njit(cache=True, nogil=True)
def shortest_to(maps: Maps, cities: np.ndarray, key: np.uint32, target: int):
    """Return the shortest length through a set to `target`, and the city before `target`; ties go to the lowest.

    ``graph[target][k][cities] = min(graph[c][k - 1][cities without c] + dist[c][target])``
    """
    minimum, before = _INFINITE, np.int64(0)
    for city in cities:
        slot = find_slot(maps, city, len(cities) - 1, key ^ np.uint32(1) << np.uint32(city))
        length = np.int64(maps.values[slot]) + maps.distances[city, target]
        if length < minimum:
            minimum, before = length, np.int64(city)
    return min(minimum, _UNREACHED), before


@njit(cache=True, nogil=True)
def combine(maps: Maps, sets: np.ndarray, first: int, last: int, best: np.ndarray) -> None:
    """Compute the states of a layer's sets `first` to `last` - 1.

    Parameters
    ----------
    maps : Maps
    sets : ndarray, shape (count, size), uint8
    first, last : int
    best : ndarray, shape (3,), int64
        Length, target city and set of the shortest path; only what comes earlier in lexicographic order replaces it.
    """
    size, root = sets.shape[1], len(maps.starts)
    for at in range(first, last):
        key = set_key(sets[at])
        for target in range(root):
            if key >> np.uint32(target) & np.uint32(1):
                continue
            length = maps.distances[root, target] if size == 0 else shortest_to(maps, sets[at], key, target)[0]
            maps.values[find_slot(maps, target, size, key)] = length
            candidate = (length, np.int64(target), np.int64(key))
            if candidate < (best[0], best[1], best[2]):
                best[0], best[1], best[2] = candidate


@njit(cache=True, nogil=True)
def updates(maps: Maps, sets: np.ndarray, first: int, last: int, vectors: np.ndarray) -> None:
    """Write the keys and values of the sets' new states as four vectors (section 2.5.2), (4, k) uint32."""
    at = 0
    for which in range(first, last):
        key = set_key(sets[which])
        for city in range(len(maps.starts)):
            if not key >> np.uint32(city) & np.uint32(1):
                vectors[0, at], vectors[1, at], vectors[2, at] = city, sets.shape[1], key
                vectors[3, at] = maps.values[find_slot(maps, city, sets.shape[1], key)]
                at += 1


@njit(cache=True, nogil=True)
def update(maps: Maps, cities: np.ndarray, sizes: np.ndarray, keys: np.ndarray, values: np.ndarray) -> None:
    """Update the maps with the new states of all processes."""
    for at in range(len(values)):
        maps.values[find_slot(maps, cities[at], sizes[at], keys[at])] = values[at]


@njit(cache=True, nogil=True)
def trace(maps: Maps, target: int, key: np.uint32, path: np.ndarray):
    """Write the shortest path of a state into `path`, last city first and without the root; return its length.

    Parameters
    ----------
    maps : Maps
    target : int
        The path's last city. The root's index traces the whole tour, with the root as the first entry of `path`.
    key : uint32
        The cities visited before `target`, one bit per city.
    path : ndarray, shape (k,), int64
    """
    whole = np.int64(0)
    for at in range(len(path)):
        path[at] = target
        others = np.array([city for city in range(len(maps.starts)) if key >> np.uint32(city) & np.uint32(1)])
        if len(others) == 0:
            whole += maps.distances[len(maps.starts), target]
            break
        _, before = shortest_to(maps, others, key, target)
        whole += maps.distances[before, target]
        key ^= np.uint32(1) << np.uint32(before)
        target = before
    return whole
