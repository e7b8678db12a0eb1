"""Reads an untrusted PNG or JPEG as a map of darkness, checking limits before decoding."""

import io

import numpy as np
from PIL import Image, ImageOps

from data.errors import InvalidInstance

#: Maximum number of pixels in a picture, and minimum number of pixels along a side.
MAX_PIXELS, MIN_SIDE = 40_000_000, 8
#: Maximum ratio of the longer side to the shorter one.
MAX_RATIO = 20
_FORMATS = ("PNG", "JPEG")


def read_darkness(raw: bytes, pixels: int, contrast: float = 1.0, invert: bool = False) -> np.ndarray:
    """Return a picture's darkness at each pixel of a raster of the same shape.

    Parameters
    ----------
    raw : bytes
        A PNG or JPEG file; transparent areas count as white.
    pixels : int
        Approximate number of pixels of the raster.
    contrast : float
        Factor that spreads the darkness around its middle, once the darkness is scaled to the range from 0 to 1.
    invert : bool
        Whether to exchange light and dark.

    Returns
    -------
    ndarray, shape (height, width), float64
        Darkness from 0 (white) to 1 (black); the first row is the top of the picture.

    Raises
    ------
    InvalidInstance
        ``PICTURE``, or ``LIMIT`` for a picture that is too large or too narrow.
    """
    try:
        grey = _decode_grey(raw)
    except InvalidInstance:
        raise
    except Exception:  # noqa: BLE001 - a hostile file can raise anything
        raise InvalidInstance("PICTURE", "The picture is damaged: save it again as PNG or JPEG.") from None
    height = max(1, round((pixels * grey.height / grey.width) ** 0.5))
    width = max(1, round(pixels / height))
    smaller = width <= grey.width
    grey = grey.resize((width, height), Image.Resampling.BOX if smaller else Image.Resampling.BICUBIC)
    darkness = 1.0 - np.asarray(ImageOps.autocontrast(grey), np.float64) / 255.0
    if invert:
        darkness = 1.0 - darkness
    return np.clip(0.5 + contrast * (darkness - 0.5), 0.0, 1.0)


def _decode_grey(raw: bytes) -> Image.Image:
    """Decode a picture in shades of grey, upright, on white."""
    try:
        picture: Image.Image = Image.open(io.BytesIO(raw), formats=_FORMATS)
    except Image.UnidentifiedImageError:
        raise InvalidInstance("PICTURE", "The file is not a picture as PNG or JPEG.") from None
    except Image.DecompressionBombError:
        raise _make_size_error() from None
    width, height = picture.size
    if width * height > MAX_PIXELS:
        raise _make_size_error()
    if min(width, height) < MIN_SIDE or max(width, height) > MAX_RATIO * min(width, height):
        sentence = f"A picture has at least {MIN_SIDE} pixels a side, and no side is {MAX_RATIO} times the other."
        raise InvalidInstance("LIMIT", sentence)
    picture.draft("L", (2000, 2000))  # a JPEG can be decoded at a fraction of its size
    picture.load()
    picture = ImageOps.exif_transpose(picture)
    if picture.mode.startswith("I"):  # 16 bits per pixel
        return Image.fromarray((np.asarray(picture, np.float64) / 257.0).clip(0, 255).astype(np.uint8))
    if "A" in picture.mode or "transparency" in picture.info:
        grey = picture.convert("LA")
        white = Image.new("L", grey.size, 255)
        white.paste(grey.getchannel("L"), mask=grey.getchannel("A"))
        return white
    return picture.convert("L")


def _make_size_error() -> InvalidInstance:
    return InvalidInstance("LIMIT", f"A picture has at most {MAX_PIXELS // 1_000_000} million pixels: make it smaller.")
