"""The ranks of ants' choices among all possible ones: one number per choice, uniform if eq. 2 holds.

The probability integral transform, made continuous at random (M. Rosenblatt, "Remarks on a multivariate
transformation", 1952): the share of all that stands before the chosen city, plus a random part of its own.
"""

import numpy as np


def choice_shares(fitness: np.ndarray, tours: np.ndarray, rng: np.random.Generator, q0: float = 0.0) -> np.ndarray:
    """Shares of every choice of every ant, (n - 1, m) float64.

    Parameters
    ----------
    fitness : ndarray, shape (n, n), float64
        What the ants went by.
    tours : ndarray, shape (m, n), int32
    rng : Generator
    q0 : float
        How often an ant takes the greatest fitness at once, the first of several.

    Raises
    ------
    AssertionError
        If an ant went where it had been.
    """
    ants, n = tours.shape
    every = np.arange(ants)
    is_open = np.ones((ants, n), bool)
    is_open[every, tours[:, 0]] = False
    shares = np.empty((n - 1, ants))
    for p in range(1, n):
        here, chosen = tours[:, p - 1], tours[:, p]
        assert is_open[every, chosen].all()
        weights = np.where(is_open, fitness[here], 0.0)
        if q0:
            weights *= (1.0 - q0) / weights.sum(axis=1, keepdims=True)
            greatest = weights.argmax(axis=1)
            weights[every, greatest] += q0
        upto = np.cumsum(weights, axis=1)
        own = weights[every, chosen]
        shares[p - 1] = (upto[every, chosen] - own * rng.random(ants)) / upto[:, -1]
        is_open[every, chosen] = False
    return shares
