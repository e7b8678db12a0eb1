"""Compiles or loads the kernels of the bound. Imports Numba: for use inside `solve()`."""

import numpy as np

from data.instance import Instance
from data.tsplib.normal_form import assemble
from solvers.bounds.lower_bound import lower_bounds


def load() -> None:
    """Run the kernels on a few cities, so that no run's clock counts their compilation."""
    for _ in lower_bounds(_square()):
        continue


def _square() -> Instance:
    corners = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    return assemble("square", "EUC_2D", "inline", coordinates=corners)
