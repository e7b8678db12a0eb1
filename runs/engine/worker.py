"""A worker process: ``python -m runs.engine.worker``, frames on its standard input and output.

It imports Numba and loads the kernels, says that it is ready, computes climbs again while it is nobody's run, and
ends with the one run that it is given.
"""

import logging
import os
import sys
import time
from typing import Any

from data.errors import InvalidInstance
from runs.engine.commands import CommandReader, Control, Replay, Start
from runs.engine.warmup import devices, kernels
from runs.store.frames import encode, event_frame
from solvers.errors import DeviceUnavailable, InstanceTooLarge, InvalidParams, RunFailed
from solvers.events import Compiling, Event, Field, Finished, Progress, Rows, Started
from solvers.run import prepare, run, start_of
from solvers.solver import Job

_TOLD = (InvalidParams, InvalidInstance, DeviceUnavailable, InstanceTooLarge, RunFailed)
_FAULT = "The solver stopped by a fault of its own; the log has the details."
_log = logging.getLogger("tourscope.worker")


class FrameWriter:
    """The worker's own end of its output, which no print of any library can reach."""

    def __init__(self) -> None:
        self._stream = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)

    def send(self, kind: str, **values: Any) -> None:
        """Write a frame of plain values."""
        self._write(encode(kind, values, {}))

    def event(self, event: Event) -> None:
        """Write an event, with the moment of its making."""
        self._write(event_frame(event, time.time()))

    def failed(self, error: Exception) -> None:
        """Say in one sentence what went wrong; what nobody foresaw goes to the log in full."""
        told = isinstance(error, _TOLD)
        if not told:
            _log.error("The worker failed.", exc_info=error)
        self.send("failed", sentence=str(error) if told else _FAULT)

    def _write(self, frame: bytes) -> None:
        self._stream.write(frame)
        self._stream.flush()


class RunLoop:
    """Pulls a run's events, and stands still when its control says so."""

    def __init__(self, outlet: FrameWriter, control: Control) -> None:
        self._outlet, self._control, self._clock = outlet, control, control.counter.clock
        self._timed = False  # after Started, when it is for us to start the clock again
        self._told = "running"
        self._rows = False  # whether climbers have finished in the present step
        self._pictured = False  # whether the run has fields, which are then its steps

    def pull(self, job: Start) -> None:
        """Run the job to its end."""
        events = run(prepare(job.spec), job.instance, job.control.counter, job.pictures)
        while True:
            if self._control.stands():
                self._stand()
            event = next(events, None)
            if event is None:
                return
            self._take(event)
            if isinstance(event, Finished):  # a pause that came too late must not hold the end up
                return

    def _take(self, event: Event) -> None:
        if isinstance(event, Compiling | Started):
            self._timed = isinstance(event, Started)
        self._outlet.event(event)
        self._pictured |= isinstance(event, Field)
        if self._control.stepping and self._ends_step(event):
            self._control.stepped()

    def _ends_step(self, event: Event) -> bool:
        """A step is a piece of a climb, or a finished climber with its numbers, or a field where there are any."""
        if self._pictured:
            return isinstance(event, Field | Finished)
        seen = self._rows and isinstance(event, Progress | Rows)
        ends = seen or event.is_climb or isinstance(event, Finished)
        self._rows = not ends and (self._rows or isinstance(event, Rows))
        return ends

    def _stand(self) -> None:
        self._clock.stand()
        self._tell("paused")
        self._control.wait()
        if not self._control.stepping and self._control.counter.reason is None:
            self._tell("running")
        if self._timed:
            self._clock.go()

    def _tell(self, state: str) -> None:
        if state != self._told:
            self._told = state
            self._outlet.send("state", state=state, at=time.time())


def replay(outlet: FrameWriter, job: Replay) -> None:
    """Compute one climber again and send its pieces."""
    prepared = prepare(job.spec)
    solver, params = prepared.stages[-1]
    counter, start = job.spec.budget.start(), start_of(prepared, job.instance)
    counter.clock.go()
    task = Job(job.instance, params, job.spec.seed, job.spec.device, counter, start)
    for event in solver.replay(task, job.climber):
        if event.is_climb:
            outlet.event(event)
    outlet.send("replayed")


def _do(outlet: FrameWriter, job: Start | Replay) -> None:
    try:
        if isinstance(job, Replay):
            replay(outlet, job)
        else:
            outlet.send("taken")
            RunLoop(outlet, job.control).pull(job)
    except Exception as error:  # noqa: BLE001 - told in one sentence, logged in full
        cancelled = isinstance(job, Start) and job.control.counter.reason == "cancelled"
        if cancelled and isinstance(error, RunFailed):
            outlet.send("state", state="cancelled", at=time.time())  # before there was any tour
        else:
            outlet.failed(error)


def main() -> None:
    """Serve until the input ends or the run is over."""
    logging.basicConfig(stream=sys.stderr, format="%(message)s")
    outlet = FrameWriter()
    if hasattr(os, "nice"):
        os.nice(10)
    inbox = CommandReader(os.fdopen(os.dup(0), "rb"))
    outlet.send("status", spare="starting")
    for name in kernels(stop=lambda: not inbox.jobs.empty()):
        _log.info("loading %s", name)
        outlet.send("status", spare="compiling")
    outlet.send("status", devices=devices())
    if inbox.jobs.empty():
        outlet.send("status", spare="ready")
    job: Start | Replay | None = None
    while not isinstance(job, Start):
        job = inbox.jobs.get()
        _do(outlet, job)
    os._exit(0)


if __name__ == "__main__":
    main()
