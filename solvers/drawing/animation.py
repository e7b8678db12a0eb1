"""Animations, drawn picture by picture; GIFs of them, encoded by Pillow; and the words below them."""

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from PIL import Image

from data.gaps import gap_percent
from data.instance import Instance
from solvers.result import uses_missing

#: Shades between each colour and the ground, which smooth lines have.
_SHADES = 10
#: Milliseconds of a GIF's picture at least, for viewers slow down what is briefer; and its pictures at most.
_BRIEFEST, _MOST_IN_GIF = 50, 120
MINUS = "\u2212"


@dataclass(frozen=True, slots=True, eq=False)
class Animation:
    """An animation that is still to be drawn.

    Attributes
    ----------
    count : int
        Number of its pictures.
    pictures : iterator of PIL.Image.Image
        RGB; each is drawn when it is asked for.
    colours : PIL.Image.Image
        The palette of its GIF, see `palette`.
    milliseconds, last : int
        How long a GIF shows a picture, and the last one.
    """

    count: int
    pictures: Iterator[Image.Image]
    colours: Image.Image
    milliseconds: int
    last: int

    def steps(self) -> Iterator[bytes]:
        """A line with the number of pictures, a line with a sign for each as it is drawn, and then the file.

        `assets/common/saving/animation.js` reads it and tells how much is done.
        """
        yield f"{self.count}\n".encode()
        pictures = []
        for picture in self.pictures:
            pictures.append(self._reduced(picture))
            yield b"."
        yield b"\n"
        yield self._encoded(pictures)

    def file(self, tell: Callable[[float], None] = lambda share: None) -> bytes:
        """Encode the GIF; `tell` receives the progress, 0 to 1."""
        pictures: list[Image.Image] = []
        for picture in self.pictures:
            tell(len(pictures) / self.count)
            pictures.append(self._reduced(picture))
        return self._encoded(pictures)

    def lasting(self, seconds: float) -> "Animation":
        """The animation with its duration fixed from the first picture to the last."""
        each = round(1000 * seconds / max(1, self.count - 1))
        return replace(self, milliseconds=max(_BRIEFEST, each))

    def _reduced(self, picture: Image.Image) -> Image.Image:
        """The picture in the colours of the palette."""
        return picture.quantize(palette=self.colours, dither=Image.Dither.NONE)

    def _encoded(self, pictures: list[Image.Image]) -> bytes:
        durations = [self.milliseconds] * (len(pictures) - 1) + [self.last]
        file = io.BytesIO()
        first, *others = pictures
        first.save(file, "GIF", save_all=True, append_images=others, duration=durations, loop=0, optimize=False)
        return file.getvalue()


def most_in_gif(seconds: float) -> int:
    """The most pictures of a GIF of this duration."""
    return max(2, min(_MOST_IN_GIF, round(1000 * seconds / _BRIEFEST) + 1))


def palette(paper: str, inks: Sequence[str], shades: int = _SHADES) -> Image.Image:
    """A palette of the colours of a drawing and of shades between each of them and its ground."""
    ground = _rgb(paper)
    colours = [ground, *(ground + (_rgb(ink) - ground) * k / shades for ink in inks for k in range(1, shades + 1))]
    image = Image.new("P", (1, 1))
    image.putpalette(np.round(np.array(colours[:256])).astype(int).ravel().tolist())
    return image


def _rgb(colour: str) -> np.ndarray:
    return np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)], float)


def evenly_spaced(count: int, most: int) -> list[int]:
    """At most `most` evenly spaced indices of 0 to `count` - 1, the first and the last among them."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).round().astype(int)).tolist()


def number(value: int) -> str:
    """A whole number, its thousands grouped as on the page."""
    return f"{value:,}".replace(",", "\u202f").replace("-", MINUS)


def measure(value: float) -> str:
    """A measure of any size, two significant digits: 0.012, 4.6\u00b710^\u22127; the typeface has no raised digits."""
    digits, _, power = f"{value:.1e}".partition("e")
    if value == 0 or -3 <= int(power) < 5:
        return f"{float(f'{value:.1e}'):.12g}"
    return f"{float(digits):g}\u00b710^{power[0].replace('-', MINUS).replace('+', '')}{int(power[1:])}"


def describe_gap(length: int, instance: Instance) -> str:
    """The gap of a length in words: "optimal", "12.9 % above optimal"; empty where no optimum is known.

    A tour that uses missing edges has no gap: then how many they are.
    """
    if uses := uses_missing(instance, length):
        return uses
    if instance.optimum is None:
        return ""
    known = "optimal" if instance.proven else "best known"
    if length == instance.optimum:
        return known
    gap = gap_percent(length, instance.optimum)
    size = number(abs(length - instance.optimum)) if gap is None else _percent(abs(gap))
    return f"{size} {'above' if length > instance.optimum else 'below'} {known}"


def _percent(size: float) -> str:
    """A percentage without a sign; one that is not zero never reads as zero."""
    digits = 1 if size >= 9.995 else 2 if size >= 0.005 else int(np.ceil(-np.log10(size)))
    return f"{size:.{digits}f}\u202f%"


def line(*parts: str) -> str:
    """Words in a line, those that are empty left out."""
    return " \u00b7 ".join(part for part in parts if part)
