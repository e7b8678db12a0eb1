"""Held-Karp in several processes: each process's task, and the client that starts them. Imports Numba."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import numpy as np

from solvers.algorithms.held_karp.layers import Ends, LayerPlan, LayerProgress, LayerTable, Path
from solvers.core.solver import Job
from solvers.mpi.remote_run import MpiRun
from solvers.worker.frames import Frame


class HeldKarpRankTask:
    """One process's share of every layer; see `solvers.mpi.rank_task.RankTask`. `MpiLayers` sends the requests.

    Parameters
    ----------
    plan : Plan or QinHanPlan
    make : callable
        Makes this process's layers.

    Raises
    ------
    InstanceTooLarge
        If memory is too small; raised in all processes.
    """

    def __init__(self, plan: LayerPlan, make: Callable[[], LayerTable]) -> None:
        self._layers, self._plan = make(), plan
        self.finished = False

    def advance(self) -> None:
        """See `solvers.mpi.rank_task.RankTask.advance`."""
        self.finished = self._layers.advance().is_last(self._plan)

    def answer(self, request: Frame) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """See `solvers.mpi.rank_task.RankTask.answer`."""
        assert request.kind == "advance"
        return asdict(self._layers.advance()), {}

    def close(self) -> None:
        """See `solvers.mpi.rank_task.RankTask.close`."""
        self._layers.close()


class IdleRankTask:
    """The task for so few cities that process 0 finds the tour alone; see `solvers.mpi.rank_task.RankTask`."""

    finished = True

    def advance(self) -> None:
        """See `solvers.mpi.rank_task.RankTask.advance`."""

    def answer(self, request: Frame) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """See `solvers.mpi.rank_task.RankTask.answer`."""
        return {}, {}

    def close(self) -> None:
        """See `solvers.mpi.rank_task.RankTask.close`."""


class MpiLayers:
    """Layers that other processes compute, which this one starts.

    See `solvers.algorithms.held_karp.layers.LayerTable`.

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
        """See `solvers.algorithms.held_karp.layers.LayerTable.advance`."""
        values = self._run.ask("advance").values
        best: Any = values["best"]
        if best:
            best = Path(best["length"], tuple(best["cities"])) if "cities" in best else Ends(**best)
        return LayerProgress(values["layer"], values["share"], best or None)

    def close(self) -> None:
        """See `solvers.algorithms.held_karp.layers.LayerTable.close`."""
        self._run.close()
