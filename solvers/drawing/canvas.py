"""Mapping of cities to pixels, and drawing of tours with Pillow."""

from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from data.instance import Instance

PAPER, TOUR, CITY, TEXT = "#ffffff", "#1f6feb", "#24292f", "#57606a"
REMOVED, ADDED = "#d1453b", "#12805c"
#: Images are drawn larger by this factor and then reduced, which smooths their lines.
_SMOOTH = 2
_MARGIN = 0.04


def positions(instance: Instance) -> np.ndarray:
    """Positions of the cities, with y upwards and one scale for both axes.

    Parameters
    ----------
    instance : Instance

    Returns
    -------
    ndarray, shape (n, 2), float64
        For GEO instances, longitude is multiplied by the cosine of the mean latitude.
    """
    places = instance.display.astype(np.float64)
    if instance.kind == "GEO":
        places = places * (np.cos(np.radians(places[:, 1].mean())), 1.0)
    return places


def fit(places: np.ndarray, side: float) -> tuple[np.ndarray, tuple[int, int]]:
    """Scale positions to an image whose longer side is `side` pixels.

    Parameters
    ----------
    places : ndarray, shape (n, 2), float64
        With y upwards; see `positions`.
    side : float

    Returns
    -------
    ndarray, shape (n, 2), float64
        In pixels, with y downwards.
    (int, int)
        Width and height of the image in pixels.
    """
    low, span = places.min(axis=0), np.maximum(np.ptp(places, axis=0), 1e-9)
    # The aspect ratio is at most 2 to 1: cities on a line would leave no room for text.
    inner = side * (1 - 2 * _MARGIN)
    scale = inner / span.max()
    drawn = span * scale
    size = np.maximum(drawn, inner / 2) + 2 * _MARGIN * side
    at = (places - low) * scale + (size - drawn) / 2
    at[:, 1] = size[1] - at[:, 1]
    return at, (round(size[0]), round(size[1]))


@dataclass(frozen=True, slots=True, eq=False)
class Canvas:
    """Draws images of an instance.

    Attributes
    ----------
    places : ndarray, shape (n, 2), float64
        City positions in pixels of the enlarged image.
    size : tuple of int
        Width and height of the finished image in pixels, without the strip for text.
    foot : int
        Height of the strip for text below the image, in pixels.
    """

    places: np.ndarray
    size: tuple[int, int]
    foot: int = 0

    @classmethod
    def of(cls, instance: Instance, side: int, foot: int = 0) -> "Canvas":
        """A canvas for an instance, its longer side `side` pixels."""
        places, size = fit(positions(instance), side)
        return cls(places * _SMOOTH, size, foot)

    def blank_image(self) -> tuple[Image.Image, ImageDraw.ImageDraw]:
        """An empty enlarged image, and the object that draws on it."""
        size = (self.size[0] * _SMOOTH, (self.size[1] + self.foot) * _SMOOTH)
        image = Image.new("RGB", size, PAPER)
        return image, ImageDraw.Draw(image)

    def finish(self, image: Image.Image) -> Image.Image:
        """The image, reduced to its final size."""
        return image.reduce(_SMOOTH)

    def tour(self, draw: ImageDraw.ImageDraw, order: np.ndarray, width: float, colour: str = TOUR) -> None:
        """Draw a closed tour."""
        points = self.places[np.append(order, order[0])]
        draw.line([tuple(p) for p in points.tolist()], fill=colour, width=self._width(width), joint="curve")

    def edges(
        self, draw: ImageDraw.ImageDraw, edges: np.ndarray, width: float, colour: str = TOUR, dashed: bool = False
    ) -> None:
        """Draw edges, given as pairs of cities, (m, 2) int."""
        for a, b in self.places[np.asarray(edges)]:
            for start, end in _dashes(a, b, 6.0 * _SMOOTH) if dashed else ((a, b),):
                draw.line([tuple(start), tuple(end)], fill=colour, width=self._width(width))

    def cities(self, draw: ImageDraw.ImageDraw, radius: float, colour: str = CITY) -> None:
        """Draw the cities as dots."""
        r = radius * _SMOOTH
        for x, y in self.places.tolist():
            draw.ellipse((x - r, y - r, x + r, y + r), fill=colour)

    def write(self, draw: ImageDraw.ImageDraw, text: str) -> None:
        """Write a line of text into the strip below the image."""
        height = self.foot * _SMOOTH
        font = ImageFont.load_default(size=height * 0.55)
        draw.text((height * 0.5, self.size[1] * _SMOOTH + height * 0.5), text, fill=TEXT, font=font, anchor="lm")

    def _width(self, width: float) -> int:
        return max(1, round(width * _SMOOTH))


def _dashes(a: np.ndarray, b: np.ndarray, dash: float) -> list[tuple[np.ndarray, np.ndarray]]:
    count = max(1, int(np.hypot(*(b - a)) / dash) | 1)
    cuts = a + np.linspace(0.0, 1.0, count + 1)[:, None] * (b - a)
    return [(cuts[k], cuts[k + 1]) for k in range(0, count, 2)]


def dot_radius(n: int, side: int) -> float:
    """Radius of a city's dot in pixels, small enough to leave room between n of them."""
    return float(np.clip(side / (14.0 * np.sqrt(n)), 0.4, side / 220))
