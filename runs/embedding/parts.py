"""Packed frames: arrays as compressed byte planes; each part can be read by itself."""

import zlib
from collections.abc import Iterable

import numpy as np

from solvers.worker.frames import DTYPES, Frame, encode

_LEVEL = 9


def pack(frames: Iterable[Frame]) -> bytes:
    """Compress concatenated frames.

    The bytes of each array are arranged in planes, all first bytes before all second ones, since most numbers are
    small.
    """
    return zlib.compress(b"".join(_split_planes(frame) for frame in frames), _LEVEL)


def _split_planes(frame: Frame) -> bytes:
    return encode(frame.kind, frame.values, {name: _to_planes(array) for name, array in frame.arrays.items()})


def _to_planes(array: np.ndarray) -> np.ndarray:
    """Rearrange an array's bytes in planes, keeping dtype and shape."""
    flat = np.ascontiguousarray(array, DTYPES[array.dtype.name])
    if flat.itemsize == 1 or not flat.size:
        return flat
    planes = np.ascontiguousarray(flat.reshape(-1).view(np.uint8).reshape(-1, flat.itemsize).T)
    return planes.reshape(-1).view(flat.dtype).reshape(flat.shape)


class Parts:
    """Named parts, stored one after another in a block of bytes.

    Attributes
    ----------
    places : dict of str to (int, int)
        Offset and size of each part.
    """

    def __init__(self) -> None:
        self.places: dict[str, tuple[int, int]] = {}
        self._block = bytearray()

    def add(self, name: str, part: bytes) -> None:
        """Add a part."""
        self.places[name] = (len(self._block), len(part))
        self._block += part

    @property
    def size(self) -> int:
        """Size of all parts in bytes."""
        return len(self._block)

    def block(self) -> bytes:
        """Return the bytes of all parts."""
        return bytes(self._block)
