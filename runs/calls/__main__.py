"""``python -m runs.calls``: answers calls one after another until its input ends.

A call is either an ``instances`` frame, answered by an ``instances`` frame, or a ``solve`` frame, answered by the
instance's frame and the frames of the run's events; a ``cancel`` frame may follow it. Errors are answered by a
``refused`` frame with the kind of error and a sentence. Each answer ends with an ``over`` frame.
"""

import logging
import os
import sys
import threading
from dataclasses import asdict
from functools import cache
from queue import Queue
from typing import BinaryIO

from data.collection.resolve import instance_list
from data.errors import InvalidInstance
from runs.calls.instances import adjust_instance, resolve_instance
from runs.calls.own_solvers import OwnSolvers
from runs.engine.process import ProcessEngine
from runs.engine.protocol import Handle
from solvers.core.errors import DeviceUnavailable, InstanceTooLarge, InvalidParams, RunFailed
from solvers.core.machine import Machine
from solvers.core.params import VERSION
from solvers.plan import plan, prepare
from solvers.spec import RunSpec
from solvers.worker.frames import Frame, decode, encode, encode_instance_frame, read_frame, read_kind

_REPORTED = (InvalidParams, InvalidInstance, DeviceUnavailable, InstanceTooLarge, RunFailed)
#: Kinds of frames that end a run for the caller, and kinds that the caller does not get.
_END_KINDS = ("finished", "failed")
_INTERNAL_KINDS = ("taken", "status")


_FAULT = "A fault of the program ended the call; standard error has the details."


class Calls:
    """Answers calls of the Python interface.

    Parameters
    ----------
    output : file object
        Stream to which the answers are written.
    """

    def __init__(self, output: BinaryIO) -> None:
        self._output = output
        self._lock = threading.Lock()
        self._handle: Handle | None = None
        self._cancelled = False
        self._own = OwnSolvers()

    def cancel(self) -> None:
        """Cancel the current call; called by the thread that reads the input."""
        with self._lock:
            self._cancelled = True
            if self._handle:
                self._handle.send("cancel")

    def answer(self, call: Frame) -> None:
        """Answer a call, with an error frame if it fails."""
        try:
            if call.kind == "instances":
                self._write(encode("instances", {"cards": [asdict(card) for card in instance_list()]}, {}))
            else:
                self._solve(call)
        except _REPORTED as error:
            self._write(encode("refused", {"error": type(error).__name__, "sentence": str(error)}, {}))
        except OSError as error:
            self._write(encode("refused", {"error": RunFailed.__name__, "sentence": str(error)}, {}))
        except Exception:  # the process has other calls to answer
            logging.exception("A call failed.")
            self._write(encode("refused", {"error": RunFailed.__name__, "sentence": _FAULT}, {}))
        finally:
            with self._lock:
                self._handle, self._cancelled = None, False
            self._write(encode("over", {}, {}))

    def _solve(self, call: Frame) -> None:
        reference, instance = adjust_instance(call, *resolve_instance(call))
        stages, renew = self._own.translate_stages(call.values["spec"]["stages"])
        if renew and engine.cache_info().currsize:  # the workers are forks of a process that has loaded other files
            engine().close()
            engine.cache_clear()
        spec = RunSpec.from_json({"v": VERSION, "instance": reference, **call.values["spec"], "stages": stages})
        plan(prepare(spec), instance, Machine(())).check()
        self._write(encode_instance_frame(instance))
        handle = engine().start(spec, instance, call.values["pictures"])
        with self._lock:
            self._handle = handle
            if self._cancelled:
                handle.send("cancel")
        ended = False
        for frame in handle.frames():
            kind = read_kind(frame)
            ended |= kind in _END_KINDS
            if kind not in _INTERNAL_KINDS:
                self._write(frame)
        if handle.wait() and not ended and not self._cancelled:
            raise RunFailed("The process that computed the run was killed; it may have needed too much memory.")

    def _write(self, frame: bytes) -> None:
        self._output.write(frame)
        self._output.flush()


@cache
def engine() -> ProcessEngine:
    """Create the engine with a worker ready for the next run."""
    return ProcessEngine()


def read(stream: BinaryIO, waiting: "Queue[Frame]", calls: Calls) -> None:
    """Read calls until the caller closes its end, then exit."""
    while (raw := read_frame(stream)) is not None:
        frame = decode(raw)
        if frame.kind == "cancel":
            calls.cancel()
        else:
            waiting.put(frame)
    if engine.cache_info().currsize:
        engine().close()
    os._exit(0)


def main() -> None:
    """Answer calls until the input ends."""
    logging.basicConfig(stream=sys.stderr, format="%(message)s")
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # libraries may print to standard output
    calls, waiting = Calls(output), Queue[Frame]()
    threading.Thread(target=read, args=(sys.stdin.buffer, waiting, calls), daemon=True).start()
    while True:
        calls.answer(waiting.get())


if __name__ == "__main__":
    main()
