"""Explanations of an iteration: the best ant's choices, and how the update changes its edges.

NumPy only.
"""

from collections.abc import Callable

import numpy as np

from solvers.core.events import Choices, Deposits
from solvers.core.solver import Job
from solvers.reporting.pictures import is_explained

#: Number of recorded candidates per choice.
CANDIDATES = 5
#: A function that says whether an iteration, counted from 1, is explained.
Explained = Callable[[int], bool]


def explain_none(iteration: int) -> bool:
    """Return False: no iteration is explained."""
    return False


def choose_explained(job: Job) -> Explained:
    """Return which iterations a run explains: none if the run has no pictures."""
    n, pictures = job.instance.n, job.pictures
    return lambda iteration: pictures and is_explained(iteration, n)


def allocate_choices(n: int, climber: int, ant: int, lucky: bool = False, q0: float = 0.0) -> Choices:
    """Allocate an empty record of an ant's choices.

    Parameters
    ----------
    n : int
    climber, ant : int
        See `solvers.core.events.Choices`.
    lucky : bool
        Whether each candidate draws its own random number.
    q0 : float
    """
    steps = n - 1
    floats = {name: np.full(steps, -1.0, np.float32) for name in ("chosen", "q", "draw", "low", "high")}
    return Choices(
        climber=climber,
        ant=ant,
        q0=q0,
        order=np.zeros(n, np.int32),
        city=np.full((steps, CANDIDATES), -1, np.int32),
        share=np.zeros((steps, CANDIDATES), np.float32),
        luck=np.zeros((steps, CANDIDATES if lucky else 0), np.float32),
        mode=np.zeros(steps, np.uint8),
        draws=np.zeros(steps, np.uint8),
        **floats,
    )


class EdgeTrails:
    """The trails on a tour's edges during an update.

    Parameters
    ----------
    climber : int
        The iteration, counted from 0.
    order : ndarray, shape (n,), int32
    before : ndarray, shape (n,), float32
        The trails of the tour's edges before the update.

    Attributes
    ----------
    before
        See the parameters.
    """

    def __init__(self, climber: int, order: np.ndarray, before: np.ndarray) -> None:
        self._climber, self.before = climber, before.astype(np.float32)
        self.current = order

    def make_event(
        self, kept: np.ndarray, after: np.ndarray, ants: np.ndarray, length: int, limits: tuple[float, float],
        added: np.ndarray | None = None, q: float = 1.0,
    ) -> Deposits:  # fmt: skip
        """Return the event of an update; see `solvers.core.events.Deposits`.

        If `added` is omitted, every edge that ants took received a deposit.
        """
        kept, after, ants = kept.astype(np.float32), after.astype(np.float32), ants.astype(np.int32)
        return Deposits(
            self._climber, self.before, kept, after, ants, ants > 0 if added is None else added, length, q, *limits
        )
