"""The worker's input: jobs, and commands to the current run."""

import queue
import threading
from collections.abc import Callable, Iterator

from data.instance import Instance
from solvers.core.stop import Counter
from solvers.spec import RunSpec
from solvers.worker.frames import Frame, decode_instance, encode

#: Last frame that the worker sends for a completed run: the worker is free for another.
FREE = encode("free", {}, {})


class Control:
    """Pauses, steps and cancels a run: its worker checks `should_pause` before each event.

    Parameters
    ----------
    counter : Counter
        Counter of the run.
    """

    def __init__(self, counter: Counter) -> None:
        self.counter = counter
        self._condition = threading.Condition()
        self._paused = False
        self._steps = 0

    def apply(self, command: str) -> None:
        """Apply one of `runs.engine.protocol.COMMANDS`; called by the thread that reads input."""
        with self._condition:
            if command == "cancel":
                self.counter.cancel()
            self._paused = command in ("pause", "step")
            self._steps = self._steps + 1 if command == "step" else 0
            self._condition.notify()

    def should_pause(self) -> bool:
        """Return whether the run should pause now."""
        return self._paused and not self._steps

    def wait(self) -> None:
        """Block while the run is paused."""
        with self._condition:
            self._condition.wait_for(lambda: not self.should_pause())

    def finish_step(self) -> None:
        """Record that a visible event was sent, which completes a step."""
        with self._condition:
            self._steps = max(0, self._steps - 1)

    @property
    def stepping(self) -> bool:
        """Whether the run is advancing in single steps."""
        return self._paused and self._steps > 0


class Start:
    """The job to run a spec; `pictures` requests pictures of a colony's trails."""

    def __init__(self, frame: Frame, instance: Instance) -> None:
        self.spec = RunSpec.from_json(frame.values["spec"])
        self.instance = instance
        self.pictures = bool(frame.values.get("pictures", True))
        self.control = Control(self.spec.budget.start())


class Replay:
    """The job to recompute a climber."""

    def __init__(self, frame: Frame, instance: Instance) -> None:
        self.spec = RunSpec.from_json(frame.values["spec"])
        self.instance = instance
        self.climber = int(frame.values["climber"])


class Prepare:
    """The job to compile and load a spec's kernels."""

    def __init__(self, frame: Frame, instance: Instance) -> None:
        self.spec = RunSpec.from_json(frame.values["spec"])
        self.instance = instance


class CommandReader:
    """Parses the worker's input into jobs and commands.

    Attributes
    ----------
    jobs : queue.Queue of Start, Replay or Prepare
    """

    def __init__(self) -> None:
        self.jobs: queue.Queue[Start | Replay | Prepare] = queue.Queue()

    def read(self, frames: Iterator[Frame]) -> None:
        """Read jobs, each followed by its instance, and apply commands to the newest job."""
        apply: Callable[[str], None] = lambda command: None  # noqa: E731
        for frame in frames:
            if frame.kind == "start":
                start = Start(frame, decode_instance(next(frames)))
                apply = start.control.apply
                self.jobs.put(start)
            elif frame.kind == "replay":
                self.jobs.put(Replay(frame, decode_instance(next(frames))))
            elif frame.kind == "prepare":
                self.jobs.put(Prepare(frame, decode_instance(next(frames))))
            else:
                apply(frame.kind)
