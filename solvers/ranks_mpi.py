"""Processes that share the ants of a colony, by MPI. Imports mpi4py, which starts MPI."""

from collections.abc import Callable, Generator
from typing import Any

import numpy as np
from mpi4py import MPI

from solvers.errors import RunFailed
from solvers.mpi_meeting import Meeting

_DTYPES = tuple(map(np.dtype, ("int32", "int64", "float32", "float64")))
#: Arrays that processes of a machine can be told of at a time.
_ARRAYS = 16


class MpiRanks:
    """See `solvers.ranks.Ranks`. All that is exchanged goes through buffers.

    Parameters
    ----------
    comm : mpi4py.MPI.Comm
        The processes of the run.
    windows : bool
        Whether processes of one machine share memory.

    Attributes
    ----------
    count : int
    rank : int
        Which of the processes this is.
    meeting : Meeting
    """

    def __init__(self, comm: MPI.Comm, windows: bool = True) -> None:
        self._comm = comm.Dup()
        self.count, self.rank, self.meeting = comm.Get_size(), comm.Get_rank(), Meeting(comm.Dup())
        self._firsts = np.zeros(self.count + 1, np.int64)
        node: Any = self._comm.Split_type(MPI.COMM_TYPE_SHARED) if windows else None
        self._node: Any = node if node is not None and node.Get_size() > 1 else None
        self._windows: list[MPI.Win] = []  # which would free their memory with them

    def share(self, ants: int) -> tuple[int, int]:
        """See `solvers.ranks.Ranks.share`; the first processes have one ant more where not all have as many."""
        few, more = divmod(ants, self.count)
        ranks = np.arange(self.count + 1)
        self._firsts = ranks * few + np.minimum(ranks, more)
        return int(self._firsts[self.rank]), int(self._firsts[self.rank + 1])

    def matrices(self, make: Callable[[], tuple[np.ndarray, ...]]) -> tuple[np.ndarray, ...]:
        """See `solvers.ranks.Ranks.matrices`: made by one process of each machine."""
        if self._node is None:
            return make()
        if self._node.Get_rank():
            return self._received()
        shapes = np.full((_ARRAYS, 3), -1, np.int64)
        try:
            made: list[Any] = list(make())
            shapes[: len(made)] = [_described(array) for array in made]
        finally:
            self._node.Bcast(shapes)
        found: list[np.ndarray] = []
        while made:
            found.append(self._window(shapes[len(found)], made.pop(0)))
        return tuple(found)

    def _received(self) -> tuple[np.ndarray, ...]:
        shapes = np.empty((_ARRAYS, 3), np.int64)
        self._node.Bcast(shapes)
        if shapes[0, 0] < 0:
            raise RunFailed("The process that makes what all of this machine go by has failed.")
        return tuple(self._window(shape, None) for shape in shapes[shapes[:, 0] >= 0])

    def shared(self, values: np.ndarray) -> np.ndarray:
        """See `solvers.ranks.Ranks.shared`; where processes are on several machines, each has its own."""
        if self._node is None or self._node.Get_size() < self.count:
            return values
        return self._window(_described(values), None if self._node.Get_rank() else values)

    def sum_visits(self, visits: np.ndarray) -> None:
        """See `solvers.ranks.Ranks.sum_visits`."""
        self._comm.Allreduce(MPI.IN_PLACE, visits, MPI.SUM)

    def gather_lengths(self, lengths: np.ndarray) -> np.ndarray:
        """See `solvers.ranks.Ranks.gather_lengths`."""
        return self._gathered(lengths)

    def best_tour(self, ant: int, tours: np.ndarray) -> np.ndarray:
        """See `solvers.ranks.Ranks.best_tour`."""
        root = int(np.searchsorted(self._firsts, ant, "right")) - 1
        here = root == self.rank
        order = tours[ant - self._firsts[root]].copy() if here else np.empty(tours.shape[1], np.int32)
        self._comm.Bcast(order, root)
        return order

    def gather_step(self, gone: np.ndarray) -> np.ndarray:
        """See `solvers.ranks.Ranks.gather_step`."""
        return self._gathered(gone)

    def meet(self) -> Generator[None, None, None]:
        """See `solvers.ranks.Ranks.meet` and `solvers.mpi_meeting.Meeting.meet`."""
        return self.meeting.meet()

    def first(self, here: bool) -> int | None:
        """The first process for which something holds, as `here` says of this one; None if there is none."""
        found = np.array([self.rank if here else self.count], np.int64)
        self._comm.Allreduce(MPI.IN_PLACE, found, MPI.MIN)
        return int(found[0]) if found[0] < self.count else None

    def told(self, message: bytearray) -> bytearray:
        """The message of process 0, in all processes."""
        size = np.array([len(message)], np.int64)
        self._comm.Bcast(size)
        found = message if self.rank == 0 else bytearray(int(size[0]))
        self._comm.Bcast([found, MPI.BYTE])
        return found

    def close(self) -> None:
        """See `solvers.ranks.Ranks.close`."""
        self.meeting.close()

    def _gathered(self, own: np.ndarray) -> np.ndarray:
        found = np.empty(self._firsts[-1], own.dtype)
        self._comm.Allgatherv(own, (found, np.diff(self._firsts)))
        return found

    def _window(self, described: np.ndarray, values: np.ndarray | None) -> np.ndarray:
        """Memory of this machine's processes, filled with the values of the first of them."""
        assert self._node is not None
        dtype, shape = _DTYPES[described[0]], tuple(int(k) for k in described[1:] if k >= 0)
        size = int(np.prod(shape)) * dtype.itemsize
        window = MPI.Win.Allocate_shared(0 if values is None else size, dtype.itemsize, comm=self._node)
        self._windows.append(window)
        memory: Any = window.Shared_query(0)[0]
        array: np.ndarray = np.frombuffer(memory, dtype, count=int(np.prod(shape))).reshape(shape)
        if values is not None:
            array[...] = values
        self._node.Barrier()
        return array


def _described(array: np.ndarray) -> np.ndarray:
    """Its dtype and its shape as three numbers; -1 stands for a side that it does not have."""
    return np.array([_DTYPES.index(array.dtype), *array.shape, -1][:3], np.int64)
