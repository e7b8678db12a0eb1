"""Size limits on instances."""

#: Maximum size in bytes of a file in the user's own folder.
MAX_OWN_BYTES = 64_000_000
#: Maximum size in bytes of a picture to convert to cities.
MAX_PICTURE_BYTES = 12_000_000
#: Maximum number of characters in a line.
MAX_LINE = 1_000_000
#: Maximum number of lines in a header; no real header has more.
MAX_HEADERS = 1_000
#: Maximum number of cities with coordinates in an uploaded file, and for most algorithms.
MAX_CITIES = 200_000
#: Maximum size of a file in bytes, both compressed and decompressed: 80 bytes per city.
MAX_BYTES = 80 * MAX_CITIES
#: Maximum number of cities on a page, and in a file in the user's own folder.
MAX_PAGE_CITIES = 1_000_000
#: Maximum number of cities of generated instances and arrays.
MAX_OWN_CITIES = 10_000_000
#: Maximum number of cities of an EXPLICIT instance.
MAX_EXPLICIT = 5_000
#: Maximum number of cities for a full distance matrix (1.6 GB of int32).
MAX_MATRIX = 20_000
#: Largest absolute value of a coordinate, so that the longest planar edge, sqrt(8) times this, fits an int32.
MAX_COORDINATE = 500_000_000.0
#: Largest absolute value of a weight.
MAX_WEIGHT = 2**31 - 1
#: Maximum number of characters in a city's name.
MAX_CITY_NAME = 80
#: Maximum number of characters in an instance's name, and in its comment.
MAX_NAME = 100
MAX_COMMENT = 1_000
#: City limits of the sources that do not use `MAX_CITIES`; see `data.instance.Instance.source`.
_OWN = {"folder": MAX_PAGE_CITIES, "generated": MAX_OWN_CITIES, "inline": MAX_OWN_CITIES}


def max_cities(source: str) -> int:
    """Return the maximum number of cities with coordinates from this source."""
    return _OWN.get(source, MAX_CITIES)


def max_bytes(source: str) -> int:
    """Return the maximum size of a file from this source, in bytes."""
    return MAX_OWN_BYTES if source in _OWN else MAX_BYTES
