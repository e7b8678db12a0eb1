"""The kernels precompiled for explaining ants on a GPU suffice: all walks have the same types."""

import numpy as np
from numba import typeof

from solvers.algorithms.ants import explained_cuda as explained
from solvers.algorithms.ants import retracing
from solvers.algorithms.ants.arrays_cuda import near_rows
from solvers.algorithms.ants.explanations import empty_choices
from solvers.algorithms.ants.kernels.retrace_cpu import CANDIDATES, WHOLE, Changes
from solvers.core.neighbours import neighbours

N = 6
MATRIX = np.abs(np.subtract.outer(np.arange(N), np.arange(N)))
NEAREST = neighbours(MATRIX, 3)
WALKS = [
    retracing.wheel(N, WHOLE, 32, q0=0.5),
    retracing.wheel(N, CANDIDATES, 1)._replace(near=NEAREST),
    explained.race(near_rows(NEAREST, N), listed=True, resumed=(3,)),
]


def test_all_walks_are_explained_by_loaded_kernels(monkeypatch):
    types = []
    monkeypatch.setattr(retracing, "retrace", lambda *arguments: types.append([*map(typeof, arguments)]))
    retracing.load()
    fitness, order = np.ones(N * N, np.float32), np.arange(N, dtype=np.int32)
    changes = Changes(order[None], np.zeros(0, np.int64), np.zeros(0, np.int32), np.zeros(0), 0.9)
    for walk in WALKS:
        weights = explained.edge_weights(fitness, None, N)
        choices = empty_choices(N, 0, 0, lucky=True)
        retracing.trace_walk(choices, walk, weights, order, np.uint64(1), 2, changes)
    assert types == [types[0]] * (1 + len(WALKS))
