"""The interface of an ant colony on any device, and the results of its iterations."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from solvers.algorithms.ants.explanations import Explained
from solvers.algorithms.ants.sparse_trails import SparseTrails
from solvers.core.events import Explanation


@dataclass(frozen=True, slots=True, eq=False)
class Iterations:
    """Finished iterations in order, as columns with one row per iteration.

    Attributes
    ----------
    best, worst : ndarray, shape (k,), int64
        Exact lengths of each iteration's shortest and longest tour.
    mean : ndarray, shape (k,), float64
    entropy, branching : ndarray, shape (k,), float64
        See `solvers.core.events.Colony`.
    order : ndarray, shape (k, n), int32
        The best ant's tour in visiting order; ties go to the lowest index.
    seconds : ndarray, shape (k,), float64
        Duration of the iteration, or its share of the duration of a batch.
    trials : ndarray, shape (k, t), int64
        See `solvers.core.events.Colony`.
    phases : ndarray, shape (k, 4), float64
        Milliseconds spent on choice, construction, update and best; NaN where not measured.
    built : ndarray, shape (k,), float64
        Mean length of the ants' tours before local search; NaN without local search.
    shortening : ndarray, shape (k,), float64
        Milliseconds spent on local search; NaN where not measured.
    lengths : ndarray, shape (m,), int64
        Tour lengths of all ants in the last iteration.
    explanations : tuple of Explanation
        Explanations of the explained iterations, in order.
    """

    best: np.ndarray
    worst: np.ndarray
    mean: np.ndarray
    entropy: np.ndarray
    branching: np.ndarray
    order: np.ndarray
    seconds: np.ndarray
    trials: np.ndarray
    phases: np.ndarray
    built: np.ndarray
    shortening: np.ndarray
    lengths: np.ndarray
    explanations: tuple[Explanation, ...] = ()


def concatenate(parts: Sequence[Iterations]) -> Iterations:
    """Concatenate several batches of iterations in order."""
    columns = {name: np.concatenate([getattr(part, name) for part in parts]) for name in _ROWS}
    explanations = tuple(explanation for part in parts for explanation in part.explanations)
    return Iterations(**columns, lengths=parts[-1].lengths, explanations=explanations)


_ROWS = ("best", "worst", "mean", "entropy", "branching", "order", "seconds", "trials", "phases", "built", "shortening")


class AntColony(Protocol):
    """A colony of ants and its trails, on any device.

    Attributes
    ----------
    ants : int
        Number of tours per iteration.
    """

    ants: int

    def advance(self, until: int) -> Iterations | None:
        """Work for up to 100 ms, but not beyond the end of iteration `until`, counted from 1.

        The division of the work into calls does not affect the results.

        Returns
        -------
        Iterations or None
            The iterations that finished, if any.
        """
        ...

    def explain(self, which: Explained) -> None:
        """From now on, explain the iterations for which `which` returns true; initially none."""
        ...

    def trails(self) -> np.ndarray | SparseTrails:
        """Return a copy of the current trails, symmetric (n, n) float32 or sparse."""
        ...

    def find_unfinished(self) -> np.ndarray | None:
        """Return the best finished ant's tour in the current iteration, (n,) int32; None if no ant has finished."""
        ...

    def close(self) -> None:
        """Release memory, threads and processes."""
        ...
