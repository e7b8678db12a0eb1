"""An instance whose tour looks like a picture."""

import numpy as np

from data.errors import InvalidInstance
from data.instance import Instance
from data.pictures.darkness import read_darkness
from data.pictures.stippling import stipple
from data.tsplib.normal_form import assemble

#: Minimum, maximum and default number of cities.
MIN_CITIES, MAX_CITIES, CITIES = 100, 20_000, 5_000
#: Minimum and maximum contrast.
MIN_CONTRAST, MAX_CONTRAST = 0.5, 3.0
MAX_SEED = 2**53 - 1
#: Length of a picture's longer side.
SIDE = 100_000
#: Number of raster pixels per city, and minimum and maximum number of raster pixels.
_PIXELS, _MIN_PIXELS, _MAX_PIXELS = 60, 60_000, 500_000


def picture_cities(
    raw: bytes, name: str, cities: int = CITIES, contrast: float = 1.0, invert: bool = False, seed: int = 1
) -> Instance:
    """Return an instance whose cities are dense where a picture is dark.

    A shortest tour through n random points of an area A is about 0.7124 sqrt(n A) long (J. Beardwood, J. H. Halton and
    J. M. Hammersley, "The shortest path through many points", 1959; the constant is from later experiments). So its
    line is as dense as the root of the points' density, and the density of the points is the square of the darkness.

    Parameters
    ----------
    raw : bytes
        A PNG or JPEG file.
    name : str
        Name of the instance.
    cities : int
        `MIN_CITIES` to `MAX_CITIES`.
    contrast : float
        `MIN_CONTRAST` to `MAX_CONTRAST`; see `data.pictures.darkness.read_darkness`.
    invert : bool
        Whether to place cities where the picture is light.
    seed : int
        Seed; the same seed gives the same cities.

    Raises
    ------
    InvalidInstance
        ``RANGE``, ``PICTURE`` or ``LIMIT``.
    """
    check_settings(cities, contrast, seed)
    raster = int(np.clip(_PIXELS * cities, _MIN_PIXELS, _MAX_PIXELS))
    weights = read_darkness(raw, raster, contrast, invert) ** 2
    if not weights.any():
        raise InvalidInstance("PICTURE", "The picture is white everywhere: there is nothing to draw.")
    points = stipple(weights, cities, seed)
    height, width = weights.shape
    places = np.column_stack((points[:, 0], height - points[:, 1])) * (SIDE / max(height, width))
    comment = f"{cities} cities of a picture by weighted Voronoi stippling, seed {seed}"
    return assemble(name, "EUC_2D", "uploaded", coordinates=np.rint(places) + 0.0, comment=comment)


def check_settings(cities: int, contrast: float, seed: int) -> None:
    """Validate the number of cities, the contrast and the seed.

    Raises
    ------
    InvalidInstance
        ``RANGE``.
    """
    if not MIN_CITIES <= cities <= MAX_CITIES:
        raise InvalidInstance("RANGE", f"A picture becomes {MIN_CITIES} to {MAX_CITIES:,} cities.")
    if not MIN_CONTRAST <= contrast <= MAX_CONTRAST:
        raise InvalidInstance("RANGE", f"The contrast must be {MIN_CONTRAST} to {MAX_CONTRAST}.")
    if not 0 <= seed <= MAX_SEED:
        raise InvalidInstance("RANGE", f"The seed must be 0 to {MAX_SEED}.")
