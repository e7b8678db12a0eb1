"""A fault of the program during a call of the Python interface."""

import io

import pytest

from runs.calls.__main__ import Calls
from solvers.worker.frames import Frame, decode, read_frame


@pytest.mark.parametrize("fault", [IndexError("list index out of range"), AssertionError()])
def test_fault_is_one_sentence_and_the_next_call_is_answered(monkeypatch, caplog, fault):
    def fail(call):
        raise fault

    output = io.BytesIO()
    calls = Calls(output)
    monkeypatch.setattr(calls, "_solve", fail)
    calls.answer(Frame("solve", {}, {}))
    calls.answer(Frame("instances", {}, {}))
    output.seek(0)
    frames = [decode(raw) for raw in iter(lambda: read_frame(output), None)]
    assert [frame.kind for frame in frames] == ["refused", "over", "instances", "over"]
    assert frames[0].values["error"] == "RunFailed"
    assert frames[0].values["sentence"].endswith(".")
    assert "Traceback" in caplog.text
