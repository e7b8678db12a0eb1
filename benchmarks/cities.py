"""Makes instances from another instance's cities, or from uniform cities in a square."""

import math
from typing import Any

import numpy as np

from data.instance import Instance
from data.tsplib.normal_form import assemble

#: Side of the square, and the constant in the tables of J. L. Bentley and D. S. Johnson.
_SIDE, _CONSTANT = 1_000_000, 0.7124


def pick_cities(instance: Instance, selection: Any, name: str = "") -> Instance:
    """Return a new instance of the cities that an index selects."""
    assert instance.coordinates is not None
    coordinates = np.array(instance.coordinates[selection])
    return assemble(name or instance.name, instance.kind, "inline", coordinates=coordinates)


def shuffle_cities(instance: Instance, seed: int) -> Instance:
    """Shuffle the cities of an instance by a seed."""
    return pick_cities(instance, np.random.default_rng(seed).permutation(instance.n))


def generate_square(name: str, n: int, seed: int) -> Instance:
    """Return uniform cities in a square; `n` may exceed the limit on files."""
    points = np.random.default_rng(seed).integers(0, _SIDE, (n, 2)).astype(np.float64)
    return Instance(name, "EUC_2D", n, points, None, points)


def expect_length(n: int) -> float:
    """Return the expected length of a shortest tour of such a square."""
    return _CONSTANT * _SIDE * math.sqrt(n)
