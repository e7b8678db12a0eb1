"""Memory that the processes on one machine share, in MPI windows. Imports mpi4py, which starts MPI."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from mpi4py import MPI

from solvers.core.memory import shared_bytes
from solvers.mpi import huge_pages

#: A number of bytes that no machine has.
_UNLIMITED = 1 << 62
#: Number of huge pages that are allocated between two yields; this takes 40 ms in a virtual machine whose host must
#: first allocate them itself.
_AT_A_TIME = 8


def split_by_machine(comm: MPI.Comm) -> MPI.Comm:
    """Return the processes that can share memory with this one."""
    return comm.Split_type(MPI.COMM_TYPE_SHARED)


class SharedMemory:
    """Memory that the processes on this machine share.

    Parameters
    ----------
    comm : mpi4py.MPI.Comm
        The processes of the run.
    used : bool
        Whether to share windows; otherwise each process has its own memory.

    Attributes
    ----------
    per_machine : int
        Number of processes on this machine.
    node : mpi4py.MPI.Comm or None
        The processes that share windows with this one; None if it has its own memory.
    first : bool
        Whether this is the first process of `node`; true if `node` is None.
    all : bool
        Whether `node` (or this process, if it is None) is the whole run.
    """

    def __init__(self, comm: MPI.Comm, used: bool) -> None:
        node = split_by_machine(comm)
        self.per_machine = node.Get_size()
        self.node: Any = node if used and self.per_machine > 1 else None
        self.first = self.node is None or node.Get_rank() == 0
        self.all = (1 if self.node is None else self.per_machine) == comm.Get_size()
        self._windows: list[MPI.Win] = []  # freeing a window frees its memory

    def free_bytes(self) -> int:
        """Return how many bytes this process can use for a new window; untouched pages count as free."""
        if self.node is None or not self.first:
            return _UNLIMITED
        return shared_bytes() or _UNLIMITED

    def memory(self, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
        """Allocate an array that the processes of `node` share; a page is placed where it is first touched."""
        count = int(np.prod(shape, dtype=np.int64))
        size = huge_pages.padded_size(count * dtype.itemsize)
        window = MPI.Win.Allocate_shared(size if self.first else 0, 1, comm=self.node)
        window.Lock_all(MPI.MODE_NOCHECK)  # required by `synchronise`
        memory: Any = window.Shared_query(0)[0]
        if size >= huge_pages.MIN_SIZE:
            memory = self._align_for_huge_pages(memory)
        array: np.ndarray = np.frombuffer(memory, dtype, count).reshape(shape)
        self._windows.append(window)
        return array

    def _align_for_huge_pages(self, memory: Any) -> Any:
        """Return the part of a window that can have huge pages, the same in all processes; aligned if possible."""
        first = np.array([huge_pages.bytes_to_page(memory.address)], np.int64)
        self.node.Bcast(first)
        size = memory.nbytes - huge_pages.HUGE
        part = memory[int(first[0]) : int(first[0]) + size]
        again = huge_pages.map_again(part.address, size)
        return part if again is None else MPI.buffer.fromaddress(again, size)

    def touch(self, part: np.ndarray) -> Iterator[None]:
        """Allocate huge pages for part of such an array; each process does its share, and yields from time to time."""
        if self.node is None or part.nbytes == 0:
            return
        pages, count, rank = huge_pages.page_addresses(part), self.per_machine, self.node.Get_rank()
        own = pages[len(pages) * rank // count : len(pages) * (rank + 1) // count]
        for at in range(0, len(own), _AT_A_TIME):
            huge_pages.collapse(own[at : at + _AT_A_TIME])
            yield

    def synchronise(self) -> None:
        """Make all writes of these processes visible to each of them."""
        if self.node is None:
            return
        for window in self._windows:
            window.Sync()
        self.node.Barrier()
        for window in self._windows:
            window.Sync()
