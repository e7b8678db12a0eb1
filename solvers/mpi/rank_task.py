"""The interface of algorithms that have a variant ``mpi``: one process's task in a run."""

from typing import Any, Protocol

import numpy as np

from solvers.worker.frames import Frame


class RankTask(Protocol):
    """One process's task in a run.

    All processes execute the same slices: process 0 does so on request, or inside `solvers.core.solver.Solver.solve`;
    the others do so by themselves, until they have `finished` or process 0 ends the run.
    """

    @property
    def finished(self) -> bool:
        """Whether the task is complete; read in processes other than 0."""
        ...

    def advance(self) -> None:
        """In processes other than 0, execute the next slice, or wait briefly for other processes."""
        ...

    def answer(self, request: Frame) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """In process 0, carry out a request, and return JSON values and arrays."""
        ...

    def close(self) -> None:
        """Free this process's memory and threads; tell other processes no more than that this one has ended."""
        ...
