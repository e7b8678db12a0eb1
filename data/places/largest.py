"""Instances of real places.

Distances are TSPLIB's GEO: whole kilometres on a sphere of radius 6,378.388 km, rounded up. So lengths are integers
that every solver and kernel computes exactly, and an exported instance is a TSPLIB file that any other program measures
in the same way. On a sphere of the mean radius of WGS 84 (6,371.0088 km) a distance is 0.12 % shorter, and without
rounding it is another half kilometre shorter on average.
"""

from dataclasses import replace

import numpy as np

from data.city_names import shorten_names
from data.distances import degrees_minutes
from data.errors import InvalidInstance
from data.instance import Instance
from data.places.gazetteer import City
from data.places.regions import WORLD, make_slug, parse_region, region_cities, regions
from data.suggest import describe_unknown
from data.tsplib.normal_form import assemble

#: Value of `Instance.source`, and key of a reference.
SOURCE = "places"


def list_largest(region: str, n: int) -> tuple[City, ...]:
    """Return a region's n largest cities, largest first.

    Parameters
    ----------
    region : str
        One of `data.places.regions.regions`.
    n : int
        1 to the number of the region's cities in the list.

    Raises
    ------
    InvalidInstance
        ``UNKNOWN``, ``RANGE`` or ``LIMIT``.
    """
    if region not in regions():
        raise InvalidInstance("UNKNOWN", describe_unknown("region", region, [*regions()]))
    found = region_cities(region)
    if n < 1:
        raise InvalidInstance("RANGE", "n must be at least 1.")
    if n > len(found):
        city_count = "1 city" if len(found) == 1 else f"{len(found):,} cities"
        raise InvalidInstance(
            "LIMIT", f"The list has {city_count} of {regions()[region].name}: n must be 1 to {len(found):,}."
        )
    return found[:n]


def largest(region: str, n: int) -> Instance:
    """Return the instance of a region's n largest cities, in the order of `list_largest`.

    Raises
    ------
    InvalidInstance
        As `list_largest`.
    """
    chosen = list_largest(region, n)
    degrees = np.array([(city.latitude, city.longitude) for city in chosen])
    name = regions()[region].name
    word = WORLD if region == WORLD else make_slug(name)
    names = shorten_names(city.name for city in chosen)
    comment = f"{n} largest cities of {name}, GeoNames (CC BY 4.0)"
    # To a ten-thousandth of a minute, about 20 cm, so that an exported file has short numbers.
    points = degrees_minutes(degrees, 6)
    instance = assemble(f"{word}-{n}", "GEO", SOURCE, coordinates=points, comment=comment, names=names)
    return replace(instance, display=unwrap(instance.display))


def unwrap(display: np.ndarray) -> np.ndarray:
    """Allow longitudes beyond 180 degrees if that keeps the places within half of the globe.

    Fiji and Samoa are neighbours across the date line: on a map of Oceania, Samoa is at 188 degrees.

    Parameters
    ----------
    display : ndarray, shape (n, 2), float64
        Longitude and latitude in degrees.

    Returns
    -------
    ndarray, shape (n, 2), float64
    """
    east = np.sort(display[:, 0])
    gaps = np.diff(east, append=east[0] + 360.0)
    widest = int(gaps.argmax())
    if widest == len(east) - 1 or gaps[widest] < 180.0:
        return display
    moved = display.copy()
    moved[display[:, 0] <= east[widest], 0] += 360.0
    return moved


def parse_reference(text: str) -> dict[str, object] | None:
    """Convert the short form ``places:REGION:N``, with a country's code or name, to a reference.

    Return None for any other text.
    """
    word, _, rest = text.partition(":")
    region, _, n = rest.rpartition(":")
    if word != SOURCE or not region or not n.isascii() or not n.isdigit() or len(n) > 7:
        return None
    return {"places": parse_region(region) or region, "n": int(n)}
