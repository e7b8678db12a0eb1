"""Processes that share a run: division of work, and exchange of data."""

from collections.abc import Callable, Generator, Iterator

import numpy as np
from numpy.typing import DTypeLike


class Communicator:
    """The processes of a run, as seen by one of them; all call the same methods in the same order.

    This class itself implements a single process, which does all the work;
    `solvers.mpi.mpi_communicator.MpiCommunicator` overrides each method.

    Call methods that exchange data (from `table` to `gather_and_broadcast`) while all processes start, or directly
    after `wait_for_all`, without a pause.

    Attributes
    ----------
    count : int
        Number of processes.
    per_machine : int
        Maximum number of processes on one machine.
    separate_memory : bool
        Whether tables must be merged, because some processes share no memory with others.
    copies : int
        Maximum number of copies of a table on one machine: one if its processes share it.
    """

    count = per_machine = copies = 1
    separate_memory = False

    def split(self, count: int) -> tuple[int, int]:
        """Return this process's half-open range of the items 0 .. `count` - 1."""
        return 0, count

    def share(self, ants: int) -> tuple[int, int]:
        """Return this process's range of ants, like `split`, and prepare to gather lengths and tours."""
        return 0, ants

    def matrices(self, make: Callable[[], tuple[np.ndarray, ...]]) -> tuple[np.ndarray, ...]:
        """Return the arrays from `make`, called once per machine, in memory shared by its processes.

        Raises
        ------
        InstanceTooLarge
            In all processes, if the shared memory of a machine is too small.
        RunFailed
            In all processes except those where `make` failed.
        """
        return make()

    def share_array(self, values: np.ndarray) -> np.ndarray:
        """Return a copy of the values in memory that all processes can write to."""
        return values

    def table(self, count: int, dtype: DTypeLike) -> np.ndarray:
        """Allocate an integer table, (count,), that the processes of a machine fill together.

        They share its memory if they can, and each page is first touched by the process that writes it. The initial
        content is undefined.

        Raises
        ------
        InstanceTooLarge
            In all processes, if the shared memory of a machine is too small.
        """
        return np.empty(count, dtype)

    def touch(self, part: np.ndarray) -> Iterator[None]:
        """Allocate pages for an unwritten part of a table; yield periodically.

        This only saves time: the processes of a machine share the work without waiting for each other.
        """
        return iter(())

    def synchronise(self) -> None:
        """Make all table writes by processes of a machine visible to each of them."""

    def blank(self, table: np.ndarray) -> None:
        """Fill a table, or part of it, with its type's greatest number, for a later `merge`.

        No process may have written there before. Does nothing if all processes share the table.
        """

    def merge(self, table: np.ndarray) -> None:
        """Merge tables that processes wrote after `blank`, in place: the minimum of each entry.

        `table` may be a contiguous part of a table, the same in all processes; a long table is merged in parts, each
        after a `wait_for_all`. Does nothing if all processes share the table; otherwise it includes `synchronise`.
        """

    def minimum(self, keys: np.ndarray) -> np.ndarray:
        """Return the elementwise minimum over all processes, (k,) int64."""
        return keys

    def sum_visits(self, visits: np.ndarray) -> None:
        """Sum the counts of all processes in place, (k,) int32."""

    def gather_lengths(self, lengths: np.ndarray) -> np.ndarray:
        """Gather the lengths of all ants, (m,) int64, from each process's own."""
        return lengths

    def best_tour(self, ant: int, tours: np.ndarray) -> np.ndarray:
        """Return an ant's tour, (n,) int32, in all processes; `tours` are this process's ants' tours."""
        return tours[ant]

    def gather_step(self, used_edges: np.ndarray) -> np.ndarray:
        """Gather the records of the edges all ants take in a step, (m,) int32, from each process's own."""
        return used_edges

    def gather_and_broadcast(self, values: np.ndarray) -> np.ndarray:
        """Return the numbers of all processes, (k,), in rank order, through process 0."""
        return values

    def wait_for_all(self) -> Generator[None, None, None]:
        """Wait until all processes have called this, yielding meanwhile."""
        yield from ()

    def close(self) -> None:
        """End the run, and release the other processes."""
