"""Small instances for the exact algorithms."""

from benchmarks.cities import pick_cities
from data.collection.resolve import load
from data.generators import SIDE, uniform
from data.instance import Instance
from data.tsplib.normal_form import assemble

#: Sides of squares: tours in the first are short enough for states of 2 bytes, tours in the second are not.
SIDES = (1_000, SIDE)
#: TSPLIB instances with proven optima.
PROVEN = ("burma14", "gr17", "ulysses16", "gr21", "ulysses22", "gr24", "fri26", "bayg29", "bays29")


def generate_square(n: int, side: int) -> Instance:
    """Return cities uniform in a square: as in `data.generators.uniform`, but on a grid from 0 to `side` - 1."""
    coordinates = uniform(n, 1).coordinates
    assert coordinates is not None
    return assemble(f"square-{side}-{n}", "EUC_2D", "generated", coordinates=coordinates * side // SIDE)


def load_first_cities(name: str, count: int) -> Instance:
    """Return the first cities of a listed instance with coordinates."""
    return pick_cities(load(name), slice(count), f"{name}, first {count}")
