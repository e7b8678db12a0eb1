"""Runs a solver as the program does, and measures the time between events."""

import faulthandler
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field

import numpy as np

from data.errors import InvalidInstance
from data.instance import Instance
from solvers.core.errors import DeviceUnavailable, InstanceTooLarge, InvalidParams, RunFailed
from solvers.core.events import Compiling, Event, Started
from solvers.core.machine import Machine
from solvers.core.params import Params
from solvers.core.solver import Solver
from solvers.core.stop import Budget, Counter
from solvers.plan import plan_stage

#: Processor seconds after which an unfinished run is abandoned, and processor seconds without an event after which the
#: whole check ends.
MAX_RUN_SECONDS, MAX_SILENT_SECONDS = 30.0, 20.0
#: Seconds after which the check ends, even if a kernel does not let other threads run.
_LAST_RESORT = 180.0
_ERRORS = (InvalidParams, InvalidInstance, DeviceUnavailable, InstanceTooLarge, RunFailed)


class CountingCounter(Counter):
    """A counter that counts how often it is read."""

    def __init__(self, budget: Budget) -> None:
        super().__init__(budget)
        self.read_count = 0

    def update(self, iterations: int, evaluations: int, best: int | None) -> bool:
        self.read_count += 1
        return super().update(iterations, evaluations, best)


@dataclass
class Observation:
    """What was observed of one run.

    Attributes
    ----------
    events : list of Event
    counter : CountingCounter
    longest : float
        Maximum processor time in seconds between two events after `Started`, or from the last event to the end.
    error : str
        The run's error message, or "".
    can_run : bool
        Whether the solver can run on this machine.
    ended : bool
        Whether the run ended.
    after_cancel : float
        Processor seconds from a cancel to the end.
    """

    events: list[Event] = field(default_factory=list)
    counter: CountingCounter = field(default_factory=lambda: CountingCounter(Budget()))
    longest: float = 0.0
    error: str = ""
    can_run: bool = True
    ended: bool = False
    after_cancel: float = 0.0


class Watchdog:
    """Ends the process if the solver works too long without yielding an event.

    Parameters
    ----------
    on_end : callable
        Called with the seconds before the process ends.
    """

    def __init__(self, on_end: Callable[[float], object]) -> None:
        self._on_end, self._since = on_end, time.process_time()
        self._closed = threading.Event()
        threading.Thread(target=self._watch, name="watchdog", daemon=True).start()

    def reset(self) -> None:
        """Record that an event has arrived."""
        self._since = time.process_time()
        faulthandler.dump_traceback_later(_LAST_RESORT, exit=True, file=sys.__stderr__ or sys.stderr)

    def close(self) -> None:
        """Stop watching."""
        self._closed.set()
        faulthandler.cancel_dump_traceback_later()

    def _watch(self) -> None:
        while not self._closed.wait(0.2):
            if time.process_time() - self._since > MAX_SILENT_SECONDS:
                self._on_end(MAX_SILENT_SECONDS)
                os._exit(1)


class Observer:
    """Runs the solver that is checked.

    Parameters
    ----------
    solver : Solver
    watchdog : Watchdog
    """

    def __init__(self, solver: Solver, watchdog: Watchdog) -> None:
        self._solver, self._watchdog = solver, watchdog
        self.runs = 0

    def run(
        self,
        instance: Instance,
        params: Params,
        seed: int = 1,
        budget: Budget | None = None,
        start: np.ndarray | None = None,
        cancel_after: int | None = None,
        longest: float = MAX_RUN_SECONDS,
    ) -> Observation:
        """Run the solver to its end, or until it must be abandoned.

        Parameters
        ----------
        instance : Instance
        params : Params
        seed : int
        budget : Budget, optional
        start : ndarray, shape (n,), int32, optional
            The tour of a previous stage.
        cancel_after : int, optional
            Number of events after `Started` after which the run is cancelled.
        longest : float, optional
            Processor seconds after which the run is abandoned.
        """
        self.runs += 1
        self._watchdog.reset()
        observed = Observation(counter=CountingCounter(budget or Budget()))
        try:
            stage = plan_stage(self._solver, params, "auto", instance, Machine())
            if stage.refusal:
                raise stage.refusal
            job = stage.job(seed, observed.counter, start)
            with closing(self._solver.solve(job)) as events:
                self._pull(events, observed, cancel_after, longest)
        except _ERRORS as error:
            observed.error, observed.can_run = str(error), not isinstance(error, DeviceUnavailable)
        self._watchdog.reset()
        return observed

    def _pull(self, events: Iterator[Event], observed: Observation, cancel_after: int | None, longest: float) -> None:
        start_time = last = time.process_time()
        started, cancelled = False, 0.0
        while True:
            event = next(events, None)
            now = time.process_time()
            self._watchdog.reset()
            if started:
                observed.longest = max(observed.longest, now - last)
            last = now
            if event is None:
                observed.ended, observed.after_cancel = True, now - cancelled if cancelled else 0.0
                return
            observed.events.append(event)
            if isinstance(event, Compiling):
                observed.counter.clock.pause()
            elif isinstance(event, Started):
                started = True
                observed.counter.clock.resume()
            elif started and cancel_after is not None and not cancelled:
                cancel_after -= 1
                if cancel_after <= 0:
                    cancelled = now
                    observed.counter.cancel()
            if now - start_time > longest or (cancelled and now - cancelled > 2.0):
                observed.after_cancel = now - cancelled if cancelled else 0.0
                return
