"""The interface of an algorithm with a variant ``mpi``: one process's task in a run of several processes."""

from typing import Any, Protocol

import numpy as np

from solvers.worker.frames import Frame


class RankTask(Protocol):
    """One process's task in a run.

    All processes do the same slices. Process 0 does them on request, or inside `solvers.solver.Solver.solve`; the
    others continue by themselves until they have `finished`, or process 0 ends the run.
    """

    @property
    def finished(self) -> bool:
        """Whether nothing is left to do; read in processes other than 0."""
        ...

    def advance(self) -> None:
        """Do the next slice, or wait briefly for others, in a process other than 0."""
        ...

    def answer(self, request: Frame) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """Execute a request in process 0, and return values, which JSON can encode, and arrays."""
        ...

    def close(self) -> None:
        """Free memory and threads, in every process; only the end is communicated to the others."""
        ...
