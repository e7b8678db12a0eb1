"""Processes that share a run: how they divide work and exchange data."""

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
        Whether tables must be merged, because some processes have no memory in common.
    copies : int
        Maximum number of copies of a table on one machine: 1 if the machine's processes share tables.
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
        """Return the arrays that `make` returns, called once per machine, in memory that its processes share.

        Raises
        ------
        InstanceTooLarge
            In all processes, if a machine's shared memory is too small.
        RunFailed
            In all processes except those where `make` failed.
        """
        return make()

    def share_array(self, values: np.ndarray) -> np.ndarray:
        """Return a copy of the values in memory that all processes can write to."""
        return values

    def table(self, count: int, dtype: DTypeLike) -> np.ndarray:
        """Allocate an integer table, (count,), that the processes on a machine fill together.

        The processes share its memory if they can. Each page should first be touched by the process that writes it. The
        initial content is undefined.

        Raises
        ------
        InstanceTooLarge
            In all processes, if a machine's shared memory is too small.
        """
        return np.empty(count, dtype)

    def touch(self, part: np.ndarray) -> Iterator[None]:
        """Allocate pages for an unwritten part of a table; yield from time to time.

        This only saves time: the processes on a machine share the work, without waiting for each other.
        """
        return iter(())

    def synchronise(self) -> None:
        """Make all writes of a machine's processes to tables visible to each of these processes."""

    def blank(self, table: np.ndarray) -> None:
        """Fill a table, or part of it, with its type's greatest number, for a later `merge`.

        No process may have written there before. If all processes share the table, nothing is done.
        """

    def merge(self, table: np.ndarray) -> None:
        """Merge, in place, tables that processes have written after `blank`: take the minimum of each entry.

        `table` may be a contiguous part of a table, the same part in all processes. A long table is merged in parts,
        with a `wait_for_all` before each. If all processes share the table, nothing is done; otherwise `synchronise` is
        included.
        """

    def minimum(self, keys: np.ndarray) -> np.ndarray:
        """Return the elementwise minimum over all processes, (k,) int64."""
        return keys

    def sum_visits(self, visits: np.ndarray) -> None:
        """Add up the counts of all processes in place, (k,) int32."""

    def gather_lengths(self, lengths: np.ndarray) -> np.ndarray:
        """Return the lengths of all ants, (m,) int64, given those of this process's ants."""
        return lengths

    def best_tour(self, ant: int, tours: np.ndarray) -> np.ndarray:
        """Return an ant's tour, (n,) int32, in all processes; `tours` contains the tours of this process's ants."""
        return tours[ant]

    def gather_step(self, used_edges: np.ndarray) -> np.ndarray:
        """Return the records of all ants' edges in a step, (m,) int32, given those of this process's ants."""
        return used_edges

    def gather_and_broadcast(self, values: np.ndarray) -> np.ndarray:
        """Return the numbers of all processes, (k,), in rank order; process 0 gathers and broadcasts them."""
        return values

    def wait_for_all(self) -> Generator[None, None, None]:
        """Wait until all processes have called this, and yield meanwhile."""
        yield from ()

    def close(self) -> None:
        """End the run, and release the other processes."""
