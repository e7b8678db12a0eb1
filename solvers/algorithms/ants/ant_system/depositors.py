"""Selection of the tours that deposit pheromone in elitist and rank-based Ant System. NumPy only.

M. Dorigo, V. Maniezzo and A. Colorni, "Ant System: Optimization by a Colony of Cooperating Agents" (1996), elitist
strategy; B. Bullnheimer, R. F. Hartl and C. Strauss, "A New Rank Based Version of the Ant System" (1999).
"""

import numpy as np

from solvers.algorithms.ants.ant_system.params import AntSystemParams


class Depositors:
    """Selects the tours that deposit pheromone in one colony.

    Parameters
    ----------
    params : AntSystemParams
    """

    def __init__(self, params: AntSystemParams) -> None:
        self._params, self._best, self._length = params, np.empty(0, np.int32), np.inf

    def remember(self, best: np.ndarray, length: int) -> None:
        """Set the best tour so far, (n,) int32, and its length."""
        self._best, self._length = best, float(length)

    def choose(self, tours: np.ndarray, lengths: np.ndarray) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Return the tours that deposit after an iteration, with their amounts: weight times Q / max(length, 1).

        The best tour so far may be one of this iteration. Ties between best tours go to the earliest, ties between ants
        to the lowest index.

        Parameters
        ----------
        tours : ndarray, shape (m, n), int32
        lengths : ndarray, shape (m,), int64

        Returns
        -------
        list of (ndarray, ndarray, ndarray)
            Groups of k tours, (k, n) int32, with their amounts, (k,) float32, and their weights, (k,) int64.
        """
        everyone = tours, self._amounts(lengths), np.ones(len(tours), np.int64)
        if self._params.depositors == "all":
            return [everyone]
        ant = int(lengths.argmin())
        if lengths[ant] < self._length:
            self._best, self._length = tours[ant].copy(), float(lengths[ant])
        weight = self._params.elitists if self._params.depositors == "elitist" else self._params.rank_weights
        maximum = np.array([weight])
        best = self._best[None], self._amounts(np.array([self._length]), maximum), maximum
        if self._params.depositors == "elitist":
            return [everyone, best]
        ranked = np.argsort(lengths, kind="stable")[: weight - 1]
        weights = weight - 1 - np.arange(ranked.size)
        return [(tours[ranked], self._amounts(lengths[ranked], weights), weights), best]

    def _amounts(self, lengths: np.ndarray, weights: np.ndarray | int = 1) -> np.ndarray:
        return (weights * self._params.q / np.maximum(lengths, 1)).astype(np.float32)
