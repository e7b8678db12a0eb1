"""Memory that the processes of one machine share, in windows of MPI. Imports mpi4py, which starts MPI."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from mpi4py import MPI

from solvers.memory import shared_bytes
from solvers.mpi import huge_pages

#: More than any machine has, bytes.
_PLENTY = 1 << 62
#: Large pages that are had without a pause: where a host has to find them first, a virtual machine takes 40 ms.
_AT_A_TIME = 8


def machine_of(comm: MPI.Comm) -> MPI.Comm:
    """Those of the processes that can share memory with this one."""
    return comm.Split_type(MPI.COMM_TYPE_SHARED)


class SharedMemory:
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
        size = huge_pages.room_for(count * dtype.itemsize)
        window = MPI.Win.Allocate_shared(size if self.first else 0, 1, comm=self.node)
        window.Lock_all(MPI.MODE_NOCHECK)  # for `settle`
        memory: Any = window.Shared_query(0)[0]
        if size >= huge_pages.LEAST:
            memory = self._in_large_pages(memory)
        array: np.ndarray = np.frombuffer(memory, dtype, count).reshape(shape)
        self._kept.append(window)
        return array

    def _in_large_pages(self, memory: Any) -> Any:
        """The part of a window that can be in large pages, the same in all processes, where they fit if possible."""
        first = np.array([huge_pages.first_at(memory.address)], np.int64)
        self.node.Bcast(first)
        size = memory.nbytes - huge_pages.HUGE
        part = memory[int(first[0]) : int(first[0]) + size]
        again = huge_pages.mapped_again(part.address, size)
        return part if again is None else MPI.buffer.fromaddress(again, size)

    def touch(self, part: np.ndarray) -> Iterator[None]:
        """Have large pages under a part of such an array; each process does its share, and yields now and then."""
        if self.node is None or part.nbytes == 0:
            return
        pages, count, rank = huge_pages.begins_in(part), self.here, self.node.Get_rank()
        own = pages[len(pages) * rank // count : len(pages) * (rank + 1) // count]
        for at in range(0, len(own), _AT_A_TIME):
            huge_pages.have(own[at : at + _AT_A_TIME])
            yield

    def settle(self) -> None:
        """Have all that these processes wrote be seen by all of them."""
        if self.node is None:
            return
        for window in self._kept:
            window.Sync()
        self.node.Barrier()
        for window in self._kept:
            window.Sync()
