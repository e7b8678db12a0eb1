"""Draws tours with Pillow."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from data.instance import Instance
from exports.drawing.city_map import MARGIN, CityMap, fit, fit_width

PAPER, TOUR, CITY = "#ffffff", "#1f6feb", "#24292f"
#: Images are drawn larger by this factor and then reduced, to smooth their lines.
_SMOOTH = 3
#: Size of an arrowhead in pixels, besides twice the width of the line.
_HEAD = 5.0
#: Widths of animations in pixels: default, minimum and maximum.
GIF_WIDTH, _MIN_WIDTH, _MAX_WIDTH = 960, 320, 1600
#: Heights in pixels of a city's name and of its background, in a picture 1,600 pixels wide.
LETTERS, HALO = 18, 3
_TYPEFACE = Path(__file__).parents[2] / "assets" / "vendor" / "inter.woff2"


@dataclass(frozen=True, slots=True)
class Theme:
    """An animation's colours, ``#rrggbb``, as in `assets/common/colours.css`.

    Attributes
    ----------
    name : str
        ``light`` or ``dark``.
    paper, text, mute, tour, city, removed, added : str
    heat, trails : tuple of str
        Colours of the heatmap and of the trails, from the lowest to the highest pheromone.
    """

    name: str
    paper: str
    text: str
    mute: str
    tour: str
    city: str
    removed: str
    added: str
    heat: tuple[str, ...]
    trails: tuple[str, ...]


LIGHT = Theme(
    "light", "#ffffff", "#1b2330", "#5f6a7b", "#1f6feb", "#1b2330", "#d1453b", "#12805c",
    ("#f3f6fb", "#a9c9f7", "#3f83ee", "#14449c", "#0a1c40"),
    ("#c9dcf9", "#a3c4f6", "#74a6f1", "#4286ea", "#1c62cf", "#123f88"),
)  # fmt: skip
DARK = Theme(
    "dark", "#141b25", "#e7ecf3", "#93a0b3", "#5b9dff", "#e7ecf3", "#ff7b70", "#3fca98",
    ("#17202c", "#1e3f70", "#2f73d6", "#86b7ff", "#f2f7ff"),
    ("#1d3251", "#234677", "#2c60a8", "#3c7fd8", "#6ba6fb", "#b4d3ff"),
)  # fmt: skip


class NamePlace(NamedTuple):
    """The place of a city's name: the left end of its centre line, and its width, in pixels of the finished image."""

    text: str
    x: float
    y: float
    width: float


@dataclass(frozen=True, slots=True)
class Look:
    """An animation's width in pixels and its theme."""

    width: int = GIF_WIDTH
    theme: Theme = LIGHT

    @classmethod
    def parse(cls, width: str = "", theme: str = "") -> "Look":
        """Return the look in a URL's query; missing or invalid values get defaults."""
        pixels = int(width) if width.isdecimal() and len(width) < 6 else GIF_WIDTH
        return cls(min(_MAX_WIDTH, max(_MIN_WIDTH, pixels)), DARK if theme == "dark" else LIGHT)


