"""Size limits of instances."""

#: Most bytes of a file in the user's own folder.
MAX_OWN_BYTES = 64_000_000
#: Most bytes of a picture to convert to cities.
MAX_PICTURE_BYTES = 12_000_000
#: Most characters of a line.
MAX_LINE = 1_000_000
#: Most lines of a header; no real header has more.
MAX_HEADERS = 1_000
#: Most cities with coordinates in an uploaded file, and for most algorithms.
MAX_CITIES = 200_000
#: Most bytes of a file, both as sent and after inflating: 80 per city.
MAX_BYTES = 80 * MAX_CITIES
#: Most cities of generated instances, and of a file in the user's own folder.
MAX_OWN_CITIES = 1_000_000
#: Most cities of an EXPLICIT instance.
MAX_EXPLICIT = 1_500
#: Most cities of a full distance matrix (1.6 GB of int32).
MAX_MATRIX = 20_000
#: Largest absolute value of a coordinate, so that the longest planar edge, sqrt(8) times this, fits an int32.
MAX_COORDINATE = 500_000_000.0
#: Largest absolute value of a weight.
MAX_WEIGHT = 2**31 - 1
#: Most characters of a city's name.
MAX_CITY_NAME = 80
#: Most characters of an instance's name and of its comment.
MAX_NAME = 100
MAX_COMMENT = 1_000
