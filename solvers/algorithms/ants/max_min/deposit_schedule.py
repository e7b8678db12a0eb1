"""Deposits in MAX-MIN Ant System: the depositing tour, trail limits, and restarts.

T. Stuetzle and H. H. Hoos, "MAX-MIN Ant System", Future Generation Computer Systems 16 (2000), sections 3 to 5.
"""

from dataclasses import dataclass

import numpy as np

from solvers.algorithms.ants.max_min.kernels.schedule import OF_ALL, OF_ITERATION, depositor, is_over, upper_limit
from solvers.algorithms.ants.max_min.params import MaxMinParams


@dataclass(frozen=True, slots=True, eq=False)
class Deposit:
    """A trail update after an iteration.

    Attributes
    ----------
    order : ndarray, shape (n,), int32
        The tour that deposits pheromone.
    length : int
    minimum, maximum : float32
        The limits of all trails; equal if the colony restarts.
    """

    order: np.ndarray
    length: int
    minimum: np.float32
    maximum: np.float32


@dataclass(slots=True, eq=False)
class Best:
    """The shortest tour so far: its length, its order, and the iteration that found it, counted from 1."""

    length: float = np.inf
    order: np.ndarray | None = None
    found: int = 0

    def take(self, length: int, order: np.ndarray, iteration: int) -> None:
        """Store a tour if it is shorter than the stored one."""
        if length < self.length:
            self.length, self.order, self.found = length, order.copy(), iteration


class DepositSchedule:
    """Decides which tour deposits in a colony, from the colony's best tours so far.

    Parameters
    ----------
    params : MaxMinParams
    n : int
        Number of cities.
    """

    def __init__(self, params: MaxMinParams, n: int) -> None:
        self._params, self._n = params, n
        self._share = np.float32(params.min_share(n))
        self.best, self.best_since_restart, self.restart = Best(), Best(), 0

    def choose(self, iteration: int, order: np.ndarray, length: int, branches: float) -> Deposit:
        """Return the tour that deposits after an iteration, and the limits of the trails.

        Parameters
        ----------
        iteration : int
            Counted from 1.
        order : ndarray, shape (n,), int32
            The tour of the iteration's best ant.
        length : int
        branches : float
            Sum of the cities' branching factors before the update; see `solvers.core.events.Colony`.
        """
        self.best.take(length, order, iteration)
        self.best_since_restart.take(length, order, iteration)
        chosen, its_length = self._choose_tour(iteration, order, length)
        maximum = self.find_limit(int(self.best.length))
        minimum = np.float32(maximum * self._share)
        if is_over(iteration, self.best_since_restart.found, self._params.patience, branches, self._n):
            minimum, self.best_since_restart, self.restart = maximum, Best(found=iteration), iteration
        return Deposit(chosen, its_length, minimum, maximum)

    def find_limit(self, length: int) -> np.float32:
        """Return the upper trail limit for a best tour of the given length."""
        return upper_limit(self._params.rho, length)

    def _choose_tour(self, iteration: int, order: np.ndarray, length: int) -> tuple[np.ndarray, int]:
        """Return the depositing tour and its length."""
        choice = depositor(iteration, self.restart, self.best_since_restart.found, self._params.shortens_every_tour)
        if choice == OF_ITERATION:
            return order, length
        best = self.best if choice == OF_ALL else self.best_since_restart
        assert best.order is not None
        return best.order, int(best.length)
