"""Processes that share the ants of a colony: what each does, and what they tell each other."""

from collections.abc import Callable, Generator
from typing import Protocol

import numpy as np


class Ranks(Protocol):
    """The processes of a run, as one of them sees them; all call the same methods in the same order.

    What exchanges something (the methods from `sum_visits` to `gather_step`) is called after a `meet`, without a pause
    in between.

    Attributes
    ----------
    count : int
        How many there are.
    here : int
        How many of them a machine has at most.
    """

    count: int
    here: int

    def share(self, ants: int) -> tuple[int, int]:
        """The ants that walk in this process: the first, and the one after the last."""
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


class Alone:
    """See `Ranks`: one process does all."""

    count = here = 1

    def share(self, ants: int) -> tuple[int, int]:
        """See `Ranks.share`."""
        return 0, ants

    def matrices(self, make: Callable[[], tuple[np.ndarray, ...]]) -> tuple[np.ndarray, ...]:
        """See `Ranks.matrices`."""
        return make()

    def shared(self, values: np.ndarray) -> np.ndarray:
        """See `Ranks.shared`."""
        return values

    def sum_visits(self, visits: np.ndarray) -> None:
        """See `Ranks.sum_visits`."""

    def gather_lengths(self, lengths: np.ndarray) -> np.ndarray:
        """See `Ranks.gather_lengths`."""
        return lengths

    def best_tour(self, ant: int, tours: np.ndarray) -> np.ndarray:
        """See `Ranks.best_tour`."""
        return tours[ant]

    def gather_step(self, gone: np.ndarray) -> np.ndarray:
        """See `Ranks.gather_step`."""
        return gone

    def meet(self) -> Generator[None, None, None]:
        """See `Ranks.meet`."""
        yield from ()

    def close(self) -> None:
        """See `Ranks.close`."""
