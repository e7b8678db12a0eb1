"""The worker's end of its input: jobs to do, and commands to the run that is at work."""

import os
import queue
import threading
from collections.abc import Callable
from typing import IO

from data.instance import Instance
from runs.store.frames import Frame, decode, instance_of, read_frame
from solvers.spec import RunSpec
from solvers.stop import Counter


class Control:
    """Pause, step and cancel of one run: its worker asks `turn` before it pulls each event.

    Parameters
    ----------
    counter : Counter
        Of the run.
    """

    def __init__(self, counter: Counter) -> None:
        self.counter = counter
        self._changed = threading.Condition()
        self._paused = False
        self._steps = 0

    def tell(self, command: str) -> None:
        """Take one of `runs.engine.protocol.COMMANDS`; called by the thread that reads the input."""
        with self._changed:
            if command == "cancel":
                self.counter.cancel()
            self._paused = command in ("pause", "step")
            self._steps = self._steps + 1 if command == "step" else 0
            self._changed.notify()

    def stands(self) -> bool:
        """Whether the run is to stand still now."""
        return self._paused and not self._steps

    def wait(self) -> None:
        """Return when the run may go on."""
        with self._changed:
            self._changed.wait_for(lambda: not self.stands())

    def stepped(self) -> None:
        """Note that something visible was pulled: one step is done."""
        with self._changed:
            self._steps = max(0, self._steps - 1)

    @property
    def stepping(self) -> bool:
        """Whether the run goes for single steps alone."""
        return self._paused and self._steps > 0


class Start:
    """The job of running a spec; `pictures`: of a colony's trails, where they are wanted."""

    def __init__(self, frame: Frame, instance: Instance) -> None:
        self.spec = RunSpec.from_json(frame.values["spec"])
        self.instance = instance
        self.pictures = bool(frame.values.get("pictures", True))
        self.control = Control(self.spec.budget.start())


class Replay:
    """The job of computing one climber again."""

    def __init__(self, frame: Frame, instance: Instance) -> None:
        self.spec = RunSpec.from_json(frame.values["spec"])
        self.instance = instance
        self.climber = int(frame.values["climber"])


class CommandReader:
    """Reads frames in a thread of its own; the end of the input ends the process.

    Attributes
    ----------
    jobs : queue.Queue of Start or Replay
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self.jobs: queue.Queue[Start | Replay] = queue.Queue()
        threading.Thread(target=self._read, name="inbox", daemon=True).start()

    def _read(self) -> None:
        try:
            tell: Callable[[str], None] = lambda command: None  # noqa: E731
            for frame in iter(self._next, None):
                if frame.kind == "start":
                    start = Start(frame, self._instance())
                    tell = start.control.tell
                    self.jobs.put(start)
                elif frame.kind == "replay":
                    self.jobs.put(Replay(frame, self._instance()))
                else:
                    tell(frame.kind)
        finally:
            os._exit(0)  # whoever would have read our frames is gone; kernels may be in the way of a gentler end

    def _next(self) -> Frame | None:
        frame = read_frame(self._stream)
        return None if frame is None else decode(frame)

    def _instance(self) -> Instance:
        frame = self._next()
        if frame is None:
            raise EOFError
        return instance_of(frame)
