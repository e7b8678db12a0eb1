"""An engine without processes: a test scripts the worker, frame by frame."""

import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping

import numpy as np

from data.instance import Instance
from runs.engine.protocol import Status
from solvers.core.errors import RunFailed
from solvers.core.events import Event, Finished, Started, Tour
from solvers.spec import RunSpec
from solvers.worker.frames import encode_event_frame
from solvers.worker.process import Process, spawn
from tests.clock import PATIENCE


class ScriptedHandle:
    """A run whose worker sends scripted messages; see `runs.engine.protocol.Handle`.

    Attributes
    ----------
    commands : list of str
        What the run was told.
    lost : str
        Why the machine of its worker is gone.
    gone : threading.Event
        Whether its worker may go: one that has said its last word stays while this is not set.
    """

    def __init__(self) -> None:
        self.commands: list[str] = []
        self.gone = threading.Event()
        self.gone.set()
        self.loss_reason = ""
        self._frames: queue.Queue[bytes | None] = queue.Queue()

    def say(self, *events: Event) -> None:
        """Send these events from the worker."""
        for event in events:
            self._frames.put(encode_event_frame(event, time.time()))

    def finish(self, length: int, n: int) -> None:
        """Send the last event from the worker and end it."""
        order = np.arange(n, dtype=np.int32)
        self.say(Finished(order, length, 1, 1, 0.1, 0.1, 0.0, "completed", "one core", 1, {}))
        self.kill()

    def frames(self) -> Iterator[bytes]:
        while (frame := self._frames.get()) is not None:
            yield frame

    def lose(self, sentence: str) -> None:
        """Simulate the loss of the worker's machine."""
        self.loss_reason = sentence
        self.kill()

    def send(self, command: str) -> None:
        self.commands.append(command)
        if command == "cancel":
            self.kill()

    def kill(self) -> None:
        self._frames.put(None)

    def wait(self) -> int:
        self.gone.wait(PATIENCE)
        return 0

    def error_tail(self) -> str:
        return ""


def start_program(module: str) -> Process:
    """A process for answers, for an engine without processes."""
    return spawn([sys.executable, "-m", module])


class ScriptedEngine:
    """Its runs are in `handles`, in the order of their start; see `runs.engine.protocol.Engine`."""

    def __init__(self) -> None:
        self.handles: list[ScriptedHandle] = []

    def start(self, spec: RunSpec, instance: Instance, pictures: bool = True) -> ScriptedHandle:
        handle = ScriptedHandle()
        self.handles.append(handle)
        handle.say(Started(spec.stages[-1].algorithm, "sequential", "cpu", 1, 0.0))
        handle.say(Tour(np.arange(instance.n, dtype=np.int32), 10_000, 0))
        return handle

    def replay(
        self, spec: RunSpec, instance: Instance, climber: int, wanted: Callable[[], bool] = lambda: True
    ) -> list[bytes]:
        return []

    start_local_process = staticmethod(start_program)

    def start_process(self, module: str, environment: Mapping[str, str] | None = None) -> Process:
        raise RunFailed("There are no processes here.")

    def places(self) -> int:
        return max(2, os.cpu_count() or 1)

    def cores(self) -> int:
        return 2

    def status(self) -> Status:
        return {"devices": [], "spare": "ready"}

    def listen(self, listener: Callable[[], None]) -> None:
        """Its status never changes."""

    def close(self) -> None:
        for handle in self.handles:
            handle.kill()
