"""Regions with lists of largest cities: the world, continents and countries."""

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from data.places.gazetteer import City, cities, countries

#: Continents as named in references, with GeoNames' codes.
CONTINENTS = {
    "africa": "AF",
    "asia": "AS",
    "europe": "EU",
    "north-america": "NA",
    "oceania": "OC",
    "south-america": "SA",
}
WORLD = "world"


class Region(NamedTuple):
    """A region: its code in references (``world``, ``europe``, ``de``) and its name."""

    key: str
    name: str


@lru_cache(maxsize=1)
def regions() -> dict[str, Region]:
    """Return all regions by code: the world, the continents, then the countries sorted by name."""
    nations = sorted((country.name, code.lower()) for code, country in countries().items())
    names = {WORLD: "the world"} | {key: key.replace("-", " ").title() for key in CONTINENTS}
    return {key: Region(key, name) for key, name in [*names.items(), *((code, name) for name, code in nations)]}


@lru_cache(maxsize=16)
def region_cities(key: str) -> tuple[City, ...]:
    """Return the cities in one of `regions`, largest first."""
    if key == WORLD:
        return cities()
    if key in CONTINENTS:
        within = {code for code, country in countries().items() if country.continent == CONTINENTS[key]}
    else:
        within = {key.upper()}
    return tuple(city for city in cities() if city.country in within)


def make_slug(name: str) -> str:
    """Convert a name to lower-case ASCII letters, digits and hyphens: Côte d'Ivoire is cote-d-ivoire."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")


def parse_region(text: str) -> str | None:
    """Return the region key in user input: a key, or a country's name."""
    wanted = make_slug(text)
    if wanted in regions():
        return wanted
    return next((region.key for region in regions().values() if make_slug(region.name) == wanted), None)
