"""Tables that processes fill together, by MPI. Imports mpi4py, which starts MPI."""

import numpy as np
from mpi4py import MPI
from numpy.typing import DTypeLike

from solvers.errors import InstanceTooLarge
from solvers.memory import SHARED
from solvers.mpi.huge_pages import room_for
from solvers.mpi.shared_memory import SharedMemory

#: Entries exchanged at a time: the buffers of an exchange are as large as its data.
PIECE = 1 << 22


class SharedTables:
    """See `solvers.mpi.communicator.Communicator.table`, and its `settle`, `blank` and `merge`.

    Parameters
    ----------
    comm : mpi4py.MPI.Comm
        The processes of the run.
    windows : SharedMemory
        Memory that the processes of this machine share.
    """

    def __init__(self, comm: MPI.Comm, windows: SharedMemory) -> None:
        self._comm, self._windows = comm, windows
        self._firsts: MPI.Comm = comm.Split(0 if windows.first else MPI.UNDEFINED)
        self._free, self._promised = 0, 0

    def table(self, count: int, dtype: DTypeLike) -> np.ndarray:
        """See `solvers.mpi.communicator.Communicator.table`."""
        size = count * np.dtype(dtype).itemsize
        self._demand(size)
        if self._windows.node is None:
            table = np.empty(count, dtype)
        else:
            table = self._windows.memory((count,), np.dtype(dtype))
            self._promised += room_for(size)
        return table

    def settle(self) -> None:
        """See `solvers.mpi.communicator.Communicator.settle`."""
        self._windows.settle()

    def blank(self, table: np.ndarray) -> None:
        """See `solvers.mpi.communicator.Communicator.blank`; each process of a machine blanks its share."""
        if self._windows.all:
            return
        node = self._windows.node
        count, rank = (1, 0) if node is None else (node.Get_size(), node.Get_rank())
        table[table.size * rank // count : table.size * (rank + 1) // count] = np.iinfo(table.dtype).max
        self.settle()

    def merge(self, table: np.ndarray) -> None:
        """See `solvers.mpi.communicator.Communicator.merge`; the first process of each machine exchanges
        with those of the others.
        """
        if self._windows.all:
            return
        self.settle()
        if self._windows.first:
            for at in range(0, table.size, PIECE):
                self._firsts.Allreduce(MPI.IN_PLACE, table[at : at + PIECE], MPI.MIN)
        self.settle()

    def _demand(self, size: int) -> None:
        """Refuse a table, in all processes, if a machine lacks memory for it beside the tables already promised."""
        room = self._windows.room()
        if not self._promised:
            self._free = room
        there = np.array([min(room, self._free - self._promised)], np.int64)
        self._comm.Allreduce(MPI.IN_PLACE, there, MPI.MIN)
        if room_for(size) > there[0]:
            raise InstanceTooLarge(
                f"Processes share a table of {size:,} bytes in {SHARED}, which has room for {max(0, int(there[0])):,}: "
                "give a container more by --shm-size, or take fewer cities."
            )
