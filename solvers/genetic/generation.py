"""One generation, as a population reports it."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True, eq=False)
class Generation:
    """A finished generation.

    Attributes
    ----------
    number : int
        Counted from 1.
    lengths : ndarray, shape (m,), int64
        Exact lengths of its tours.
    tours : ndarray, shape (m, n), int32, or (m, n, 2), int32
        Its tours in visiting order; or the two neighbours of each city, if `linked`. Valid until the next `advance`.
    linked : bool
    order : ndarray, shape (n,), int32
        The shortest of them; among equals that of the lowest index.
    children : int
        Tours that were made for this generation.
    seconds : float
    over : bool
        Whether the run ends with it: no later generation can differ, or hardly.
    """

    number: int
    lengths: np.ndarray
    tours: np.ndarray
    linked: bool
    order: np.ndarray
    children: int
    seconds: float
    over: bool
