"""The kernels precompiled for explaining ants on a GPU suffice: all walks have the same types."""

import numpy as np
import pytest
from numba import typeof

from solvers.algorithms.ants import explained_cuda as explained
from solvers.algorithms.ants import retracing
from solvers.algorithms.ants.arrays_cuda import pad_near
from solvers.algorithms.ants.explanations import allocate_choices
from solvers.algorithms.ants.kernels.retrace_cpu import CANDIDATES, WHOLE, Changes
from solvers.core.neighbours import neighbours

N = 6
MATRIX = np.abs(np.subtract.outer(np.arange(N), np.arange(N)))
NEAREST = neighbours(MATRIX, 3)
WALKS = [
    retracing.make_wheel_walk(N, WHOLE, 32, q0=0.5),
    retracing.make_wheel_walk(N, CANDIDATES, 1)._replace(near=NEAREST),
    explained.make_race_walk(pad_near(NEAREST, N), listed=True, resumed=(3,)),
]


def test_all_walks_are_explained_by_loaded_kernels(monkeypatch):
    types = []
    monkeypatch.setattr(retracing, "retrace", lambda *arguments: types.append([*map(typeof, arguments)]))
    retracing.load_all()
    loaded, types[:] = [*types], []
    fitness, order = np.ones(N * N, np.float32), np.arange(N, dtype=np.int32)
    changes = Changes(order[None], np.zeros(0, np.int64), np.zeros(0, np.int32), np.zeros(0), 0.9)
    for walk in WALKS:
        weights = explained.list_edge_weights(fitness, None, N)
        choices = allocate_choices(N, 0, 0, lucky=True)
        retracing.trace_walk(choices, walk, weights, order, np.uint64(1), 2, changes)
    assert len(types) == len(WALKS)
    assert all(each in loaded for each in types)


@pytest.mark.parametrize(("selection", "lists"), [("nearest-first", True), ("lists", True), ("hybrid", None)])
def test_on_cores_nothing_is_compiled_for_other_kinds_of_walks(selection, lists, monkeypatch):
    calls = []
    monkeypatch.setattr(retracing, "retrace", lambda *arguments: calls.append(arguments))
    retracing.load(retracing.make_core_walk(selection, NEAREST), changes=None)
    (_, races, are_lists, _, changes, *_), *others = calls
    assert (races, are_lists, changes, others) == (None, lists, None, [])
