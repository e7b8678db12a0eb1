"""Frames, which carry events from the program's process; see ``solvers/worker/frames.py`` there for the format.

This process imports nothing of the program, so it has its own implementation of the format.
"""

from __future__ import annotations

import json
import math
import struct
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np

_SIZES = struct.Struct("<II")
_DTYPES = {"int32": "<i4", "int64": "<i8", "float64": "<f8"}


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame: its kind, plain values, and arrays that are read-only views of its bytes."""

    kind: str
    values: dict[str, Any]
    arrays: dict[str, np.ndarray]
    raw: bytes = b""


def encode(kind: str, values: dict[str, Any], arrays: dict[str, np.ndarray] | None = None) -> bytes:
    """Encode values and arrays as one frame."""
    layout, body = {}, b""
    for name, array in (arrays or {}).items():
        layout[name] = [_DTYPES[array.dtype.name], array.shape, len(body)]
        raw = np.ascontiguousarray(array).tobytes()
        body += raw + bytes(-len(raw) % 8)
    header = json.dumps({**values, "kind": kind, "arrays": layout}).encode()
    header += b" " * (-len(header) % 8)
    return _SIZES.pack(_SIZES.size + len(header) + len(body), len(header)) + header + body


def read(stream: BinaryIO) -> Frame | None:
    """Read the next frame of a blocking stream; None at its end."""
    sizes = stream.read(_SIZES.size)
    if len(sizes) < _SIZES.size:
        return None
    size, header_size = _SIZES.unpack(sizes)
    raw = sizes + stream.read(size - _SIZES.size)
    if len(raw) < size:
        return None
    values = json.loads(raw[_SIZES.size : _SIZES.size + header_size])
    kind, layout = values.pop("kind"), values.pop("arrays")
    body = memoryview(raw)[_SIZES.size + header_size :]
    return Frame(kind, values, {name: _view_array(body, *entry) for name, entry in layout.items()}, raw)


def _view_array(body: memoryview, dtype: str, shape: list[int], offset: int) -> np.ndarray:
    count = math.prod(shape)
    return np.frombuffer(body, dtype, count, offset).reshape(shape) if count else np.empty(shape, dtype)
