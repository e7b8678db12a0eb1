"""Frames: the binary format of pipes, run files and the network.

A frame consists of the size of the whole frame (uint32), the size of the header (uint32), the header as JSON, padded
with blanks to a multiple of 8, and the arrays, each at an offset that is a multiple of 8. All numbers are
little-endian. The header contains ``kind``, plain values, and ``arrays``: name -> [dtype, shape, offset from the end of
the header]. Frames can be concatenated, and JavaScript reads their arrays without copying (`assets/common/frames.js`).
"""

import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import orjson

from data.city_names import check_names
from data.instance import Instance
from solvers.core.events import Event

#: The dtypes allowed in a frame; JavaScript reads int64 as BigInt64Array.
DTYPES = {
    "int32": "<i4",
    "int64": "<i8",
    "float32": "<f4",
    "float64": "<f8",
    "uint8": "|u1",
    "uint16": "<u2",
    "bool": "|u1",
}
_ALLOWED = frozenset(DTYPES.values())
MAX_FRAME = 1 << 30


@dataclass(frozen=True, slots=True)
class Frame:
    """A decoded frame, whose arrays are read-only views of the bytes."""

    kind: str
    values: dict[str, Any]
    arrays: dict[str, np.ndarray]


def encode(kind: str, values: dict[str, Any], arrays: dict[str, np.ndarray]) -> bytes:
    """Encode values and arrays as a frame."""
    layout, parts, offset = {}, [], 0
    for name, array in arrays.items():
        body = np.ascontiguousarray(array).tobytes()
        layout[name] = [DTYPES[array.dtype.name], array.shape, offset]
        padding = -len(body) % 8
        parts += [body, bytes(padding)]
        offset += len(body) + padding
    header = orjson.dumps({**values, "kind": kind, "arrays": layout}, option=orjson.OPT_SERIALIZE_NUMPY)
    header += b" " * (-len(header) % 8)
    return b"".join([struct.pack("<II", 8 + len(header) + offset, len(header)), header, *parts])


def decode(frame: bytes | memoryview) -> Frame:
    """Decode a frame.

    Raises
    ------
    ValueError
        If the bytes are not exactly one well-formed frame.
    """
    view = memoryview(frame)
    header, body = _read_header(view), view[8 + int.from_bytes(view[4:8], "little") :]
    kind, layout = header.pop("kind", None), header.pop("arrays", None)
    if not isinstance(kind, str) or not isinstance(layout, dict):
        raise ValueError("the frame's header lacks its kind or its arrays")
    return Frame(kind, header, {name: _read_array(body, entry) for name, entry in layout.items()})


def read_kind(frame: bytes | memoryview) -> str:
    """Return a frame's kind without decoding its arrays.

    Raises
    ------
    ValueError
        See `decode`.
    """
    kind = _read_header(memoryview(frame)).get("kind")
    if not isinstance(kind, str):
        raise ValueError("the frame's header lacks its kind")
    return kind


def _read_header(view: memoryview) -> dict[str, Any]:
    if len(view) < 8:
        raise ValueError("a frame has at least 8 bytes")
    size, header_size = struct.unpack_from("<II", view)
    if size != len(view) or header_size % 8 or 8 + header_size > size:
        raise ValueError("the frame's sizes do not agree with its bytes")
    header = orjson.loads(view[8 : 8 + header_size])
    if not isinstance(header, dict):
        raise ValueError("the frame's header is not an object")
    return header


def _read_array(body: memoryview, entry: Any) -> np.ndarray:
    if not isinstance(entry, list) or len(entry) != 3 or entry[0] not in _ALLOWED or not isinstance(entry[1], list):
        raise ValueError("the frame declares an array that cannot be")
    dtype, shape, offset = entry
    if len(shape) > 2 or any(type(k) is not int or k < 0 for k in (*shape, offset)) or offset % 8:
        raise ValueError("the frame declares an array that cannot be")
    size = math.prod(shape) * np.dtype(dtype).itemsize
    if offset + size > len(body):
        raise ValueError("the frame declares an array past its end")
    array = np.frombuffer(body[offset : offset + size], dtype).reshape(shape)
    array.setflags(write=False)
    return array


