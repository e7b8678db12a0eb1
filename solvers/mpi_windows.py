"""Memory that the processes of one machine share, in windows of MPI. Imports mpi4py, which starts MPI."""

from typing import Any

import numpy as np
from mpi4py import MPI

from solvers.memory import shared_bytes

#: More than any machine has, bytes.
_PLENTY = 1 << 62


def machine_of(comm: MPI.Comm) -> MPI.Comm:
    """Those of the processes that can share memory with this one."""
    return comm.Split_type(MPI.COMM_TYPE_SHARED)


class Windows:
    """What the processes of this machine share.

    Parameters
    ----------
    comm : mpi4py.MPI.Comm
        The processes of the run.
    used : bool
        Whether there are to be windows; if not, each process is to itself.

    Attributes
    ----------
    here : int
        Processes of this machine.
    node : mpi4py.MPI.Comm or None
        Those that this one shares windows with; None if it is to itself.
    first : bool
        Whether this is the first of them.
    all : bool
        Whether these are all processes of the run.
    """

    def __init__(self, comm: MPI.Comm, used: bool) -> None:
        node = machine_of(comm)
        self.here = node.Get_size()
        self.node: Any = node if used and self.here > 1 else None
        self.first = self.node is None or node.Get_rank() == 0
        self.all = (1 if self.node is None else self.here) == comm.Get_size()
        self._kept: list[MPI.Win] = []  # which would free their memory with them

    def room(self) -> int:
        """Bytes that a window can take, where this process is to make it; pages that nobody has touched are free."""
        if self.node is None or not self.first:
            return _PLENTY
        return shared_bytes() or _PLENTY

    def memory(self, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
        """An array that the processes of `node` share; its pages are where they are first touched."""
        count = int(np.prod(shape, dtype=np.int64))
        size = count * dtype.itemsize if self.first else 0
        window = MPI.Win.Allocate_shared(size, dtype.itemsize, comm=self.node)
        window.Lock_all(MPI.MODE_NOCHECK)  # for `settle`
        memory: Any = window.Shared_query(0)[0]
        array: np.ndarray = np.frombuffer(memory, dtype, count).reshape(shape)
        self._kept.append(window)
        return array

    def settle(self) -> None:
        """Have all that these processes wrote be seen by all of them."""
        if self.node is None:
            return
        for window in self._kept:
            window.Sync()
        self.node.Barrier()
        for window in self._kept:
            window.Sync()
