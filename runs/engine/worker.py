"""A worker process: a fork, or ``python -m runs.engine.worker``; frames on its standard input and output.

It recomputes climbs while it has no run, and does the run that it is given. As a program it imports Numba and loads the
kernels first, and reports that it is ready; a fork has them. After a run that finished or was cancelled it is ready for
the next, with all its compiled kernels and its GPU context; after any other end, or if it has grown large, it exits.
"""

import gc
import logging
import os
import sys
import time
from collections.abc import Iterator

from data.generators import uniform
from runs.engine.commands import FREE, CommandReader, Control, Prepare, Replay, Start
from runs.engine.cpu_kernels import compile_all, marker
from runs.engine.memory_bound import bound_memory
from runs.engine.warmup import devices, import_gpu_kernels, kernels, parts, run_briefly
from solvers.errors import RunFailed
from solvers.events import Compiling, Event, Explanation, Field, Finished, Progress, Rows, Started
from solvers.memory import resident_bytes
from solvers.run import prepare, run
from solvers.run import replay as compute_again
from solvers.solver import is_exact
from solvers.worker.frames import event_frame
from solvers.worker.worker_io import USER_ERRORS, FrameWriter, begin, import_numba, lower_priority

#: Bytes of resident memory above which a worker gets no other run. With CUDA it begins at 0.8 GB, mostly the driver's.
_LARGE = 2 << 30
#: How much lower the priority of what compiles kernels is than that of runs, which it must not slow: the lowest.
_NICER = 9
#: Cities of an exact algorithm that is to be prepared.
_FEW = 10
_FAULT = "An error in the solver stopped it; the log has the details."
MEMORY = "The run needed more memory than there is; other runs go on."
GPU_MEMORY = "The GPU has no memory left for this run: choose the CPU as its device, or try again later."
#: What the driver says when it has none; its errors are classes of a package that may be missing.
_GPU_IS_FULL = "CUDA_ERROR_OUT_OF_MEMORY"
_log = logging.getLogger("tourscope.worker")


class RunLoop:
    """Pulls a run's events, and pauses when its control asks for it."""

    def __init__(self, writer: FrameWriter, control: Control) -> None:
        self._writer, self._control, self._clock = writer, control, control.counter.clock
        self._ahead = time.time() - time.monotonic()
        self._timed = False  # after Started, the loop itself restarts the clock
        self._sent_state = "running"
        self._has_rows = False  # whether climbers have finished in the current step
        self._sends_fields = False  # whether the run has sent a field: then its fields are the steps

    def pull(self, job: Start) -> bool:
        """Run the job to its end; returns whether it came there, by itself or because it was cancelled."""
        events = run(prepare(job.spec), job.instance, job.control.counter, job.pictures)
        while True:
            if self._control.should_pause():
                self._pause()
            event = next(events, None)
            if event is None:
                return False
            self._send(event)
            if isinstance(event, Finished):  # a pause that came too late must not delay the end
                return True

    @property
    def _now(self) -> float:
        """Seconds since 1970, from the wall clock at the run's start: it may be changed during the run."""
        return self._ahead + time.monotonic()

    def _send(self, event: Event) -> None:
        if isinstance(event, Compiling | Started):
            self._timed = isinstance(event, Started)
        self._writer.write(event_frame(event, self._now))
        self._sends_fields |= isinstance(event, Field)
        if self._control.stepping and self._ends_step(event):
            self._control.stepped()

    def _ends_step(self, event: Event) -> bool:
        """A step is a piece of a climb, a finished climber with its values, or, if the run has fields, a field."""
        if self._sends_fields:
            return isinstance(event, Field | Finished)
        with_values = self._has_rows and isinstance(event, Progress | Rows)
        is_climb = event.is_climb and not isinstance(event, Explanation)
        ends = with_values or is_climb or isinstance(event, Finished)
        self._has_rows = not ends and (self._has_rows or isinstance(event, Rows))
        return ends

    def _pause(self) -> None:
        self._clock.pause()
        self._send_state("paused")
        self._control.wait()
        if not self._control.stepping and self._control.counter.reason is None:
            self._send_state("running")
        if self._timed:
            self._clock.resume()

    def _send_state(self, state: str) -> None:
        if state != self._sent_state:
            self._sent_state = state
            self._writer.send("state", state=state, at=self._now)


