"""Processes that share the work of a run: how they divide it, and how they exchange data."""

from collections.abc import Callable, Generator, Iterator

import numpy as np
from numpy.typing import DTypeLike


class Communicator:
    """The processes of a run, as one of them sees them; all call the same methods in the same order.

    This class itself is a process that does all the work alone; `solvers.mpi.mpi_communicator.MpiCommunicator`
    overrides each of its methods.

    Call methods that exchange data (from `table` to `gather_and_broadcast`) directly after `wait_for_all`, without a
    pause in between, or while all processes start.

    Attributes
    ----------
    count : int
        Number of processes.
    per_machine : int
        Maximum number of processes on one machine.
    separate_memory : bool
        Whether some processes share no memory with others, so that tables must be merged.
    copies : int
        Maximum number of copies of a table on one machine: one if its processes share it.
    """

    count = per_machine = copies = 1
    separate_memory = False

    def split(self, count: int) -> tuple[int, int]:
        """This process's range of the pieces 0 .. `count` - 1: the first, and the one after the last."""
        return 0, count

    def share(self, ants: int) -> tuple[int, int]:
        """As `split`, for ants, whose lengths and tours are gathered later."""
        return 0, ants

    def matrices(self, make: Callable[[], tuple[np.ndarray, ...]]) -> tuple[np.ndarray, ...]:
        """The arrays that `make` returns, made once per machine: all its processes see the same memory.

        Raises
        ------
        InstanceTooLarge
            In all processes, if the shared memory of a machine is too small.
        RunFailed
            In all processes except those where `make` failed.
        """
        return make()

    def shared(self, values: np.ndarray) -> np.ndarray:
        """The same values, in memory that all processes can write."""
        return values

    def table(self, count: int, dtype: DTypeLike) -> np.ndarray:
        """A table, (count,) of integers, that the processes of a machine fill together.

        They share its memory if they can, and each page is first touched by the process that writes it. The initial
        content is undefined.

        Raises
        ------
        InstanceTooLarge
            In all processes, if the shared memory of a machine is too small.
        """
        return np.empty(count, dtype)

    def touch(self, part: np.ndarray) -> Iterator[None]:
        """Allocate the pages of a part of a table that no process has written yet; yields periodically.

        It only saves time. Each process of a machine does its share, and waits for no other.
        """
        return iter(())

    def synchronise(self) -> None:
        """Make all that the processes of a machine wrote into tables visible to all of them."""

    def blank(self, table: np.ndarray) -> None:
        """Fill a table, or a part of it, with the greatest number of its type, for a later `merge`.

        No process may write there before. Does nothing if all processes share the table.
        """

    def merge(self, table: np.ndarray) -> None:
        """Merge, in place, what processes wrote into tables after `blank`: the minimum of each entry.

        `table` may be a contiguous part of a table, the same in all processes; a long table is merged in parts, each
        after a `wait_for_all`. Does nothing if all processes share the table; otherwise it includes `synchronise`.
        """

    def least(self, keys: np.ndarray) -> np.ndarray:
        """The minimum over all processes of each number, (k,) int64."""
        return keys

    def sum_visits(self, visits: np.ndarray) -> None:
        """Sum the counts of all processes, (k,) int32, in place."""

    def gather_lengths(self, lengths: np.ndarray) -> np.ndarray:
        """The lengths of all ants, (m,) int64, from those of each process."""
        return lengths

    def best_tour(self, ant: int, tours: np.ndarray) -> np.ndarray:
        """The tour of one ant, (n,) int32, in all processes; `tours` are those of this process's ants."""
        return tours[ant]

    def gather_step(self, gone: np.ndarray) -> np.ndarray:
        """The records of the edges that all ants take in a step, (m,) int32, from those of each process."""
        return gone

    def gather_and_broadcast(self, values: np.ndarray) -> np.ndarray:
        """The numbers of all processes, (k,), in the order of ranks: gathered by process 0, which broadcasts them."""
        return values

    def wait_for_all(self) -> Generator[None, None, None]:
        """Wait until all processes have called this; yields while waiting."""
        yield from ()

    def close(self) -> None:
        """End the run: the other processes are released."""
