"""Animations drawn picture by picture, and their encoding as GIFs by Pillow."""

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from PIL import Image

#: Number of shades between each colour and the background, for smooth lines.
_SHADES = 10
#: Minimum duration of a GIF's picture in milliseconds, since viewers slow down faster GIFs; maximum number of pictures.
_MIN_MILLISECONDS, _MAX_GIF_PICTURES = 50, 120


@dataclass(frozen=True, slots=True, eq=False)
class Animation:
    """An animation whose pictures are drawn when needed.

    Attributes
    ----------
    count : int
        Number of pictures.
    pictures : iterator of PIL.Image.Image
        RGB pictures, each drawn when requested.
    colours : PIL.Image.Image
        The palette of its GIF, see `make_palette`.
    milliseconds, last : int
        Duration of each picture, and of the last one, in a GIF.
    """

    count: int
    pictures: Iterator[Image.Image]
    colours: Image.Image
    milliseconds: int
    last: int

    def steps(self) -> Iterator[bytes]:
        """Yield a line with the number of pictures, a line with a mark per picture drawn, then the file.

        `assets/common/saving/animation.js` reads these to show the progress.
        """
        yield f"{self.count}\n".encode()
        pictures = []
        for picture in self.pictures:
            pictures.append(self._quantise(picture))
            yield b"."
        yield b"\n"
        yield self._encode(pictures)

    def file(self, on_progress: Callable[[float], None] = lambda share: None) -> bytes:
        """Return the encoded GIF; `on_progress` receives the progress, 0 to 1."""
        pictures: list[Image.Image] = []
        for picture in self.pictures:
            on_progress(len(pictures) / self.count)
            pictures.append(self._quantise(picture))
        return self._encode(pictures)

    def with_duration(self, seconds: float) -> "Animation":
        """Return the animation with a fixed duration from first to last picture."""
        each = round(1000 * seconds / max(1, self.count - 1))
        return replace(self, milliseconds=max(_MIN_MILLISECONDS, each))

    def _quantise(self, picture: Image.Image) -> Image.Image:
        """Convert a picture to the palette's colours."""
        return picture.quantize(palette=self.colours, dither=Image.Dither.NONE)

    def _encode(self, pictures: list[Image.Image]) -> bytes:
        durations = [self.milliseconds] * (len(pictures) - 1) + [self.last]
        file = io.BytesIO()
        first, *others = pictures
        first.save(file, "GIF", save_all=True, append_images=others, duration=durations, loop=0, optimize=False)
        return file.getvalue()


def max_gif_pictures(seconds: float) -> int:
    """Return the maximum number of pictures in a GIF of this duration."""
    return max(2, min(_MAX_GIF_PICTURES, round(1000 * seconds / _MIN_MILLISECONDS) + 1))


def make_palette(paper: str, inks: Sequence[str], shades: int = _SHADES) -> Image.Image:
    """Return a palette of a drawing's colours, and of shades between each colour and the background."""
    ground = _parse_colour(paper)
    colours = [
        ground,
        *(ground + (_parse_colour(ink) - ground) * k / shades for ink in inks for k in range(1, shades + 1)),
    ]
    image = Image.new("P", (1, 1))
    image.putpalette(np.round(np.array(colours[:256])).astype(int).ravel().tolist())
    return image


def _parse_colour(colour: str) -> np.ndarray:
    return np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)], float)


def choose_evenly(count: int, maximum: int) -> list[int]:
    """Return at most `maximum` evenly spaced indices from 0 to `count` - 1, with both ends."""
    return np.unique(np.linspace(0, count - 1, min(count, maximum)).round().astype(int)).tolist()
