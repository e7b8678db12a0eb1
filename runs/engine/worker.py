"""A worker process, which exchanges frames on its standard streams: a fork, or ``python -m runs.engine.worker``.

Without a run it recomputes climbs; otherwise it carries out the run that it is given. As a program it first imports
Numba, loads the kernels and reports that it is ready; a fork already has them. After a run that finished or was
cancelled, it is ready for the next one, with all compiled kernels and its GPU context. After any other end, or if it
has grown large, it exits.
"""

import gc
import logging
import os
import sys
import time
from collections.abc import Generator

from data.generators import uniform
from runs.engine.commands import FREE, CommandReader, Control, Prepare, Replay, Start
from runs.engine.cpu_kernels import compile_all, marker_path
from runs.engine.memory_bound import limit_memory
from runs.engine.warmup import import_gpu_kernels, kernels, list_algorithms, report_devices, run_briefly
from solvers.core.errors import RunFailed
from solvers.core.events import Compiling, Event, Explanation, Field, Finished, Progress, Rows, Started
from solvers.core.memory import resident_bytes
from solvers.core.solver import is_exact
from solvers.run import prepare, run
from solvers.run import replay as compute_again
from solvers.worker.fork_server_main import COMPILING
from solvers.worker.frames import encode_event_frame
from solvers.worker.worker_io import USER_ERRORS, FrameWriter, import_numba, lower_priority, start_reading

#: Resident memory in bytes above which a worker gets no other run. With CUDA it begins at 0.8 GB, mostly the driver's.
_LARGE = 2 << 30
#: Niceness added to processes that compile kernels: the maximum, so that they do not slow down runs.
_NICENESS = 9
#: Number of cities used to prepare an exact algorithm.
_FEW_CITIES = 10
_FAULT = "An error in the solver stopped it; the log has the details."
MEMORY = "The run needed more memory than there is; other runs go on."
GPU_MEMORY = "The GPU has no memory left for this run: choose the CPU as its device, or try again later."
#: The driver's messages for a lack of memory; its error classes belong to a package that may be missing.
_OUT_OF_MEMORY = "CUDA_ERROR_OUT_OF_MEMORY"
_log = logging.getLogger("tourscope.worker")


class RunLoop:
    """Sends a run's events, and pauses when its control requests this."""

    def __init__(self, writer: FrameWriter, control: Control) -> None:
        self._writer, self._control, self._clock = writer, control, control.counter.clock
        self._clock_offset = time.time() - time.monotonic()
        self._is_timed = False  # after Started, the loop itself restarts the clock
        self._sent_state = "running"
        self._has_rows = False  # whether a climber has finished in the current step
        self._sends_fields = False  # whether the run has sent a field; if so, each field is a step

    def run(self, job: Start) -> bool:
        """Run the job; return whether it ended by itself or was cancelled."""
        events = run(prepare(job.spec), job.instance, job.control.counter, job.pictures)
        while True:
            if self._control.should_pause():
                self._pause()
            event = next(events, None)
            if event is None:
                return False
            self._send(event)
            if isinstance(event, Finished):  # a late pause must not delay the end
                return True

    @property
    def _now(self) -> float:
        """Seconds since 1970 by the wall clock as it was at the run's start, since somebody may change it later."""
        return self._clock_offset + time.monotonic()

    def _send(self, event: Event) -> None:
        if isinstance(event, Compiling | Started):
            self._is_timed = isinstance(event, Started)
        self._writer.write(encode_event_frame(event, self._now))
        self._sends_fields |= isinstance(event, Field)
        if self._control.stepping and self._ends_step(event):
            self._control.finish_step()

    def _ends_step(self, event: Event) -> bool:
        """Return whether an event ends a step: a field, or without fields a part of a climb or a finished climber."""
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
        if self._is_timed:
            self._clock.resume()

    def _send_state(self, state: str) -> None:
        if state != self._sent_state:
            self._sent_state = state
            self._writer.send("state", state=state, at=self._now)


def replay(writer: FrameWriter, job: Replay) -> None:
    """Recompute a climber and send its parts."""
    for event in compute_again(prepare(job.spec), job.instance, job.climber):
        writer.write(encode_event_frame(event, time.time()))
    writer.send("replayed")


