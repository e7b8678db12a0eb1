"""Messages between a study and its workers: a JSON object and a body of bytes, laid end to end on a pipe.

A message is: uint32 size of the object, uint32 size of the body, both little-endian, the object, the body. What a
study's worker is told and tells is a few values and a blob a run, which nobody draws from: hence no frames of arrays.
"""

import struct
from typing import IO, Any

import orjson

_SIZES = struct.Struct("<II")


def write(stream: IO[bytes], values: dict[str, Any], body: bytes = b"") -> None:
    """Write one message, and flush."""
    text = orjson.dumps(values)
    stream.write(_SIZES.pack(len(text), len(body)) + text + body)
    stream.flush()


def read(stream: IO[bytes]) -> tuple[dict[str, Any], bytes] | None:
    """The next message of a blocking stream; None at its end, a message that is cut included."""
    sizes = stream.read(_SIZES.size)
    if len(sizes) < _SIZES.size:
        return None
    text_size, body_size = _SIZES.unpack(sizes)
    text, body = stream.read(text_size), stream.read(body_size)
    if len(text) < text_size or len(body) < body_size:
        return None
    return orjson.loads(text), body
