"""Cooling schedules: the temperature t = 0, 1, ... of a chain as a share of the first one."""

import math

import numpy as np

SCHEDULES = ("geometric", "linear", "logarithmic")


def count_levels(cooling: float, ratio: float) -> int:
    """Return the number of temperatures of the geometric schedule, from the first down to `ratio` times the first."""
    return 1 + math.floor(math.log(ratio) / math.log(cooling))


def factors(schedule: str, levels: int, cooling: float, ratio: float) -> np.ndarray:
    """Return the factor from each temperature to the next.

    Parameters
    ----------
    schedule : {"geometric", "linear", "logarithmic"}
    levels : int
        Number of temperatures.
    cooling : float
        alpha of the geometric schedule.
    ratio : float
        Last temperature as a share of the first, for the linear schedule.

    Returns
    -------
    ndarray, shape (levels,), float64
        The last one is not used.
    """
    if schedule == "geometric":
        return np.full(levels, cooling)
    if schedule == "linear":
        shares = [1 - (1 - ratio) * t / max(1, levels - 1) for t in range(levels)]
    else:
        shares = [math.log(2) / math.log(t + 2) for t in range(levels)]
    return np.append(np.divide(shares[1:], shares[:-1]), 1.0)
