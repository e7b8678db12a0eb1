"""The communicator that shares a run's work by MPI. Imports mpi4py, which starts MPI."""

from collections.abc import Callable, Generator, Iterator

import numpy as np
from mpi4py import MPI
from numpy.typing import DTypeLike

from solvers.core.errors import InstanceTooLarge, RunFailed
from solvers.core.memory import SHARED
from solvers.mpi.communicator import Communicator
from solvers.mpi.huge_pages import padded_size
from solvers.mpi.rendezvous import Rendezvous
from solvers.mpi.shared_memory import SharedMemory
from solvers.mpi.shared_tables import SharedTables

_DTYPES = tuple(map(np.dtype, ("int32", "int64", "float32", "float64")))
#: Maximum number of arrays that are shared on a machine in one call.
_ARRAYS = 16
_OK, _NO_MEMORY, _FAILED = range(3)


class MpiCommunicator(Communicator):
    """A communicator that uses MPI; see `solvers.mpi.communicator.Communicator`. All data is exchanged as buffers.

    Parameters
    ----------
    comm : mpi4py.MPI.Comm
        The processes of the run.
    windows : bool
        Whether the processes on one machine share memory.

    Attributes
    ----------
    count, per_machine : int
    separate_memory : bool
    copies : int
    rank : int
        This process's rank.
    rendezvous : Rendezvous
    """

    def __init__(self, comm: MPI.Comm, windows: bool = True) -> None:
        self._comm = comm.Dup()
        self.count, self.rank, self.rendezvous = comm.Get_size(), comm.Get_rank(), Rendezvous(comm.Dup())
        self._firsts = np.zeros(self.count + 1, np.int64)
        self._windows = SharedMemory(self._comm, windows)
        self._node = self._windows.node
        self.per_machine = self._compute_maximum(self._windows.per_machine)
        self._tables, self.separate_memory = SharedTables(self._comm, self._windows), not self._windows.all
        self.copies = self._compute_maximum(1 if self._node is not None else self._windows.per_machine)

    def split(self, count: int) -> tuple[int, int]:
        """See `solvers.mpi.communicator.Communicator.split`."""
        cuts = self._compute_cuts(count)
        return int(cuts[self.rank]), int(cuts[self.rank + 1])

    def share(self, ants: int) -> tuple[int, int]:
        """See `solvers.mpi.communicator.Communicator.share`."""
        self._firsts = self._compute_cuts(ants)
        return self.split(ants)

    def matrices(self, make: Callable[[], tuple[np.ndarray, ...]]) -> tuple[np.ndarray, ...]:
        """See `solvers.mpi.communicator.Communicator.matrices`; one process per machine makes the arrays."""
        arrays, error = self._make_once(make)
        fits = sum(padded_size(array.nbytes) for array in arrays) <= self._windows.free_bytes()
        state = self._compute_maximum(_FAILED if error else _OK if fits else _NO_MEMORY)
        if error:
            raise error
        if state == _FAILED:
            raise RunFailed("The process that computes a machine's shared distances has failed; see the log.")
        if state == _NO_MEMORY:
            raise InstanceTooLarge(
                f"Processes share distances and weights in {SHARED}, which has no room for them: give a container "
                "more by --shm-size, or use fewer cities."
            )
        return self._place(arrays)

    def _make_once(self, make: Callable[[], tuple[np.ndarray, ...]]) -> tuple[list[np.ndarray], Exception | None]:
        """Make the arrays in one process per machine, and empty ones elsewhere; return them, and any exception."""
        if self._node is not None and self._node.Get_rank():
            return [], None
        try:
            return list(make()), None
        except Exception as error:  # noqa: BLE001 - raised once all other processes know
            return [], error

    def _place(self, arrays: list[np.ndarray]) -> tuple[np.ndarray, ...]:
        """Move the arrays into shared windows, if any; free each original after copying it."""
        if self._node is None:
            return tuple(arrays)
        shapes = np.full((_ARRAYS, 3), -1, np.int64)
        for at, array in enumerate(arrays):
            shapes[at] = _describe_array(array)
        self._node.Bcast(shapes)
        descriptions = shapes[shapes[:, 0] >= 0]
        return tuple(self._allocate_window(shape, arrays.pop(0) if arrays else None) for shape in descriptions)

    def share_array(self, values: np.ndarray) -> np.ndarray:
        """See `solvers.mpi.communicator.Communicator.share_array`; on several machines, each process has a copy."""
        if self._node is None or self._node.Get_size() < self.count:
            return values
        return self._allocate_window(_describe_array(values), None if self._node.Get_rank() else values)

    def table(self, count: int, dtype: DTypeLike) -> np.ndarray:
        """See `solvers.mpi.communicator.Communicator.table`."""
        return self._tables.table(count, dtype)

    def touch(self, part: np.ndarray) -> Iterator[None]:
        """See `solvers.mpi.communicator.Communicator.touch`."""
        return self._windows.touch(part)

    def synchronise(self) -> None:
        """See `solvers.mpi.communicator.Communicator.synchronise`."""
        self._tables.synchronise()

    def blank(self, table: np.ndarray) -> None:
        """See `solvers.mpi.communicator.Communicator.blank`."""
        self._tables.blank(table)

    def merge(self, table: np.ndarray) -> None:
        """See `solvers.mpi.communicator.Communicator.merge`."""
        self._tables.merge(table)

    def minimum(self, keys: np.ndarray) -> np.ndarray:
        """See `solvers.mpi.communicator.Communicator.minimum`."""
        result = np.empty_like(keys)
        self._comm.Allreduce(keys, result, MPI.MIN)
        return result

    def sum_visits(self, visits: np.ndarray) -> None:
        """See `solvers.mpi.communicator.Communicator.sum_visits`."""
        self._comm.Allreduce(MPI.IN_PLACE, visits, MPI.SUM)

    def gather_lengths(self, lengths: np.ndarray) -> np.ndarray:
        """See `solvers.mpi.communicator.Communicator.gather_lengths`."""
        return self._gather_shares(lengths)

    def best_tour(self, ant: int, tours: np.ndarray) -> np.ndarray:
        """See `solvers.mpi.communicator.Communicator.best_tour`."""
        root = int(np.searchsorted(self._firsts, ant, "right")) - 1
        is_root = root == self.rank
        order = tours[ant - self._firsts[root]].copy() if is_root else np.empty(tours.shape[1], np.int32)
        self._comm.Bcast(order, root)
        return order

    def gather_step(self, used_edges: np.ndarray) -> np.ndarray:
        """See `solvers.mpi.communicator.Communicator.gather_step`."""
        return self._gather_shares(used_edges)

    def gather_and_broadcast(self, values: np.ndarray) -> np.ndarray:
        """See `solvers.mpi.communicator.Communicator.gather_and_broadcast`."""
        counts = np.zeros(self.count, np.int64)
        self._comm.Allgather(np.array([values.size], np.int64), counts)
        result = np.empty(int(counts.sum()), values.dtype)
        self._comm.Gatherv(values, (result, counts) if self.rank == 0 else None)
        self._comm.Bcast(result)
        return result

    def wait_for_all(self) -> Generator[None, None, None]:
        """See `Communicator.wait_for_all` and `solvers.mpi.rendezvous.Rendezvous.wait_for_all`."""
        return self.rendezvous.wait_for_all()

    def lowest_rank(self, flag: bool) -> int | None:
        """Return the lowest rank with a true `flag`; None if there is none."""
        after = self._compute_maximum(self.count - self.rank if flag else 0)
        return self.count - after if after else None

    def broadcast(self, message: bytes) -> memoryview:
        """Return process 0's `message`, in all processes."""
        size = np.array([len(message)], np.int64)
        self.rendezvous.wait_for(self._comm.Ibcast(size))
        result = bytearray(message or int(size[0]))
        self.rendezvous.wait_for(self._comm.Ibcast([result, MPI.BYTE]))
        return memoryview(result)

    def close(self) -> None:
        """See `solvers.mpi.communicator.Communicator.close`."""
        self.rendezvous.close()

    def _compute_maximum(self, number: int) -> int:
        """Return the maximum of all processes' numbers."""
        result = np.array([number], np.int64)
        self._comm.Allreduce(MPI.IN_PLACE, result, MPI.MAX)
        return int(result[0])

    def _gather_shares(self, own: np.ndarray) -> np.ndarray:
        result = np.empty(self._firsts[-1], own.dtype)
        self._comm.Allgatherv(own, (result, np.diff(self._firsts)))
        return result

    def _compute_cuts(self, count: int) -> np.ndarray:
        """Return where each process's share starts; if shares cannot be equal, the first ones are larger by one."""
        few, more = divmod(count, self.count)
        ranks = np.arange(self.count + 1)
        return ranks * few + np.minimum(ranks, more)

    def _allocate_window(self, description: np.ndarray, values: np.ndarray | None) -> np.ndarray:
        """Allocate memory that this machine's processes share, and fill it with the first process's values."""
        array = self._windows.memory(tuple(int(k) for k in description[1:] if k >= 0), _DTYPES[description[0]])
        for _ in self._windows.touch(array):
            pass
        if values is not None:
            array[...] = values
        self._windows.synchronise()
        return array


def _describe_array(array: np.ndarray) -> np.ndarray:
    """Return an array's dtype and shape as three numbers, with -1 for a missing dimension."""
    return np.array([_DTYPES.index(array.dtype), *array.shape, -1][:3], np.int64)
