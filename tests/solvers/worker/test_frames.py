"""Frames survive a round trip, and invalid bytes raise ValueError only."""

import contextlib
import io
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from data.collection import resolve
from solvers.core.events import Tour
from solvers.worker.frames import (
    DTYPES,
    decode,
    decode_instance,
    encode,
    encode_event_frame,
    encode_instance_frame,
    read_frame,
    read_kind,
    split,
)
from tests.tables import each_row

_names = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=1, max_size=8).filter(
    lambda name: name not in ("kind", "arrays")
)
_floats = st.floats(allow_nan=False, allow_infinity=False)
_values = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=20) | _floats
_arrays = st.sampled_from(sorted(DTYPES)).flatmap(
    lambda dtype: arrays.arrays(dtype, arrays.array_shapes(min_dims=1, max_dims=2, min_side=0, max_side=7))
)


@given(_names, st.dictionaries(_names, _values, max_size=4), st.dictionaries(_names, _arrays, max_size=4))
def test_frame_round_trip(kind, values, found):
    raw = encode(kind, values, found)
    back = decode(raw)
    assert (back.kind, back.values, read_kind(raw)) == (kind, values, kind)
    assert back.arrays.keys() == found.keys()
    for name, array in found.items():
        np.testing.assert_array_equal(back.arrays[name], array)
        assert not back.arrays[name].flags.writeable


@given(st.lists(st.binary(max_size=30), max_size=5))
def test_adjacent_frames_are_split(bodies):
    raws = [encode("k", {}, {"body": np.frombuffer(body, np.uint8)}) for body in bodies]
    assert [bytes(part) for part in split(b"".join(raws))] == raws
    stream = io.BytesIO(b"".join(raws))
    assert list(iter(lambda: read_frame(stream), None)) == raws


@given(st.binary(max_size=200))
def test_invalid_bytes_raise_value_error(raw):
    for read in (decode, read_kind, lambda raw: list(split(raw)), lambda raw: read_frame(io.BytesIO(raw))):
        with contextlib.suppress(ValueError):
            read(raw)


@given(st.data())
def test_frame_with_changed_bytes_is_read_or_refused(data):
    raw = bytearray(encode("moves", {"at": 1.5}, {"i": np.arange(6, dtype=np.int32), "x": np.ones((2, 2))}))
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(ValueError):
        decode(bytes(raw))


IMPOSSIBLE = [
    '{"a":["<i4",[1e9],0]}', '{"a":["<i4",[-1],0]}', '{"a":["O",[1],0]}', '{"a":["<i4",[1],4]}', '{"a":3}', "[]",
    '{"a":["<i4",[4611686018427387904,4],0]}',
]  # fmt: skip


@each_row("arrays_", IMPOSSIBLE)
def test_impossible_array_is_refused(arrays_):
    header = f'{{"kind":"k","arrays":{arrays_}}}'.encode()
    header += b" " * (-len(header) % 8)
    raw = (len(header) + 16).to_bytes(4, "little") + len(header).to_bytes(4, "little") + header + bytes(8)
    with pytest.raises(ValueError, match="frame"):
        decode(raw)


def test_truncated_stream_ends_before_the_cut_frame():
    raw = encode_event_frame(Tour(np.arange(5, dtype=np.int32), 10, 3), 2.0)
    stream = io.BytesIO(raw + raw[:-1])
    assert decode(read_frame(stream)).values == {"at": 2.0, "length": 10, "climber": 3}
    assert read_frame(stream) is None


@each_row("name", ["berlin52", "burma14", "swiss42"])
def test_instance_round_trip(name):
    instance = resolve.load(name)
    back = decode_instance(decode(encode_instance_frame(instance)))
    assert (back.name, back.kind, back.n, back.optimum, back.sha256) == (
        instance.name, instance.kind, instance.n, instance.optimum, instance.sha256,
    )  # fmt: skip
    for field in ("coordinates", "weights", "display", "optimal_tour"):
        np.testing.assert_array_equal(getattr(back, field), getattr(instance, field))


def test_names_survive_and_impossible_ones_are_refused():
    named = replace(resolve.load("burma14"), names=tuple("ABCDEFGHIJKLMN"))
    frame = decode(encode_instance_frame(named))
    assert decode_instance(frame).names == named.names
    for wrong in ("ABC", ["A"], [1] * 14, ["A\n"] * 14, ["A" * 81] * 14):
        with pytest.raises(ValueError, match="name"):
            decode_instance(replace(frame, values={**frame.values, "names": wrong}))
