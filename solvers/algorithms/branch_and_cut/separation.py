"""Finds cuts that a relaxation's solution violates. Imports Numba: for use inside `solve()`."""

from collections.abc import Iterator, Sequence

import numpy as np

from solvers.algorithms.branch_and_cut.cuts import Cut, make_comb_cut, make_subtour_cut
from solvers.algorithms.branch_and_cut.kernels.graph_cpu import components, pair_cuts, phase_cuts

#: Minimum violation of an accepted cut.
VIOLATION = 0.02
#: Tolerance around 0 and 1.
TINY = 1e-6
#: Limits of edge values; the components of the edges with values between a limit and its complement to 1 are tried as
#: handles.
_RANGES = (0.001, 0.05, 0.1, 0.2, 0.3, 0.4)
#: Maximum number of combs per round.
_MAX_COMBS = 60


def find_violated(n: int, ends: np.ndarray, x: np.ndarray, tight: Sequence[np.ndarray]) -> list[Cut]:
    """Return subtour cuts that x violates, or comb cuts if there are none.

    Parameters
    ----------
    n : int
    ends : ndarray, shape (m, 2), int32
        The edges with nonzero values.
    x : ndarray, shape (m,), float64
    tight : sequence of ndarray, shape (n,), bool
        Sets that exactly two edges leave; in the search for combs, they are contracted to nodes.
    """
    cuts = _choose_cuts(_find_subtours(n, ends, x), ends, x, 2 * n)
    return cuts or _choose_cuts(_find_combs(n, ends, x, tight), ends, x, _MAX_COMBS)


def _choose_cuts(cuts: Iterator[Cut | None], ends: np.ndarray, x: np.ndarray, maximum: int) -> list[Cut]:
    """Return the most violated cuts without duplicates."""
    best_cuts: dict[bytes, tuple[float, Cut]] = {}
    for cut in cuts:
        if cut is not None and cut.key not in best_cuts:
            violation = cut.minimum - float(cut.row(ends) @ x)
            if violation > VIOLATION:
                best_cuts[cut.key] = (violation, cut)
    return [cut for _, cut in sorted(best_cuts.values(), key=lambda each: -each[0])[:maximum]]


def find_subtours(n: int, ends: np.ndarray, x: np.ndarray) -> list[Cut]:
    """Return subtour cuts that x violates, at least one if any exists; degrees may exceed two."""
    return [cut for cut in _find_subtours(n, ends, x, np.inf, TINY) if cut is not None]


def _find_subtours(
    n: int, ends: np.ndarray, x: np.ndarray, contracted: float = 1 - TINY, violation: float = VIOLATION
) -> Iterator[Cut | None]:
    label = components(n, ends, x > TINY)
    count = int(label.max()) + 1
    if count > 1:
        for part in range(count):
            yield make_subtour_cut(label == part)
        return
    # If the values of each city's edges sum to two, no violated set is lost when the ends of an edge of value 1 are
    # contracted (Padberg and Rinaldi, 1990).
    label = components(n, ends, x > contracted)
    for nodes in phase_cuts(_sum_weights(label, ends, x), 2 - violation):
        yield make_subtour_cut(nodes[label])