def replay(writer: FrameWriter, job: Replay) -> None:
    """Recompute one climber and send its pieces."""
    for event in compute_again(prepare(job.spec), job.instance, job.climber):
        writer.write(event_frame(event, time.time()))
    writer.send("replayed")


def prepare_for(job: Prepare) -> None:
    """Run a spec for a moment.

    The kernels of exact algorithms are the same for all numbers of cities: a few need little memory.
    """
    exact = is_exact(prepare(job.spec).stages[-1][0])
    run_briefly(job.spec, uniform(_FEW, 1) if exact else job.instance)


def _is_prepared(job: Prepare) -> bool:
    try:
        prepare_for(job)
    except Exception as error:  # noqa: BLE001 - the run itself reports the error
        _log.info("A run could not be prepared: %s", error)
        return False
    gc.collect()
    return True


def _do(writer: FrameWriter, job: Start | Replay | Prepare) -> bool:
    """Do a job; returns whether the worker can take another."""
    if isinstance(job, Prepare):
        writer.send("prepared", fit=_is_prepared(job) and resident_bytes() <= _LARGE)
        return True  # a run may have been given to this worker already: the engine ends it if not
    try:
        if isinstance(job, Replay):
            replay(writer, job)
            return True
        writer.send("taken")
        return RunLoop(writer, job.control).pull(job)
    except Exception as error:  # noqa: BLE001 - reported in one sentence, logged in full
        cancelled = isinstance(job, Start) and job.control.counter.reason == "cancelled"
        if cancelled and isinstance(error, RunFailed):
            writer.send("state", state="cancelled", at=time.time())  # cancelled before there was a tour
        else:
            writer.send("failed", sentence=_sentence(error), error=type(error).__name__)
        return isinstance(job, Replay)


def _sentence(error: Exception) -> str:
    """The error message in one sentence; unexpected errors are logged in full."""
    if isinstance(error, MemoryError) or isinstance(error.__cause__, MemoryError):  # of a user's solver
        return MEMORY
    if _GPU_IS_FULL in str(error):
        return GPU_MEMORY
    if isinstance(error, USER_ERRORS):
        return str(error)
    _log.error("The worker failed.", exc_info=error)
    return _FAULT


def preload() -> Iterator[str]:
    """Preload the process from which workers are forked: this program, Numba, then CPU kernels, but of `large` solvers.

    Kernels that were never compiled are compiled by forks: a step that takes half a minute would keep a run waiting for
    its worker.
    """
    import_numba()
    from solvers.kernels import shipped

    yield "Numba"  # a first worker may be forked, which finds the devices
    import_gpu_kernels()
    if not marker().exists() and shipped.usable() is None:
        for _ in compile_all(_NICER):
            yield "compiling"
    yield from kernels(stop=lambda: False, chosen=[part for part in parts() if not part[0].large])


def main(loads: bool = False) -> None:
    """Serve until the input ends, or until a run after which the worker cannot be reused.

    Parameters
    ----------
    loads : bool, optional
        Load the kernels first.
    """
    logging.basicConfig(stream=sys.stderr, format="%(message)s")
    reader = CommandReader()
    writer = begin(reader.read)
    if loads:
        for _ in kernels(stop=lambda: not reader.jobs.empty()):
            writer.send("status", spare="compiling")
        gc.collect()
        gc.freeze()  # the collection after each run would go through all that Numba has loaded: 50 ms
    writer.send("status", devices=(found := devices()))
    bounded = not any(device["kind"] == "cuda" and device["available"] for device in found)
    if loads and reader.jobs.empty():
        writer.send("status", spare="ready")
    while _do_next(writer, reader, bounded):
        continue
    os._exit(0)


def _do_next(writer: FrameWriter, reader: CommandReader, bounded: bool = False) -> bool:
    """Wait for a job and do it; returns whether this worker can do another.

    Its memory is bounded unless it may use a GPU, whose driver reserves far more addresses than there is memory.
    """
    job = reader.jobs.get()
    if bounded:
        bound_memory()
    reusable, is_run = _do(writer, job), isinstance(job, Start)
    del job
    gc.collect()  # a run's arrays may be in reference cycles
    if not reusable or resident_bytes() > _LARGE:
        return False
    if is_run:
        writer.write(FREE)
        writer.send("status", spare="ready")
    return True


if __name__ == "__main__":
    lower_priority()
    main(loads=True)
