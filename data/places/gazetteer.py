"""The bundled list of cities, loaded on first use.

The cities come from GeoNames (https://www.geonames.org, CC BY 4.0) and have at least 15,000 inhabitants. GeoNames lists
some districts of cities as separate places.
"""

import gzip
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent
CITIES, COUNTRIES = "cities.tsv.gz", "countries.tsv"


class City(NamedTuple):
    """A city in the list, with latitude and longitude in decimal degrees."""

    name: str
    country: str
    latitude: float
    longitude: float
    population: int


class Country(NamedTuple):
    """A country by its ISO 3166-1 code, such as DE, with GeoNames' continent code."""

    code: str
    continent: str
    name: str


@lru_cache(maxsize=1)
def cities() -> tuple[City, ...]:
    """Return all cities, largest first."""
    lines = gzip.decompress((FOLDER / CITIES).read_bytes()).decode().splitlines()
    rows = (line.split("\t") for line in lines)
    return tuple(
        City(name, code, float(north), float(east), int(population)) for name, code, north, east, population in rows
    )


@lru_cache(maxsize=1)
def countries() -> dict[str, Country]:
    """Return the countries with a listed city, by code."""
    lines = (FOLDER / COUNTRIES).read_text(encoding="utf-8").splitlines()
    return {row[0]: Country(*row) for row in (line.split("\t") for line in lines)}


def country_names(language: str) -> dict[str, str]:
    """Return countries' names in another language, by English name; from Unicode's CLDR.

    Parameters
    ----------
    language : str
        A language of the pages that has a file in ``data/places/names/``.
    """
    lines = (FOLDER / "names" / f"{language}.tsv").read_text(encoding="utf-8").splitlines()
    return {countries()[code].name: name for code, name in (line.split("\t") for line in lines)}