def prepare_for(job: Prepare) -> None:
    """Run a spec briefly to load its kernels.

    Kernels of exact algorithms are the same for all numbers of cities, so a few cities suffice, which need little
    memory.
    """
    exact = is_exact(prepare(job.spec).stages[-1][0])
    run_briefly(job.spec, uniform(_FEW_CITIES, 1) if exact else job.instance)


def _is_prepared(job: Prepare) -> bool:
    try:
        prepare_for(job)
    except Exception as error:  # noqa: BLE001 - the run itself reports the error
        _log.info("A run could not be prepared: %s", error)
        return False
    gc.collect()
    return True


def _handle_job(writer: FrameWriter, job: Start | Replay | Prepare) -> bool:
    """Do a job; return whether the worker can take another."""
    if isinstance(job, Prepare):
        writer.send("prepared", fit=_is_prepared(job) and resident_bytes() <= _LARGE)
        return True  # this worker may already have been given a run, which the engine ends if the worker is unfit
    try:
        if isinstance(job, Replay):
            replay(writer, job)
            return True
        writer.send("taken")
        return RunLoop(writer, job.control).run(job)
    except Exception as error:  # noqa: BLE001 - reported in one sentence, logged in full
        cancelled = isinstance(job, Start) and job.control.counter.reason == "cancelled"
        if cancelled and isinstance(error, RunFailed):
            writer.send("state", state="cancelled", at=time.time())  # cancelled before there was a tour
        else:
            writer.send("failed", sentence=_describe_error(error), error=type(error).__name__)
        return isinstance(job, Replay)


def _describe_error(error: Exception) -> str:
    """Return the error message in one sentence; unexpected errors are logged in full."""
    if isinstance(error, MemoryError) or isinstance(error.__cause__, MemoryError):  # raised by a user's solver
        return MEMORY
    if _OUT_OF_MEMORY in str(error):
        return GPU_MEMORY
    if isinstance(error, USER_ERRORS):
        return str(error)
    _log.error("The worker failed.", exc_info=error)
    return _FAULT


def preload() -> Generator[str, None, None]:
    """Preload the forking process: this program, Numba, then all CPU kernels except those of `large` solvers.

    Kernels that were never compiled are compiled by forks, since a step of half a minute would delay the worker of a
    waiting run.
    """
    import_numba()
    from solvers.kernels import shipped

    yield "Numba"  # from here on a first worker may be forked, which detects the devices
    import_gpu_kernels()
    if not marker_path().exists() and shipped.find_usable_build() is None:
        for _ in compile_all(_NICENESS):
            yield COMPILING
    yield from kernels(stop=lambda: False, selection=[part for part in list_algorithms() if not part[0].large])


def main(load_first: bool = False) -> None:
    """Serve until the input ends, or until a run after which the worker cannot be reused.

    Parameters
    ----------
    load_first : bool, optional
        Load the kernels first.
    """
    logging.basicConfig(stream=sys.stderr, format="%(message)s")
    reader = CommandReader()
    writer = start_reading(reader.read)
    if load_first:
        for _ in kernels(stop=lambda: not reader.jobs.empty()):
            writer.send("status", spare="compiling")
        gc.collect()
        gc.freeze()  # a collection after each run would traverse everything that Numba has loaded: 50 ms
    writer.send("status", devices=(available := report_devices()))
    bounded = not any(device["kind"] == "cuda" and device["available"] for device in available)
    if load_first and reader.jobs.empty():
        writer.send("status", spare="ready")
    while _handle_next_job(writer, reader, bounded):
        continue
    os._exit(0)


def _handle_next_job(writer: FrameWriter, reader: CommandReader, bounded: bool = False) -> bool:
    """Wait for a job and do it; return whether this worker can take another.

    Its memory is limited unless it may use a GPU, whose driver reserves far more addresses than there is memory.
    """
    job = reader.jobs.get()
    if bounded:
        limit_memory()
    reusable, is_run = _handle_job(writer, job), isinstance(job, Start)
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
    main(load_first=True)
