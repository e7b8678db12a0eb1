"""Random instances by size and seed: the DIMACS TSP challenge's two planar classes, and a directed one.

D. S. Johnson and L. A. McGeoch, "Experimental analysis of heuristics for the STSP", in: The Traveling Salesman Problem
and Its Variations (Gutin and Punnen, eds.), Kluwer (2002), section 2: integer coordinates in a square of side
1,000,000, either uniform or in clusters. The classes are theirs; the random numbers are NumPy's, so an instance differs
from the challenge's instance of the same size and seed. The directed class is this program's own.
"""

import math

import numpy as np

from data.errors import InvalidInstance
from data.instance import Instance
from data.limits import MAX_EXPLICIT, MAX_OWN_CITIES
from data.tsplib.normal_form import assemble

#: Side of the square.
SIDE = 1_000_000
#: Number of cities per cluster centre.
CLUSTER = 100
#: Greatest wind speed in `directed`, relative to the speed through the air.
WIND = 0.5
#: Number of flights that are computed at a time, so that they fit into the caches.
_BLOCK = 1 << 12
_MAX_SEED = 2**63 - 1


def uniform(n: int, seed: int) -> Instance:
    """Return an instance of cities uniform in a square.

    Parameters
    ----------
    n : int
        1 to 10,000,000.
    seed : int
        0 to 2**63 - 1; the same seed gives the same instance.

    Raises
    ------
    InvalidInstance
        ``RANGE`` or ``LIMIT``.
    """
    rng = _make_rng(n, seed)
    return _make_instance("uniform", n, seed, rng.integers(0, SIDE, size=(n, 2)).astype(np.float64))


def clustered(n: int, seed: int) -> Instance:
    """Return an instance of cities in normal clusters around n / 100 uniform centres.

    Each city has a random centre, and an offset of two normal deviates with standard deviation 1,000,000 / sqrt(n),
    truncated to integers; so a few cities lie outside the square, as in the challenge.

    Parameters
    ----------
    n : int
        1 to 10,000,000; below 200 there is one centre.
    seed : int
        0 to 2**63 - 1; the same seed gives the same instance.

    Raises
    ------
    InvalidInstance
        ``RANGE`` or ``LIMIT``.
    """
    rng = _make_rng(n, seed)
    centres = rng.integers(0, SIDE, size=(max(1, n // CLUSTER), 2))
    centre = rng.integers(0, len(centres), size=n)
    offsets = np.trunc(rng.standard_normal((n, 2)) * (SIDE / math.sqrt(n)))
    return _make_instance("clustered", n, seed, centres[centre] + offsets)


def directed(n: int, seed: int) -> Instance:
    """Return an instance of uniform cities in a wind around the centre; flights against it take longer.

    A distance is the time of a flight at speed 1 through the air, with the wind at the midpoint of the flight. The wind
    is 0 in the centre of the square and grows in proportion to the distance from it, up to half at the middle of a
    side. With v the wind along the flight and w its strength, the speed over the ground is v + sqrt(1 - w^2 + v^2). A
    uniform wind would not work: its effects on a closed tour cancel, so a tour would take equally long in both
    directions.

    Parameters
    ----------
    n : int
        1 to 5,000.
    seed : int
        0 to 2**63 - 1; the same seed gives the same instance.

    Raises
    ------
    InvalidInstance
        ``RANGE`` or ``LIMIT``.
    """
    places = _make_rng(n, seed, MAX_EXPLICIT).integers(0, SIDE, size=(n, 2)).astype(np.float64)
    times, rows = np.empty((n, n), np.int32), max(1, _BLOCK // n)
    for first in range(0, n, rows):
        times[first : first + rows] = _compute_flight_times(places[first : first + rows], places)
    comment = f"{n} random cities in a wind that turns round the middle, seed {seed}"
    return assemble(f"directed-{n}-{seed}", "EXPLICIT", "generated", weights=times, drawn=places, comment=comment)


def _compute_flight_times(starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Return flight times, (s, e) float64, between places (s, 2) and (e, 2); see `directed`."""
    (x, y), (to_x, to_y) = starts.T[:, :, None], ends.T
    flight_x, flight_y = to_x - x, to_y - y
    far = np.sqrt(flight_x**2 + flight_y**2)
    middle_x, middle_y = (to_x + x) / SIDE - 1.0, (to_y + y) / SIDE - 1.0
    radius = np.sqrt(middle_x**2 + middle_y**2)
    wind = WIND * np.minimum(radius, 1.0)
    along = (flight_y * middle_x - flight_x * middle_y) / np.maximum(far * radius, 1e-9) * wind
    return np.rint(far / (along + np.sqrt(1.0 - wind**2 + along**2)))


#: Generators by their names in run specifications.
GENERATORS = {"uniform": uniform, "clustered": clustered, "directed": directed}
#: Short forms that users type for a generator with its arguments, or for real places.
SPELLINGS = (*(f"{name}:N:SEED" for name in GENERATORS), "places:REGION:N")


def _make_rng(n: int, seed: int, most: int = MAX_OWN_CITIES) -> np.random.Generator:
    if not 1 <= n <= most:
        raise InvalidInstance("LIMIT" if n > 0 else "RANGE", f"n must be 1 to {most:,}.")
    if not 0 <= seed <= _MAX_SEED:
        raise InvalidInstance("RANGE", "The seed must be 0 to 2**63 - 1.")
    return np.random.Generator(np.random.Philox(np.random.SeedSequence(seed)))


def _make_instance(name: str, n: int, seed: int, coordinates: np.ndarray) -> Instance:
    comment = f"{n} random cities, {name}, seed {seed}"
    return assemble(f"{name}-{n}-{seed}", "EUC_2D", "generated", coordinates=coordinates + 0.0, comment=comment)
