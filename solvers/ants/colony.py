"""A colony of ants: the protocol that every device implements, and what its iterations hold."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from solvers.ants.sparse_trails import SparseTrails

#: Iterations after which every one is pictured, and pictures of each doubling of the iterations from then on.
_EACH, _AN_OCTAVE = 64, 32


@dataclass(frozen=True, slots=True, eq=False)
class Iterations:
    """Iterations that finished, in order: columns, one row an iteration.

    Attributes
    ----------
    best, worst : ndarray, shape (k,), int64
        Exact lengths of the shortest and the longest tour of each iteration's ants.
    mean : ndarray, shape (k,), float64
    entropy, branching : ndarray, shape (k,), float64
        See `solvers.events.Colony`.
    order : ndarray, shape (k, n), int32
        Tour of the best ant, in the order in which it chose the cities; the one with the lowest index of several.
    seconds : ndarray, shape (k,), float64
        Time that the iteration took, or its share of the batch's.
    trials : ndarray, shape (k, t), int64
        See `solvers.events.Colony`.
    phases : ndarray, shape (k, 4), float64
        Milliseconds of choice, construction, update and best, or NaN where they were not measured.
    built : ndarray, shape (k,), float64
        Mean length of the ants' tours before they were made shorter, or NaN where they were not.
    shortening : ndarray, shape (k,), float64
        Milliseconds of that, or NaN where it was not measured.
    lengths : ndarray, shape (m,), int64
        Of all ants of the last of the iterations.
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


def joined(parts: Sequence[Iterations]) -> Iterations:
    """The rows of several batches, in their order, as one batch."""
    columns = {name: np.concatenate([getattr(one, name) for one in parts]) for name in _ROWS}
    return Iterations(**columns, lengths=parts[-1].lengths)


_ROWS = ("best", "worst", "mean", "entropy", "branching", "order", "seconds", "trials", "phases", "built", "shortening")


class AntColony(Protocol):
    """Ants and trails at work, on whatever device.

    Attributes
    ----------
    ants : int
        Tours of one iteration.
    """

    ants: int

    def advance(self, until: int) -> Iterations | None:
        """Work for at most 100 ms, and at most to the end of iteration `until`, counted from 1.

        Returns what finished, None if no iteration did. How the work is cut changes no result.
        """
        ...

    def trails(self) -> np.ndarray:
        """The trails after the last finished iteration, (n, n) float32, symmetric; the caller's own copy."""
        ...

    def pictured(self) -> np.ndarray | SparseTrails:
        """The same as pictures are made of it: where few trails differ, these alone."""
        ...

    def unfinished(self) -> np.ndarray | None:
        """A tour out of the iteration under way, (n,) int32, of its best finished ant; None where there is none yet."""
        ...

    def close(self) -> None:
        """Give back what it holds."""
        ...


def next_picture(iteration: int) -> int:
    """The next iteration after which the trails are pictured: all of the first, then as many of each doubling."""
    later = iteration + 1
    step = 1 if later < _EACH else (1 << (later.bit_length() - 1)) // _AN_OCTAVE
    return -(-later // step) * step
