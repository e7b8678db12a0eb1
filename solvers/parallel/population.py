"""Tours that change generation by generation, in slices of work that all threads share."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from solvers.parallel.thread_team import ThreadTeam

#: Target duration of a call to `advance`, in seconds.
SLICE_SECONDS = 0.03


@dataclass(frozen=True, slots=True, eq=False)
class Parents:
    """The parents of a generation's best tour.

    Attributes
    ----------
    first, second : int
        The parents' indices in the population.
    first_length, second_length : int
    first_order, second_order : ndarray, shape (n,), int32
        The parents in visiting order.
    children : int
        Number of children that the pair had.
    """

    first: int
    second: int
    first_length: int
    second_length: int
    first_order: np.ndarray
    second_order: np.ndarray
    children: int


@dataclass(frozen=True, slots=True, eq=False)
class Generation:
    """A finished generation, or iteration of a swarm.

    Attributes
    ----------
    lengths : ndarray, shape (m,), int64
        Exact lengths of the tours.
    tours : ndarray, shape (m, n), int32, or (m, n, 2), int32
        The tours in visiting order or, if `linked`, each city's two neighbours. Valid until the next `advance`.
    order : ndarray, shape (n,), int32
        The generation's best tour.
    length : int
        The best tour's length.
    evaluations : int
        Number of tours made for this generation.
    seconds : float
    linked : bool
    over : bool
        Whether the run ends with this generation, because later ones cannot differ from it, or hardly can.
    parents : Parents or None
        The best tour's parents, if it was created in this generation.
    """

    lengths: np.ndarray
    tours: np.ndarray
    order: np.ndarray
    length: int
    evaluations: int
    seconds: float
    linked: bool = False
    over: bool = False
    parents: Parents | None = None


class Population(ABC):
    """A population and its generations.

    Parameters
    ----------
    threads : int
    """

    def __init__(self, threads: int) -> None:
        self._team = ThreadTeam(threads)
        self._steps, self._seconds = self._create_first(), 0.0

    @abstractmethod
    def make_loaders(self) -> list[Callable[[], object]]:
        """Return functions that compile or load each kernel."""

    @abstractmethod
    def find_unfinished(self) -> np.ndarray:
        """Return the tour, (n,) int32, to report if the run stops before the first generation is complete."""

    @abstractmethod
    def _create_next(self) -> Generator[None, None, None]:
        """Create the next generation; yield after each slice."""

    @abstractmethod
    def _build_generation(self, seconds: float) -> Generation:
        """Return the generation that has just been created."""

    def _create_first(self) -> Generator[None, None, None]:
        """Create the first generation; yield after each slice."""
        return self._create_next()

    def advance(self) -> Generation | None:
        """Work for at most 100 ms; return a generation that has finished, if any.

        The division of the work into calls does not affect the results.
        """
        start_time = perf_counter()
        self._team.deadline = start_time + SLICE_SECONDS
        for _ in self._steps:
            self._seconds += perf_counter() - start_time
            return None
        generation = self._build_generation(self._seconds + perf_counter() - start_time)
        self._seconds, self._steps = 0.0, self._create_next()
        return generation

    def close(self) -> None:
        """Stop the threads."""
        self._steps.close()
        self._team.close()
