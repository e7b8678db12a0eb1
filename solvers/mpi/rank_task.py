"""The interface of an algorithm with a variant ``mpi``: one process's task in a run of several processes."""

from typing import Any, Protocol

import numpy as np

from solvers.worker.frames import Frame


class RankTask(Protocol):
    """One process's task in a run.

    All processes do the same slices. Process 0 does them on orders, or inside `solvers.solver.Solver.solve`; the others
    continue by themselves until they have `finished`, or process 0 ends the run.
    """

    @property
    def finished(self) -> bool:
        """Whether nothing is left to do; asked in processes other than 0."""
        ...

    def advance(self) -> None:
        """Do the next slice, or wait a little for others, in a process other than 0."""
        ...

    def answer(self, request: Frame) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """Carry out an order, in process 0, and return values, which JSON can encode, and arrays."""
        ...

    def close(self) -> None:
        """Free memory and threads, in every process; nothing but the end is exchanged with the others."""
        ...
