"""Size limits of instances."""

#: Bytes of a file in the user's own folder.
MAX_OWN_BYTES = 64_000_000
#: Bytes of a picture that becomes cities.
MAX_PICTURE_BYTES = 12_000_000
#: Characters of one line.
MAX_LINE = 1_000_000
#: Lines of the header; no real header has more.
MAX_HEADERS = 1_000
#: Cities with coordinates of a file that somebody sends, and of most algorithms.
MAX_CITIES = 200_000
#: Bytes of a file, both as sent and after inflating: 80 for each city.
MAX_BYTES = 80 * MAX_CITIES
#: Cities of what is made here, and of a file in the user's own folder.
MAX_OWN_CITIES = 1_000_000
#: Cities of an EXPLICIT instance.
MAX_EXPLICIT = 1_500
#: Cities of a whole distance matrix (1.6 GB of int32).
MAX_MATRIX = 20_000
#: Absolute value of a coordinate: so that the longest planar edge, sqrt(8) times this, fits an int32.
MAX_COORDINATE = 500_000_000.0
#: Absolute value of a weight.
MAX_WEIGHT = 2**31 - 1
#: Characters of a city's name.
MAX_CITY_NAME = 80
#: Characters of an instance's name and of its comment.
MAX_NAME = 100
MAX_COMMENT = 1_000
