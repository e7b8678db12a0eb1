"""Frames of the Python interface, compared with the program's."""

import io

import numpy as np

from solvers.worker import frames as program
from tourscope import frames

VALUES = {"name": "Köln", "n": 3, "none": None, "list": [1, 2.5]}


def test_program_reads_frames_of_the_interface():
    arrays = {"a": np.arange(6, dtype=np.float64).reshape(3, 2), "b": np.array([7], np.int32)}
    frame = program.decode(frames.encode("solve", VALUES, arrays))
    assert (frame.kind, frame.values) == ("solve", VALUES)
    assert all(np.array_equal(frame.arrays[name], array) for name, array in arrays.items())


def test_interface_reads_frames_of_the_program():
    arrays = {name: np.ones((2, 3), name) for name in program.DTYPES} | {"empty": np.empty((0, 2), np.int32)}
    encoded = program.encode("tour", VALUES, arrays)
    stream = io.BytesIO(encoded + program.encode("over", {}, {}))
    frame, end = frames.read(stream), frames.read(stream)
    assert (frame.kind, frame.values, end.kind) == ("tour", VALUES, "over")
    for name, array in program.decode(encoded).arrays.items():
        assert frame.arrays[name].dtype == array.dtype
        assert np.array_equal(frame.arrays[name], array)


def test_truncated_frame_is_the_end():
    whole = program.encode("tour", {}, {"order": np.arange(9)})
    assert frames.read(io.BytesIO(whole[:-1])) is None
    assert frames.read(io.BytesIO(whole[:5])) is None
