"""The kernels compiled in advance for explaining ants on a GPU suffice: all walks have their types."""

import numpy as np
from numba import typeof

from solvers.ants import explained_cuda as explained
from solvers.ants.arrays_cuda import near_rows
from solvers.ants.explanations import empty_choices
from solvers.ants.kernels.retrace_tour_cpu import CANDIDATES, WHOLE, Changes
from solvers.neighbours import neighbours

N = 6
MATRIX = np.abs(np.subtract.outer(np.arange(N), np.arange(N)))
NEAREST = neighbours(MATRIX, 3)
WALKS = [
    explained.wheel(N, WHOLE, 32, q0=0.5),
    explained.wheel(N, CANDIDATES, 1)._replace(near=NEAREST),
    explained.race(near_rows(NEAREST, N), listed=True, resumed=(3,)),
]


def test_all_walks_are_explained_by_what_was_loaded(monkeypatch):
    types = []
    monkeypatch.setattr(explained, "retrace", lambda *arguments: types.append([*map(typeof, arguments)]))
    explained.load()
    fitness, order = np.ones(N * N, np.float32), np.arange(N, dtype=np.int32)
    changes = Changes(order[None], np.zeros(0, np.int64), np.zeros(0, np.int32), np.zeros(0), 0.9)
    for walk in WALKS:
        weights = explained.edge_weights(fitness, None, N)
        explained._retrace(empty_choices(N, 0, 0, lucky=True), walk, weights, order, changes, np.uint64(1), 2)
    assert types == [types[0]] * (1 + len(WALKS))
