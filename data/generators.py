"""Random instances by size and seed, in the two planar classes of the DIMACS TSP challenge.

D. S. Johnson and L. A. McGeoch, "Experimental analysis of heuristics for the STSP", in: The Traveling Salesman Problem
and Its Variations (Gutin and Punnen, eds.), Kluwer (2002), section 2: integer coordinates in a square of side
1,000,000, either uniform or in clusters. The classes are theirs; the random numbers are NumPy's, so an instance is
not the challenge's own of the same size and seed.
"""

import math

import numpy as np

from data.errors import InvalidInstance
from data.instance import Instance
from data.limits import MAX_CITIES
from data.tsplib.normal_form import assemble

#: Side of the square.
SIDE = 1_000_000
#: Cities for each cluster centre.
CLUSTER = 100
_MAX_SEED = 2**63 - 1


def uniform(n: int, seed: int) -> Instance:
    """Cities uniform in the square.

    Parameters
    ----------
    n : int
        1 to 200,000.
    seed : int
        0 to 2**63 - 1; the same seed gives the same instance.

    Raises
    ------
    InvalidInstance
        ``RANGE`` or ``LIMIT``.
    """
    rng = _rng(n, seed)
    return _instance("uniform", n, seed, rng.integers(0, SIDE, size=(n, 2)).astype(np.float64))


def clustered(n: int, seed: int) -> Instance:
    """Cities in normal clusters around n / 100 centres, which are uniform in the square.

    Each city has a random centre, and an offset of two normal deviates of standard deviation 1,000,000 / sqrt(n),
    truncated to integers; so a few cities lie outside the square, as in the challenge.

    Parameters
    ----------
    n : int
        1 to 200,000; below 200 there is one centre.
    seed : int
        0 to 2**63 - 1; the same seed gives the same instance.

    Raises
    ------
    InvalidInstance
        ``RANGE`` or ``LIMIT``.
    """
    rng = _rng(n, seed)
    centres = rng.integers(0, SIDE, size=(max(1, n // CLUSTER), 2))
    centre = rng.integers(0, len(centres), size=n)
    offsets = np.trunc(rng.standard_normal((n, 2)) * (SIDE / math.sqrt(n)))
    return _instance("clustered", n, seed, centres[centre] + offsets)


#: Generators by their names in run specifications.
GENERATORS = {"uniform": uniform, "clustered": clustered}


def _rng(n: int, seed: int) -> np.random.Generator:
    if not 1 <= n <= MAX_CITIES:
        raise InvalidInstance("LIMIT" if n > 0 else "RANGE", f"n must be 1 to {MAX_CITIES:,}.")
    if not 0 <= seed <= _MAX_SEED:
        raise InvalidInstance("RANGE", "The seed must be 0 to 2**63 - 1.")
    return np.random.Generator(np.random.Philox(np.random.SeedSequence(seed)))


def _instance(name: str, n: int, seed: int, coordinates: np.ndarray) -> Instance:
    comment = f"{n} random cities, {name}, seed {seed}"
    return assemble(f"{name}-{n}-{seed}", "EUC_2D", "generated", coordinates=coordinates + 0.0, comment=comment)
