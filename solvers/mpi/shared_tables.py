"""Tables that several processes fill together, by MPI. Imports mpi4py, which starts MPI."""

import numpy as np
from mpi4py import MPI
from numpy.typing import DTypeLike

from solvers.core.errors import InstanceTooLarge
from solvers.core.memory import SHARED
from solvers.mpi.huge_pages import padded_size
from solvers.mpi.shared_memory import SharedMemory

#: Number of entries exchanged at a time; an exchange needs buffers as large as its data.
PIECE = 1 << 22


class SharedTables:
    """Implements `table`, `synchronise`, `blank` and `merge` of `solvers.mpi.communicator.Communicator`.

    Parameters
    ----------
    comm : mpi4py.MPI.Comm
        The processes of the run.
    windows : SharedMemory
        The memory that the processes on this machine share.
    """

    def __init__(self, comm: MPI.Comm, windows: SharedMemory) -> None:
        self._comm, self._windows = comm, windows
        self._first_processes: MPI.Comm = comm.Split(0 if windows.first else MPI.UNDEFINED)
        self._free, self._reserved = 0, 0

    def table(self, count: int, dtype: DTypeLike) -> np.ndarray:
        """See `solvers.mpi.communicator.Communicator.table`."""
        size = count * np.dtype(dtype).itemsize
        self._check_memory(size)
        if self._windows.node is None:
            table = np.empty(count, dtype)
        else:
            table = self._windows.memory((count,), np.dtype(dtype))
            self._reserved += padded_size(size)
        return table

    def synchronise(self) -> None:
        """See `solvers.mpi.communicator.Communicator.synchronise`."""
        self._windows.synchronise()

    def blank(self, table: np.ndarray) -> None:
        """See `solvers.mpi.communicator.Communicator.blank`; each process on a machine blanks its share."""
        if self._windows.all:
            return
        node = self._windows.node
        count, rank = (1, 0) if node is None else (node.Get_size(), node.Get_rank())
        table[table.size * rank // count : table.size * (rank + 1) // count] = np.iinfo(table.dtype).max
        self.synchronise()

    def merge(self, table: np.ndarray) -> None:
        """See `solvers.mpi.communicator.Communicator.merge`; the first processes of all machines exchange data."""
        if self._windows.all:
            return
        self.synchronise()
        if self._windows.first:
            for at in range(0, table.size, PIECE):
                self._first_processes.Allreduce(MPI.IN_PLACE, table[at : at + PIECE], MPI.MIN)
        self.synchronise()

    def _check_memory(self, size: int) -> None:
        """Raise an error in all processes if any machine lacks memory for another table."""
        free_bytes = self._windows.free_bytes()
        if not self._reserved:
            self._free = free_bytes
        available = np.array([min(free_bytes, self._free - self._reserved)], np.int64)
        self._comm.Allreduce(MPI.IN_PLACE, available, MPI.MIN)
        if padded_size(size) > available[0]:
            raise InstanceTooLarge(
                f"Processes share a table of {size:,} bytes in {SHARED}, which has room for "
                f"{max(0, int(available[0])):,}: give a container more by --shm-size, or use fewer cities."
            )
