"""How ants choose, and the record of an ant's choices, on CPU and GPU.

Imports Numba: for use inside `solve()`.
"""

import numpy as np

from solvers.algorithms.ants.explanations import allocate_choices
from solvers.algorithms.ants.kernels.draw_cpu import GROUPS, LANES
from solvers.algorithms.ants.kernels.edge_counts_cpu import count_edge_uses
from solvers.algorithms.ants.kernels.retrace_cpu import (
    BEHIND,
    CANDIDATES,
    COMPRESSED,
    NEAREST_FIRST,
    PRODUCTS,
    RACING,
    TRIALS,
    TRIALS_FIRST,
    WHOLE,
    Changes,
    Trace,
    Walk,
    Weights,
    retrace,
)
from solvers.core.events import Choices

#: The kind of walk of each selection.
KINDS = {
    "without-compression": WHOLE, "with-compression": COMPRESSED, "stochastic-trial": TRIALS, "hybrid": TRIALS_FIRST,
    "i-roulette": PRODUCTS, "worker": BEHIND, "lists": CANDIDATES, "nearest-first": NEAREST_FIRST,
}  # fmt: skip
#: No changes; for ants that may exploit or change weights.
UNCHANGED = Changes(np.zeros((0, 0), np.int32), np.zeros(0, np.int64), np.zeros(0, np.int32), np.zeros(0), 1.0)


def make_wheel_walk(n: int, kind: int, width: int, trials: int = 1, switch: float = 0.0, q0: float = -1.0) -> Walk:
    """Return how ants walk that consider all cities; `width` threads add up the weights."""
    return Walk(kind, width, trials, switch, q0, False, np.zeros((n, 0), np.int32), np.zeros(0, np.int32))


def make_core_walk(
    selection: str, near: np.ndarray, trials: int = 1, switch: float = 0.0, q0: float = -1.0, listed: bool = False
) -> Walk:
    """Return how ants on the CPU walk with a selection rule of `KINDS`; `near` contains the candidates, (n, k)."""
    return Walk(KINDS[selection], LANES, trials, switch, q0, listed, near, np.zeros(0, np.int32), GROUPS)


def make_core_weights(fitness: np.ndarray, near: np.ndarray, values: np.ndarray, others: np.ndarray) -> Weights:
    """Return the weights of all edges, given the arrays of a colony on the CPU.

    Parameters
    ----------
    fitness : ndarray, shape (n * stride,), float32
    near : ndarray, shape (n, k), int32
        The candidates, whose weights are stored separately.
    values : ndarray, shape (n * k,), float32
        The weights of the candidates; 0 where a city's list is padded with the city itself.
    others : ndarray, shape (n,), float32
        For each city, the total weight of the cities that are not its candidates.
    """
    n = len(near)
    edges, apart = fitness.reshape(n, -1)[:, :n].copy(), values.reshape(near.shape)
    current, slot = np.nonzero(apart)
    edges[current, near[current, slot]] = apart[current, slot]
    return Weights(edges, others, np.zeros(n, np.float32))


def list_raised_keys(ends: np.ndarray, n: int, directed: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Return the `keys` and `records` of `Changes` for the raised edges `ends`, (r, 2), of n cities."""
    a, b = ends.astype(np.int64).T
    keys = a * n + b if directed else np.concatenate((a * n + b, b * n + a))
    order = np.argsort(keys)
    return keys[order], (order % max(1, len(ends))).astype(np.int32)


def trace_walk(
    choices: Choices, walk: Walk, weights: Weights, order: np.ndarray, seed: np.uint64, stream: int,
    changes: Changes | None = UNCHANGED,
) -> Choices:  # fmt: skip
    """Record in `choices` how an ant built a tour, and return them; see `retrace`."""
    trace = Trace(**{name: getattr(choices, name) for name in Trace._fields})
    races, lists = walk.kind == RACING or None, walk.kind in (CANDIDATES, NEAREST_FIRST) or None
    retrace(walk, races, lists, weights, changes, trace, np.ascontiguousarray(order), seed, np.uint64(stream))
    choices.order[:] = order
    return choices


def load(walk: Walk, changes: Changes | None = UNCHANGED) -> None:
    """Compile or load the kernel that retraces walks, by retracing a walk of one city; needs no GPU."""
    one, city = np.ones((1, 1), np.float32), np.zeros(1, np.int32)
    choices, weights = allocate_choices(1, 0, 0), Weights(one, one[0], one[0])
    trace_walk(choices, walk._replace(near=walk.near[:1]), weights, city, np.uint64(0), 0, changes)
    count_edge_uses(np.zeros(0, np.int32), np.zeros((0, 0), np.int32), np.zeros(0, np.int64), False)


def load_all() -> None:
    """Compile or load the kernels that retrace walks on a GPU."""
    for kind in (WHOLE, CANDIDATES, RACING):
        load(make_wheel_walk(1, kind, 1))
