"""A generation as reported by a population."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True, eq=False)
class Parents:
    """The parents of a generation's best tour.

    Attributes
    ----------
    first, second : int
        Their indices in the population.
    first_length, second_length : int
    first_order, second_order : ndarray, shape (n,), int32
        The parents in visiting order.
    children : int
        Number of their children.
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
    """A finished generation.

    Attributes
    ----------
    number : int
        Counted from 1.
    lengths : ndarray, shape (m,), int64
        Exact lengths of the tours.
    tours : ndarray, shape (m, n), int32, or (m, n, 2), int32
        The tours in visiting order, or the two neighbours of each city, if `linked`. Valid until the next `advance`.
    linked : bool
    order : ndarray, shape (n,), int32
        The shortest tour; ties by the lowest index.
    children : int
        Number of tours made for this generation.
    seconds : float
    over : bool
        Whether the run ends with this generation, because later ones cannot, or hardly can, differ.
    parents : Parents or None
        Parents of the shortest tour, if that is a child of this generation.
    """

    number: int
    lengths: np.ndarray
    tours: np.ndarray
    linked: bool
    order: np.ndarray
    children: int
    seconds: float
    over: bool
    parents: Parents | None
