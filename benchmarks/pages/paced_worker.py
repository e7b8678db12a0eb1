"""Workers of `benchmarks.pages.paced_ants`."""

import time
from collections.abc import Generator

from runs.engine import worker
from runs.engine.worker import preload
from solvers.algorithms.ants.ant_system.solver import AntSystem
from solvers.core.events import Ants, Event
from solvers.core.solver import Job
from solvers.reporting import pictures

__all__ = ["preload"]
RATE = 30.0
_solve = AntSystem.solve


def solve(self: AntSystem, job: Job) -> Generator[Event, None, None]:
    """Yield the events of an Ant System, at most `RATE` iterations per second."""
    start_time = time.perf_counter()
    for event in _solve(self, job):
        yield event
        if isinstance(event, Ants):
            time.sleep(max(0.0, start_time + event.iteration / RATE - time.perf_counter()))


def main() -> None:
    """Run as a worker."""
    AntSystem.solve = solve  # type: ignore[assignment, method-assign]
    pictures.find_next_picture = lambda iteration: iteration + 1
    worker.main()
