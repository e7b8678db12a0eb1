"""Processes that share the ants of a colony, by MPI. Imports mpi4py, which starts MPI."""

import os
import shutil
from collections.abc import Callable, Generator
from typing import Any

import numpy as np
from mpi4py import MPI

from solvers.errors import InstanceTooLarge, RunFailed
from solvers.mpi_meeting import Meeting

_DTYPES = tuple(map(np.dtype, ("int32", "int64", "float32", "float64")))
#: Arrays that processes of a machine can be told of at a time.
_ARRAYS = 16
#: Where windows lie under Linux; elsewhere nobody knows how much they may take.
_WINDOWS = "/dev/shm"
_FINE, _NO_ROOM, _FAILED = range(3)


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
    count, here : int
    rank : int
        Which of the processes this is.
    meeting : Meeting
    """

    def __init__(self, comm: MPI.Comm, windows: bool = True) -> None:
        self._comm = comm.Dup()
        self.count, self.rank, self.meeting = comm.Get_size(), comm.Get_rank(), Meeting(comm.Dup())
        self._firsts = np.zeros(self.count + 1, np.int64)
        node = self._comm.Split_type(MPI.COMM_TYPE_SHARED)
        self.here = self._most(node.Get_size())
        self._node: Any = node if windows and node.Get_size() > 1 else None
        self._windows: list[MPI.Win] = []  # which would free their memory with them

    def share(self, ants: int) -> tuple[int, int]:
        """See `solvers.ranks.Ranks.share`; the first processes have one ant more where not all have as many."""
        few, more = divmod(ants, self.count)
        ranks = np.arange(self.count + 1)
        self._firsts = ranks * few + np.minimum(ranks, more)
        return int(self._firsts[self.rank]), int(self._firsts[self.rank + 1])

    def matrices(self, make: Callable[[], tuple[np.ndarray, ...]]) -> tuple[np.ndarray, ...]:
        """See `solvers.ranks.Ranks.matrices`: made by one process of each machine."""
        made, wrong = self._made(make)
        state = self._most(_FAILED if wrong else _FINE if self._has_room(made) else _NO_ROOM)
        if wrong:
            raise wrong
        if state == _FAILED:
            raise RunFailed("The process that makes what all of a machine go by has failed; see the log.")
        if state == _NO_ROOM:
            raise InstanceTooLarge(
                f"Processes share distances and weights in {_WINDOWS}, which has no room for them: give a container "
                "more by --shm-size, or take fewer cities."
            )
        return self._placed(made)

    def _made(self, make: Callable[[], tuple[np.ndarray, ...]]) -> tuple[list[np.ndarray], Exception | None]:
        """What one process of each machine has made, and none in the others; or what went wrong."""
        if self._node is not None and self._node.Get_rank():
            return [], None
        try:
            return list(make()), None
        except Exception as error:  # noqa: BLE001 - raised when all others know of it
            return [], error

    def _has_room(self, made: list[np.ndarray]) -> bool:
        if self._node is None or not os.path.isdir(_WINDOWS):
            return True
        return sum(array.nbytes for array in made) <= shutil.disk_usage(_WINDOWS).free

    def _placed(self, made: list[np.ndarray]) -> tuple[np.ndarray, ...]:
        """The same in windows, where there are any; what has been copied is let go at once."""
        if self._node is None:
            return tuple(made)
        shapes = np.full((_ARRAYS, 3), -1, np.int64)
        for at, array in enumerate(made):
            shapes[at] = _described(array)
        self._node.Bcast(shapes)
        known = shapes[shapes[:, 0] >= 0]
        return tuple(self._window(shape, made.pop(0) if made else None) for shape in known)

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
        after = self._most(self.count - self.rank if here else 0)
        return self.count - after if after else None

    def told(self, message: bytearray) -> bytearray:
        """The message of process 0, in all processes."""
        size = np.array([len(message)], np.int64)
        self.meeting.wait_for(self._comm.Ibcast(size))
        found = message if self.rank == 0 else bytearray(int(size[0]))
        self.meeting.wait_for(self._comm.Ibcast([found, MPI.BYTE]))
        return found

    def close(self) -> None:
        """See `solvers.ranks.Ranks.close`."""
        self.meeting.close()

    def _most(self, number: int) -> int:
        """The greatest of the numbers of all processes."""
        found = np.array([number], np.int64)
        self._comm.Allreduce(MPI.IN_PLACE, found, MPI.MAX)
        return int(found[0])

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