@cache
def load_typeface(size: int, weight: int = 400) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Load the page's typeface, or Pillow's if it cannot be read."""
    try:
        font = ImageFont.truetype(str(_TYPEFACE), size)
        font.set_variation_by_axes([weight])
    except OSError:
        return ImageFont.load_default(size=size)
    return font


@dataclass(frozen=True, slots=True, eq=False)
class Canvas:
    """Draws images of an instance.

    Attributes
    ----------
    map : CityMap
        The map, in pixels of the finished image, without the strip for text.
    foot : int
        Height of the strip for text below the image, in pixels.
    theme : Theme
    directed : bool
        Whether tours have a direction, shown by arrows.
    """

    map: CityMap
    foot: int = 0
    theme: Theme = LIGHT
    directed: bool = False

    @classmethod
    def for_instance(cls, instance: Instance, side: int) -> "Canvas":
        """Return a canvas for an instance's tour, with a longer side of `side` pixels."""
        return cls(fit(instance, side), directed=instance.directed)

    @classmethod
    def wide(cls, instance: Instance, look: Look, foot: int) -> "Canvas":
        """Return a canvas for an animation, with its look's width and a strip for text."""
        return cls(fit_width(instance, look.width), foot, look.theme, instance.directed)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the finished image in pixels, without the strip."""
        return self.map.size

    def blank_image(self) -> tuple[Image.Image, ImageDraw.ImageDraw]:
        """Return an empty enlarged image, and its drawing object."""
        size = (self.size[0] * _SMOOTH, (self.size[1] + self.foot) * _SMOOTH)
        image = Image.new("RGB", size, self.theme.paper)
        return image, ImageDraw.Draw(image)

    def finish(self, image: Image.Image) -> Image.Image:
        """Reduce an image to its final size."""
        return image.reduce(_SMOOTH)

    def tour(self, draw: ImageDraw.ImageDraw, order: np.ndarray, width: float, colour: str = "") -> None:
        """Draw a closed tour, by default in the theme's colour."""
        self._draw(draw, self.map.tour(order), width, colour)

    def edges(
        self, draw: ImageDraw.ImageDraw, edges: np.ndarray, width: float, colour: str = "", dashed: bool = False
    ) -> None:
        """Draw edges given as pairs of cities, (m, 2) int."""
        self._draw(draw, self.map.edges(edges), width, colour, dashed)

    def _draw(
        self, draw: ImageDraw.ImageDraw, lines: list[np.ndarray], width: float, colour: str, dashed: bool = False
    ) -> None:
        """Draw lines, with arrowheads if tours have a direction."""
        fill = colour or self.theme.tour
        for line in lines:
            enlarged = line * _SMOOTH
            for part in _split_dashes(enlarged[0], enlarged[1], 6.0 * _SMOOTH) if dashed else (enlarged,):
                draw.line([tuple(p) for p in part.tolist()], fill=fill, width=self._width(width), joint="curve")
            for head in make_arrowheads(enlarged, (_HEAD + 2 * width) * _SMOOTH) if self.directed else ():
                draw.polygon([tuple(p) for p in head.tolist()], fill=fill)

    def cities(self, draw: ImageDraw.ImageDraw, radius: float) -> None:
        """Draw the cities as dots."""
        r = radius * _SMOOTH
        for x, y in (self.map.places * _SMOOTH).tolist():
            draw.ellipse((x - r, y - r, x + r, y + r), fill=self.theme.city)

    def names(self, draw: ImageDraw.ImageDraw, names: Sequence[NamePlace]) -> None:
        """Write cities' names at their places (see `exports.drawing.image_files`)."""
        font = load_typeface(LETTERS * _SMOOTH)
        for name in names:
            draw.text(
                (name.x * _SMOOTH, name.y * _SMOOTH), name.text, fill=self.theme.city, font=font, anchor="lm",
                stroke_width=HALO * _SMOOTH, stroke_fill=self.theme.paper,
            )  # fmt: skip

    def write(self, draw: ImageDraw.ImageDraw, lines: Sequence[str]) -> None:
        """Write lines of text in the strip below the image, the first in bold.

        A line that is too long for the image is written in smaller type.
        """
        height, side = self.foot * _SMOOTH / (len(lines) + 0.4), MARGIN * self.size[0] * _SMOOTH
        room = self.size[0] * _SMOOTH - 2 * side
        for number, line in enumerate(lines):
            size, weight = round(height * 0.66), 600 if number == 0 else 400
            length = load_typeface(size, weight).getlength(line)
            font = load_typeface(int(size * min(1.0, room / max(1.0, length))), weight)
            fill = self.theme.text if number == 0 else self.theme.mute
            place = (side, self.size[1] * _SMOOTH + height * (number + 0.5))
            draw.text(place, line, fill=fill, font=font, anchor="lm")

    def _width(self, width: float) -> int:
        return max(1, round(width * _SMOOTH))


def make_arrowheads(line: np.ndarray, size: float) -> np.ndarray:
    """Return an arrowhead in the middle of each of a line's edges that is at least three times as long as a head.

    Parameters
    ----------
    line : ndarray, shape (m, 2), float64
        Points in pixels.
    size : float
        Size of a head in pixels.

    Returns
    -------
    ndarray, shape (k, 3, 2), float64
        The corners of the heads, the tip first.
    """
    steps = np.diff(line, axis=0)
    length = np.sqrt((steps**2).sum(axis=1))
    has_room = length >= 3 * size
    steps = steps[has_room] * (size / 2 / length[has_room, None])
    middle, across = (line[:-1][has_room] + line[1:][has_room]) / 2, steps[:, ::-1] * (-1.0, 1.0)
    return np.stack((middle + steps, middle - steps + across, middle - steps - across), axis=1)


def _split_dashes(a: np.ndarray, b: np.ndarray, dash: float) -> list[np.ndarray]:
    count = max(1, int(np.hypot(*(b - a)) / dash) | 1)
    cuts = a + np.linspace(0.0, 1.0, count + 1)[:, None] * (b - a)
    return [cuts[k : k + 2] for k in range(0, count, 2)]


def choose_dot_radius(n: int, side: int) -> float:
    """Return the radius of a city's dot in pixels, small enough to leave space between n dots."""
    return float(np.clip(side / (14.0 * np.sqrt(n)), 0.4, side / 220))
