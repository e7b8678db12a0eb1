"""Processes that share the work of a run: what each does, and what they tell each other."""

from collections.abc import Callable, Generator, Iterator
from typing import Protocol

import numpy as np
from numpy.typing import DTypeLike


class Communicator(Protocol):
    """The processes of a run, as one of them sees them; all call the same methods in the same order.

    What exchanges something (the methods from `table` to `gather_step`) is called after a `meet`, without a pause in
    between, or while all set out.

    Attributes
    ----------
    count : int
        How many there are.
    here : int
        How many of them a machine has at most.
    apart : bool
        Whether some share no memory with others, so that tables must be brought together.
    copies : int
        How many copies of a table a machine has at most: one where its processes share it.
    """

    count: int
    here: int
    apart: bool
    copies: int

    def split(self, count: int) -> tuple[int, int]:
        """What this process does of the pieces 0 .. `count` - 1: the first, and the one after the last."""
        ...

    def share(self, ants: int) -> tuple[int, int]:
        """The same of ants, whose lengths and tours are to be gathered."""
        ...

    def matrices(self, make: Callable[[], tuple[np.ndarray, ...]]) -> tuple[np.ndarray, ...]:
        """What `make` returns, once a machine: every process sees the same memory.

        Raises
        ------
        InstanceTooLarge
            In all processes, if a machine has no room for what they share.
        RunFailed
            In all processes but those where `make` failed.
        """
        ...

    def shared(self, values: np.ndarray) -> np.ndarray:
        """The same values in memory that all processes write."""
        ...

    def table(self, count: int, dtype: DTypeLike) -> np.ndarray:
        """A table, (count,) of integers, that the processes of a machine fill together.

        They share its memory where they can, and its pages are touched first by who writes there. What it holds is
        not said.

        Raises
        ------
        InstanceTooLarge
            In all processes, if a machine has no room for what they share.
        """
        ...

    def touch(self, part: np.ndarray) -> Iterator[None]:
        """Have pages of memory under a part of a table to which nobody has written yet; yields now and then.

        It saves time and changes nothing. Each process of a machine does its share, and waits for nobody.
        """
        ...

    def settle(self) -> None:
        """Have all that the processes of a machine wrote into tables be seen by all of them."""
        ...

    def blank(self, table: np.ndarray) -> None:
        """Fill a table, or a part of it, for a later `merge`, with the greatest number of its type.

        Nobody may write there before. Nothing is done where all processes share the table.
        """
        ...

    def merge(self, table: np.ndarray) -> None:
        """Bring together, in place, what processes wrote into tables that were blank: the least of each entry.

        It may be a part of a table that lies in one piece, the same in all processes; a long one is merged part by
        part, after a `meet` each. Nothing is done where all processes share the table; else it has settled, too.
        """
        ...

    def least(self, keys: np.ndarray) -> np.ndarray:
        """The least that any process has, of each of some numbers, (k,) int64."""
        ...

    def sum_visits(self, visits: np.ndarray) -> None:
        """Add up the counts of all processes, (k,) int32, in place."""
        ...

    def gather_lengths(self, lengths: np.ndarray) -> np.ndarray:
        """The lengths of all ants, (m,) int64, of those of this process."""
        ...

    def best_tour(self, ant: int, tours: np.ndarray) -> np.ndarray:
        """The tour of one of all ants, (n,) int32, where `tours` are those of this process."""
        ...

    def gather_step(self, gone: np.ndarray) -> np.ndarray:
        """The records of the edges that all ants go at a step, (m,) int32, of those of this process."""
        ...

    def meet(self) -> Generator[None, None, None]:
        """Wait until all processes are here; yields meanwhile."""
        ...

    def close(self) -> None:
        """Let the other processes go."""
        ...


class SingleProcess:
    """See `Communicator`: one process does all."""

    count = here = copies = 1
    apart = False

    def split(self, count: int) -> tuple[int, int]:
        """See `Communicator.split`."""
        return 0, count

    def share(self, ants: int) -> tuple[int, int]:
        """See `Communicator.share`."""
        return 0, ants

    def matrices(self, make: Callable[[], tuple[np.ndarray, ...]]) -> tuple[np.ndarray, ...]:
        """See `Communicator.matrices`."""
        return make()

    def shared(self, values: np.ndarray) -> np.ndarray:
        """See `Communicator.shared`."""
        return values

    def table(self, count: int, dtype: DTypeLike) -> np.ndarray:
        """See `Communicator.table`."""
        return np.empty(count, dtype)

    def touch(self, part: np.ndarray) -> Iterator[None]:
        """See `Communicator.touch`."""
        return iter(())

    def settle(self) -> None:
        """See `Communicator.settle`."""

    def blank(self, table: np.ndarray) -> None:
        """See `Communicator.blank`."""

    def merge(self, table: np.ndarray) -> None:
        """See `Communicator.merge`."""

    def least(self, keys: np.ndarray) -> np.ndarray:
        """See `Communicator.least`."""
        return keys

    def sum_visits(self, visits: np.ndarray) -> None:
        """See `Communicator.sum_visits`."""

    def gather_lengths(self, lengths: np.ndarray) -> np.ndarray:
        """See `Communicator.gather_lengths`."""
        return lengths

    def best_tour(self, ant: int, tours: np.ndarray) -> np.ndarray:
        """See `Communicator.best_tour`."""
        return tours[ant]

    def gather_step(self, gone: np.ndarray) -> np.ndarray:
        """See `Communicator.gather_step`."""
        return gone

    def meet(self) -> Generator[None, None, None]:
        """See `Communicator.meet`."""
        yield from ()

    def close(self) -> None:
        """See `Communicator.close`."""
