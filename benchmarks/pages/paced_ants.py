"""A server whose Ant System is held to 30 iterations a second, all pictured: ``python -m benchmarks.pages.paced_ants``.

What it serves is what `benchmarks.pages.watch` watches; its arguments are those of `app.py`. The ants themselves are
slower or faster than that by the machine, so few of them walk, and the solver waits for the clock.
"""

import sys
import time
from collections.abc import Generator

from runs.engine import process, worker
from solvers import SOLVERS
from solvers.ants import colony
from solvers.ants.ant_system.solver import AntSystem
from solvers.events import Ants, Event
from solvers.solver import Job

RATE = 30.0
_AS_WORKER = "--as-worker"


def solve(self: AntSystem, job: Job) -> Generator[Event, None, None]:
    """The events of an Ant System, at most `RATE` iterations of them a second."""
    began = time.perf_counter()
    for event in _solve(self, job):
        yield event
        if isinstance(event, Ants):
            time.sleep(max(0.0, began + event.iteration / RATE - time.perf_counter()))


_solve = AntSystem.solve


def main() -> None:
    """Serve, or work for the server."""
    if _AS_WORKER in sys.argv:
        assert any(isinstance(solver, AntSystem) for solver in SOLVERS)
        AntSystem.solve = solve  # type: ignore[assignment, method-assign]
        colony.next_picture = lambda iteration: iteration + 1
        worker.main()
    else:
        from app import main as serve

        process.COMMAND = [sys.executable, "-m", "benchmarks.pages.paced_ants", _AS_WORKER]
        serve()


if __name__ == "__main__":
    main()
