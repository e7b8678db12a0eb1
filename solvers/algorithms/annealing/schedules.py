"""Cooling schedules: each temperature of a chain as a share of the first.

All three have the same number of temperatures, `levels`, and therefore the same work. T0 is the first temperature, r T0
the last one of the geometric and the linear schedule, and t the temperature's index, from 0 on:

- geometric, T(t) = T0 alpha**t: S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi, "Optimization by Simulated Annealing"
  (1983); the exponential schedule of J. Utne and H. N. W. Hansen, "Solving TSP on the GPU based on heuristic
  algorithms" (2023), section 3.3.2;
- linear, T(t) = T0 - eta t, with eta such that the last temperature is r T0;
- logarithmic, T(t) = T0 ln 2 / ln(t + 2): S. Geman and D. Geman, "Stochastic Relaxation, Gibbs Distributions, and the
  Bayesian Restoration of Images" (IEEE PAMI 6, 1984), their c / ln(1 + k) with k = t + 1 and c = T0 ln 2. No practical
  number of temperatures reaches r T0.

Utne and Hansen name the linear and the logarithmic schedule without formulas, citing Y. Nourani and B. Andresen, "A
comparison of simulated annealing cooling strategies" (Journal of Physics A 31, 1998).
"""

import math

import numpy as np

SCHEDULES = ("geometric", "linear", "logarithmic")


def count_levels(cooling: float, ratio: float) -> int:
    """Count the temperatures of the geometric schedule from 1 down to `ratio`."""
    return 1 + math.floor(math.log(ratio) / math.log(cooling))


def compute_factors(schedule: str, levels: int, cooling: float, ratio: float) -> np.ndarray:
    """Return the factors between successive temperatures.

    Parameters
    ----------
    schedule : {"geometric", "linear", "logarithmic"}
    levels : int
        Number of temperatures.
    cooling : float
        The geometric schedule's alpha.
    ratio : float
        The linear schedule's last temperature as a share of its first.

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
