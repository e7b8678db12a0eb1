"""The part of Ant Colony System that runs in one MPI process. Imports Numba."""

from dataclasses import asdict
from typing import Any

import numpy as np

from solvers.algorithms.ants.acs.cpu import AntColonySystemColony
from solvers.algorithms.ants.acs.params import AntColonySystemParams
from solvers.core.solver import Job
from solvers.mpi.communicator import Communicator
from solvers.worker.frames import Frame
from solvers.worker.kernel_loading import load_kernels


class AntColonySystemRankTask:
    """The ants of one process, which carries out the requests of `solvers.algorithms.ants.acs.mpi_colony`.

    See `solvers.mpi.rank_task.RankTask`.

    Parameters
    ----------
    job : Job
    ranks : Communicator

    Raises
    ------
    InstanceTooLarge, RunFailed
        See `solvers.algorithms.ants.acs.cpu.AntColonySystemColony`.
    """

    def __init__(self, job: Job[AntColonySystemParams], ranks: Communicator) -> None:
        self._iterations = job.params.iterations
        self._colony = AntColonySystemColony(job, 1, ranks)
        load_kernels(self._colony.make_loaders())

    @property
    def finished(self) -> bool:
        """See `solvers.mpi.rank_task.RankTask.finished`."""
        return self._colony.finished >= self._iterations

    def advance(self) -> None:
        """See `solvers.mpi.rank_task.RankTask.advance`."""
        self._colony.advance(self._iterations)

    def answer(self, request: Frame) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """See `solvers.mpi.rank_task.RankTask.answer`."""
        if request.kind == "advance":
            results = self._colony.advance(request.values["until"])
            columns = {} if results is None else asdict(results)
            columns.pop("explanations", None)  # explanations are not supported with several processes
            return {}, columns
        if request.kind == "trails":
            sparse = self._colony.trails()
            return {"default": sparse.default}, {"ends": sparse.ends, "trail": sparse.trail}
        assert request.kind == "unfinished"
        return {}, {"order": self._colony.find_unfinished()}

    def close(self) -> None:
        """See `solvers.mpi.rank_task.RankTask.close`."""
        self._colony.close()