def _sum_weights(label: np.ndarray, ends: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Return the total value of the edges between each two nodes, which are sets of cities."""
    m = int(label.max()) + 1
    weight = np.zeros((m, m))
    a, b = label[ends[:, 0]], label[ends[:, 1]]
    np.add.at(weight, (a, b), x)
    weight += weight.T
    np.fill_diagonal(weight, 0)
    return weight


def _find_combs(n: int, ends: np.ndarray, x: np.ndarray, tight: Sequence[np.ndarray]) -> Iterator[Cut | None]:
    """Find combs: blossoms of the graph, and of graphs with contracted tight sets."""
    single = np.arange(n, dtype=np.int32)
    yield from _find_blossoms(single, ends, x, exact=True)
    for contracted in _find_contractions(n, ends, x, tight):
        yield from _find_blossoms(contracted, ends, x, exact=False)


def _find_contractions(n: int, ends: np.ndarray, x: np.ndarray, tight: Sequence[np.ndarray]) -> Iterator[np.ndarray]:
    """Yield graphs with contracted tight sets, each as the cities' nodes."""
    paths = components(n, ends, x > 1 - TINY)
    yield paths
    for keep in (0, 1):  # contract every other edge of a path, so that the remaining edges can be teeth
        yield components(n, ends, (x > 1 - TINY) & (ends.min(axis=1) % 2 == keep))
    by_size = sorted(tight, key=lambda inside: int(inside.sum()))
    for order in (by_size, by_size[::-1]):
        parent, in_teeth = np.arange(n), np.zeros(n, bool)
        for inside in order:
            if not (in_teeth & inside).any():
                in_teeth |= inside
                parent[inside] = np.flatnonzero(inside)[0]
        yield np.unique(parent, return_inverse=True)[1].astype(np.int32)


def _find_blossoms(label: np.ndarray, ends: np.ndarray, x: np.ndarray, exact: bool) -> Iterator[Cut | None]:
    """Find violated blossoms of a graph whose nodes are sets of cities.

    M. W. Padberg and S. Hong, "On the Symmetric Travelling Salesman Problem: A Computational Study" (1980): components
    of fractional edges are handles. M. W. Padberg and M. R. Rao, "Odd Minimum Cut-Sets and b-Matchings" (1982), after
    A. N. Letchford, G. Reinelt and D. O. Theis (2008): minimum cuts with edge weights min(x, 1 - x) are handles too.
    """
    weight = _sum_weights(label, ends, x)
    m = len(weight)
    pairs = np.argwhere(np.triu(weight) > TINY).astype(np.int32, order="C")
    value = weight[pairs[:, 0], pairs[:, 1]]
    handles: dict[bytes, np.ndarray] = {}
    for low in _RANGES:
        among = (value > low) & (value < 1 - low)
        parts = components(m, pairs, among)
        sizes = np.bincount(parts)
        for part in np.flatnonzero(sizes > 2):
            handle = parts == part
            handles[handle.tobytes()] = handle
    if exact:
        fractional = (value > TINY) & (value < 1 - TINY)
        for handle in pair_cuts(m, pairs[fractional], np.minimum(value, 1 - value)[fractional]):
            handles[handle.tobytes()] = handle
    for handle in handles.values():
        yield _build_blossom(label, handle, pairs, value)


def _build_blossom(label: np.ndarray, handle: np.ndarray, pairs: np.ndarray, value: np.ndarray) -> Cut | None:
    """Return the most violated blossom of a handle, as a cut; None if none is violated."""
    crossing = np.flatnonzero(handle[pairs[:, 0]] != handle[pairs[:, 1]])
    if not crossing.size:
        return None
    values = value[crossing]
    tooth = values > 0.5
    if tooth.sum() % 2 == 0:
        tooth[np.argmin(np.abs(2 * values - 1))] ^= True
    if values[~tooth].sum() + (1 - values[tooth]).sum() > 1 - VIOLATION:
        return None
    handle, teeth = _make_disjoint(handle.copy(), [pairs[at] for at in crossing[tooth]])
    if len(teeth) == 1:
        return make_subtour_cut(handle[label])
    return make_comb_cut(handle[label], [np.isin(label, ends) for ends in teeth])


def _make_disjoint(handle: np.ndarray, teeth: list[np.ndarray]) -> tuple[np.ndarray, list[np.ndarray]]:
    """Make teeth disjoint: move each shared node to the other side and drop both teeth; violation does not drop."""
    while True:
        nodes, counts = np.unique(np.array(teeth).ravel(), return_counts=True)
        if not (counts > 1).any():
            return handle, teeth
        shared = nodes[counts > 1][0]
        handle[shared] ^= True
        both = [k for k, ends in enumerate(teeth) if shared in ends][:2]
        teeth = [ends for k, ends in enumerate(teeth) if k not in both]
        if not teeth:
            return handle, []
