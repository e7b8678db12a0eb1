"""Held-Karp in several processes: what one of them does, and what leads them from outside. Imports Numba."""

from dataclasses import asdict
from typing import Any

import numpy as np

from solvers.held_karp.cpu import CpuLayers
from solvers.held_karp.layers import Ends, LayerProgress
from solvers.held_karp.plan import Plan
from solvers.mpi.communicator import Communicator
from solvers.mpi.connection import Message
from solvers.mpi.remote_run import MpiRun
from solvers.solver import Job


class HeldKarpRankTask:
    """See `solvers.mpi.rank_task.RankTask`: one process's share of every layer; `MpiLayers` gives the orders.

    Parameters
    ----------
    plan : Plan
    distances : ndarray, shape (n, n), int32
    ranks : Communicator

    Raises
    ------
    InstanceTooLarge
        If there is no room for what processes share.
    """

    def __init__(self, plan: Plan, distances: np.ndarray, ranks: Communicator) -> None:
        self._layers, self._plan = CpuLayers(plan, distances, 1, ranks), plan
        self.finished = False

    def advance(self) -> None:
        """See `solvers.mpi.rank_task.Part.advance`."""
        self.finished = self._layers.advance().is_last(self._plan)

    def answer(self, order: Message) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """See `solvers.mpi.rank_task.Part.answer`."""
        assert order.kind == "advance"
        return asdict(self._layers.advance()), {}

    def close(self) -> None:
        """See `solvers.mpi.rank_task.Part.close`."""
        self._layers.close()


class IdleRankTask:
    """See `solvers.mpi.rank_task.RankTask`: of so few cities that process 0 alone tells the tour, without any layer."""

    finished = True

    def advance(self) -> None:
        """See `solvers.mpi.rank_task.Part.advance`."""

    def answer(self, order: Message) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """See `solvers.mpi.rank_task.Part.answer`."""
        return {}, {}

    def close(self) -> None:
        """See `solvers.mpi.rank_task.Part.close`."""


class MpiLayers:
    """See `solvers.held_karp.layers.LayerTable`: the layers of processes that this one starts.

    Parameters
    ----------
    job : Job
    ranks : int
    windows : bool
        Whether the processes share memory.

    Raises
    ------
    DeviceUnavailable, InvalidParams, InstanceTooLarge, RunFailed
        See `solvers.mpi.remote_run.MpiRun`.
    """

    def __init__(self, job: Job, ranks: int, windows: bool = True) -> None:
        self._run = MpiRun("held-karp", job, ranks, windows)

    def advance(self) -> LayerProgress:
        """See `solvers.held_karp.layers.LayerTable.advance`."""
        told = self._run.ask("advance").values
        return LayerProgress(told["layer"], told["share"], Ends(**told["best"]) if told["best"] else None)

    def close(self) -> None:
        """See `solvers.held_karp.layers.LayerTable.close`."""
        self._run.close()
