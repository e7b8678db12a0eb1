"""A colony divided among MPI processes that this process starts and controls."""

from typing import Any

import numpy as np

from solvers.algorithms.ants.acs.params import NAME, AntColonySystemParams
from solvers.algorithms.ants.colony import Iterations
from solvers.algorithms.ants.explanations import Explained
from solvers.algorithms.ants.sparse_trails import SparseTrails
from solvers.core.solver import Job
from solvers.mpi.remote_run import MpiRun


class MpiColony:
    """The ants of several processes, each running an `AntColonySystemRankTask`.

    See `solvers.algorithms.ants.colony.AntColony`.

    Parameters
    ----------
    job : Job
    ranks : int
    windows : bool
        Whether the processes share memory.

    Attributes
    ----------
    ants : int
    run : MpiRun

    Raises
    ------
    DeviceUnavailable, InvalidParams, InstanceTooLarge, RunFailed
        See `solvers.mpi.remote_run.MpiRun` and `solvers.algorithms.ants.acs.cpu.AntColonySystemColony`.
    """

    def __init__(self, job: Job[AntColonySystemParams], ranks: int, windows: bool = True) -> None:
        self.ants, self._n = job.params.colony_size(job.instance.n), job.instance.n
        self.run = MpiRun(NAME, job, ranks, windows)

    def advance(self, until: int) -> Iterations | None:
        """See `solvers.algorithms.ants.colony.AntColony.advance`."""
        columns: dict[str, Any] = self.run.ask("advance", {"until": until}).arrays
        return Iterations(**columns) if columns else None

    def explain(self, which: Explained) -> None:
        """See `solvers.algorithms.ants.colony.AntColony.explain`; MPI processes send no explanations."""

    def trails(self) -> SparseTrails:
        """See `solvers.algorithms.ants.colony.AntColony.trails`."""
        answer = self.run.ask("trails")
        return SparseTrails(self._n, answer.values["default"], answer.arrays["ends"], answer.arrays["trail"])

    def find_unfinished(self) -> np.ndarray:
        """See `solvers.algorithms.ants.colony.AntColony.find_unfinished`."""
        return self.run.ask("unfinished").arrays["order"]

    def close(self) -> None:
        """See `solvers.algorithms.ants.colony.AntColony.close`."""
        self.run.close()