def split(stream: bytes | memoryview) -> Iterator[memoryview]:
    """Yield the frames concatenated in `stream`."""
    view, at = memoryview(stream), 0
    while at < len(view):
        size = int.from_bytes(view[at : at + 4], "little")
        if size < 8 or at + size > len(view):
            raise ValueError("the last frame is cut")
        yield view[at : at + size]
        at += size


def read_frame(stream: Any) -> bytes | None:
    """Read the next frame of a blocking binary stream; None at the stream's end, even within a frame."""
    head = stream.read(8)
    if len(head) < 8:
        return None
    size = int.from_bytes(head[:4], "little")
    if not 8 <= size <= MAX_FRAME:
        raise ValueError("the stream is not one of frames")
    body = stream.read(size - 8)
    return head + body if len(body) == size - 8 else None


def encode_event_frame(event: Event, at: float) -> bytes:
    """Encode a solver's event as a frame, whose kind is the class name in lower case.

    Parameters
    ----------
    event : Event
    at : float
        When the event happened, in seconds since 1970; stored as ``at``, from which the page computes a frame's age.
    """
    values: dict[str, Any] = {"at": at}
    arrays: dict[str, np.ndarray] = {}
    for declared in fields(event):
        value = getattr(event, declared.name)
        if isinstance(value, np.ndarray):
            arrays[declared.name] = value
        else:
            values[declared.name] = value
    return encode(type(event).__name__.lower(), values, arrays)


_INSTANCE_VALUES = (
    *("name", "kind", "n", "display_note", "comment", "optimum", "proven", "sha256", "source", "warnings"),
    *("directed", "missing", "missing_weight"),
)
_PATH_VALUES = ("start", "end")
_ADDED_VALUES = ("fixed", "added")
_INSTANCE_ARRAYS = ("coordinates", "weights", "display", "optimal_tour", "node_ids")


def encode_instance_frame(instance: Instance) -> bytes:
    """Encode an instance for workers, run files and pages."""
    values = {name: getattr(instance, name) for name in _INSTANCE_VALUES}
    values["edge_weight_type"] = values.pop("kind")
    values |= {name: city for name in _PATH_VALUES if (city := getattr(instance, name)) is not None}
    values |= {name: value for name in _ADDED_VALUES if (value := getattr(instance, name))}
    if instance.names:
        values["names"] = instance.names
    arrays = {name: getattr(instance, name) for name in _INSTANCE_ARRAYS if getattr(instance, name) is not None}
    return encode("instance", values, arrays)


def decode_instance(frame: Frame) -> Instance:
    """Decode an instance's frame; frames of earlier releases lack what directed and incomplete instances need.

    Raises
    ------
    ValueError
        If the instance's directions, missing edges, path or names are invalid.
    """
    values: dict[str, Any] = {"directed": False, "missing": 0, "missing_weight": 0} | dict(frame.values)
    counts = [values["missing"], values["missing_weight"]]
    if type(values["directed"]) is not bool or any(type(k) is not int or not 0 <= k < 2**31 for k in counts):
        raise ValueError("the frame declares directions or missing edges that cannot be")
    ends = [values[name] for name in _PATH_VALUES if name in values]
    if any(type(city) is not int or not 0 <= city < values["n"] for city in ends):
        raise ValueError("the frame declares a path between cities that it lacks")
    added, fixed = values.get("added", 0), values.get("fixed", [])
    if type(added) is not int or not 0 <= added < max(1, values["n"]):
        raise ValueError("the frame declares more cities as added than it has")
    if any(type(city) is not int or not 0 <= city < values["n"] for edge in fixed for city in edge):
        raise ValueError("the frame declares fixed edges between cities that it lacks")
    values["fixed"] = tuple((a, b) for a, b in fixed)
    values["kind"] = values.pop("edge_weight_type")
    values["warnings"] = tuple(values["warnings"])
    values["names"] = check_names(values.get("names", ()), values["n"])
    values |= {name: frame.arrays.get(name) for name in _INSTANCE_ARRAYS}
    return Instance(**values)
