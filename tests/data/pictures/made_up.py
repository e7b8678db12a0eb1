"""Generated pictures: a portrait of nobody, and malicious files."""

import io
import struct
import zlib

import numpy as np
from PIL import Image


def portrait(width: int = 240, height: int = 300) -> Image.Image:
    """A head with hair, eyes and a mouth in grey, with dark parts in known places."""
    rows, columns = np.mgrid[0:height, 0:width]
    x, y = (columns - width / 2) / (width / 2), (rows - 0.45 * height) / (width / 2)
    grey = np.full((height, width), 235.0)
    for across, up, wide, high, shade in (
        (0, 1.5, 1.0, 0.75, 60),  # shoulders
        (0, 0.7, 0.25, 0.5, 150),
        (0, -0.15, 0.62, 0.85, 45),  # hair
        (0, 0, 0.5, 0.68, 190),
        (-0.2, -0.1, 0.1, 0.06, 10),  # eyes
        (0.2, -0.1, 0.1, 0.06, 10),
        (0, 0.36, 0.17, 0.05, 60),
    ):
        inside = np.clip((1 - ((x - across) / wide) ** 2 - ((y - up) / high) ** 2) / 0.15, 0, 1)
        grey = grey * (1 - inside) + shade * inside
    return Image.fromarray(grey.clip(0, 255).astype(np.uint8))


def encode_picture(picture: Image.Image, kind: str = "PNG", **options) -> bytes:
    """A picture encoded as a file."""
    file = io.BytesIO()
    picture.save(file, kind, **options)
    return file.getvalue()


def bomb(side: int) -> bytes:
    """A small PNG whose header claims this many pixels per side."""
    head = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(bytes(1000))), (b"IEND", b""))
    file = bytearray(b"\x89PNG\r\n\x1a\n")
    for kind, body in parts:
        file += struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    return bytes(file)
