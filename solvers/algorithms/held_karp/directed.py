"""Held-Karp's layers of a directed instance: paths from the first city and back to it. Imports Numba."""

from collections.abc import Generator

import numpy as np

from solvers.algorithms.held_karp.cpu import CpuLayers
from solvers.algorithms.held_karp.layers import LayerProgress
from solvers.algorithms.held_karp.plan import Plan
from solvers.mpi.communicator import Communicator


class DirectedLayers:
    """Held-Karp's layers of a directed instance; see `solvers.algorithms.held_karp.layers.LayerTable`.

    A tour consists of a path from the first city and a path back to it. If distances are symmetric, a path back is a
    path from the first city, read backwards. If they are directed, it is a path from the first city with the transposed
    distances. So each layer except the last is computed twice, once for each direction. The last layer, where the two
    paths meet, is computed for all of its sets.

    Parameters
    ----------
    plan : Plan
    distances : ndarray, shape (n, n), int32 or int64
        Distances from row to column, not negative.
    threads : int

    Raises
    ------
    InstanceTooLarge
        If the tables do not fit into memory.
    """

    def __init__(self, plan: Plan, distances: np.ndarray, threads: int) -> None:
        self._plan = plan
        self._backward = CpuLayers(plan, distances.T, threads)
        self._forward = CpuLayers(plan, distances, threads, backward=self._backward)
        self._work = self._compute_all()

    def advance(self) -> LayerProgress:
        """See `solvers.algorithms.held_karp.layers.LayerTable.advance`."""
        return next(self._work)

    def close(self) -> None:
        """See `solvers.algorithms.held_karp.layers.LayerTable.close`."""
        self._forward.close()
        self._backward.close()

    def _compute_all(self) -> Generator[LayerProgress, None, None]:
        last = self._plan.layers - 1
        for layer in range(last):
            for done in _advance_until(self._backward, layer):
                yield LayerProgress(done.layer, done.share / 2 if done.layer == layer else 1.0, None)
            for done in _advance_until(self._forward, layer):
                yield LayerProgress(layer, 0.5 + done.share / 2 if done.layer == layer else 0.5, done.best)
        yield from _advance_until(self._forward, last)


def build_cpu_layers(
    plan: Plan, distances: np.ndarray, threads: int, ranks: Communicator | None = None
) -> CpuLayers | DirectedLayers:
    """Build a plan's layers on the CPU; several processes are possible only with symmetric distances."""
    if not plan.directed:
        return CpuLayers(plan, distances, threads, ranks)
    assert ranks is None
    return DirectedLayers(plan, distances, threads)


def _advance_until(layers: CpuLayers, layer: int) -> Generator[LayerProgress, None, None]:
    """Advance until a layer is complete; yield the progress after each slice."""
    while True:
        done = layers.advance()
        yield done
        if done.layer == layer and done.best is not None:
            return
