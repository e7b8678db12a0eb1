"""Runs a spec in this process: plans it, runs its stages, tracks the best tour, reports the end."""

import platform
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from time import perf_counter

import numpy as np

from data.instance import Instance
from data.interruption import watched_by
from solvers.core.devices import limited_threads
from solvers.core.errors import RunFailed
from solvers.core.events import Compiling, Event, Finished, Started, Tour
from solvers.core.machine import Machine
from solvers.core.solver import Job, Solver
from solvers.core.stop import Budget, Counter, Interrupted
from solvers.plan import Plan, Prepared, plan
from solvers.plan import prepare as prepare
from solvers.reporting.first_tour import report_first_tour
from solvers.verification import verify


def run(
    prepared: Prepared, instance: Instance, counter: Counter | None = None, pictures: bool = True
) -> Generator[Event, None, None]:
    """Run a spec on this machine; see `execute`."""
    return execute(plan(prepared, instance, Machine()), counter, pictures)


def execute(plan: Plan, counter: Counter | None = None, pictures: bool = True) -> Generator[Event, None, None]:
    """Yield the events of all stages, and then `Finished`; pictures only if `pictures` is true.

    Only the last stage reports its climbers; see `solvers.core.events.Event.of_last_stage`.

    The run's clock starts at each `Started`. Before that, it stops while kernels compile; the rest of the preparation
    counts. If the budget runs out during preparation (`data.interruption`), `solvers.reporting.first_tour` provides a
    tour. Every `Tour` is measured again here, in 64 bits, so that no solver can report a wrong length.

    Raises
    ------
    DeviceUnavailable, InstanceTooLarge
        If the plan or the solver refuses the run.
    RunFailed
        If a solver reports an invalid tour, or a wrong length.
    """
    plan.check()
    spec, instance = plan.spec, plan.instance
    counter = counter or spec.budget.start()
    best: Tour | None = None
    started: Started | None = None
    compile_seconds = 0.0
    for number, stage in enumerate(plan.stages, 1):
        last = number == len(plan.stages)
        job = stage.job(spec.seed, counter, best.order if best else None, pictures and last)
        with limited_threads(spec.threads), closing(_run_stage(stage.solver, job)) as events:
            for event in events:
                if isinstance(event, Compiling):
                    counter.clock.pause()
                elif isinstance(event, Started):
                    started, compile_seconds = event, compile_seconds + event.compile_seconds
                    counter.clock.resume()
                elif isinstance(event, Tour):
                    event = verify(instance, event)
                    if best is None or event.length < best.length:
                        best = event
                if last or not event.of_last_stage:
                    yield event
        if counter.reason is not None:
            break
    counter.clock.pause()
    if best is None or started is None:
        raise RunFailed("The solver ended without a tour.")
    yield Finished(
        order=best.order,
        length=best.length,
        iterations=counter.iterations,
        evaluations=counter.evaluations,
        seconds=counter.clock.seconds,
        seconds_to_best=counter.best_at,
        compile_seconds=compile_seconds,
        stop_reason=counter.reason or "completed",
        device=started.device,
        threads=started.threads,
        versions=find_versions()
        | {name: number for stage in plan.stages for name, number in stage.solver.versions().items()},
    )


def _run_stage(solver: Solver, job: Job) -> Generator[Event, None, None]:
    """Yield a stage's events or, if the run ends before the stage starts, the events of a quick first tour."""
    before, start_time = job.stop.clock.seconds, perf_counter()
    events = solver.solve(job)
    try:
        while True:
            with watched_by(job.stop):
                event = next(events)
            if isinstance(event, Started):
                # The solver does not know which part of its preparation counted.
                counted = job.stop.clock.seconds - before
                yield replace(event, compile_seconds=max(0.0, event.compile_seconds - counted))
                break
            yield event
        yield from events
    except StopIteration:
        return
    except Interrupted:
        compiled = perf_counter() - start_time - (job.stop.clock.seconds - before)
        yield from report_first_tour(solver, job, compiled)
    finally:
        events.close()


def replay(prepared: Prepared, instance: Instance, climber: int) -> Iterator[Event]:
    """Compute a climber's climb again on this machine, and yield its events."""
    run_plan, counter = plan(prepared, instance, Machine()), prepared.spec.budget.start()
    run_plan.check()
    last, start = run_plan.stages[-1], recompute_start(run_plan)
    counter.clock.resume()
    events = last.solver.replay(last.job(prepared.spec.seed, counter, start), climber)
    return (event for event in events if event.is_climb)


def recompute_start(plan: Plan) -> np.ndarray | None:
    """Compute again the tour from which the last stage starts, (n,) int32; None if there is only one stage.

    Since the run reached its last stage, its budget did not end it earlier; so no budget applies here.
    """
    if len(plan.stages) == 1:
        return None
    *_, end = execute(replace(plan, stages=plan.stages[:-1]), Budget().start())
    assert isinstance(end, Finished)
    return end.order


def find_versions() -> dict[str, str]:
    """Return the versions of the software that affects a result."""
    return dict(_read_versions())


@cache
def _read_versions() -> dict[str, str]:
    """See `find_versions`; cached, since reading packages' metadata takes longer than a short run."""
    by_package = {"python": platform.python_version(), "numpy": np.__version__}
    for package in ("numba", "numba-cuda"):
        try:
            by_package[package] = version(package)
        except PackageNotFoundError:
            continue
    return by_package
