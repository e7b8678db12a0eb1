"""Run a spec in this process: prepare it, run its stages, keep the best tour, report the end."""

import platform
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from time import perf_counter

import numpy as np

from data.distances import check_tour, tour_length
from data.instance import Instance
from data.interruption import watched_by
from solvers import SOLVERS, find
from solvers.devices import limited_threads
from solvers.errors import DeviceUnavailable, RunFailed
from solvers.events import Compiling, Event, Finished, Started, Tour
from solvers.params import Params
from solvers.refusal import refusal
from solvers.reporting.first_tour import first_tour
from solvers.solver import Job, Solver, choose_variant
from solvers.spec import RunSpec
from solvers.stop import Budget, Counter, Interrupted


@dataclass(frozen=True, slots=True)
class Prepared:
    """A spec whose algorithms and parameters have been checked."""

    spec: RunSpec
    stages: tuple[tuple[Solver, Params], ...]


def prepare(spec: RunSpec, solvers: Sequence[Solver] = SOLVERS) -> Prepared:
    """Find the spec's algorithms among `solvers`, and check their parameters and device.

    Raises
    ------
    InvalidParams
        If an algorithm is unknown or a parameter is out of range.
    DeviceUnavailable
        If no variant of an algorithm runs on the requested device.
    """
    stages = []
    for stage in spec.stages:
        solver = find(stage.algorithm, solvers)
        params = solver.params.from_mapping(stage.params)
        choose_variant(solver, params, spec.device)
        stages.append((solver, params))
    return Prepared(spec, tuple(stages))


def run(
    prepared: Prepared, instance: Instance, counter: Counter | None = None, pictures: bool = True
) -> Generator[Event, None, None]:
    """Yield the events of all stages, and `Finished` at the end; `Ants`, `Field`, `Individuals` and `Tabu` only
    with `pictures`.

    Only the last stage reports its climbers: see `solvers.events.Event.of_last_stage`.

    The run's clock starts at each `Started`, and is stopped before while kernels compile; what else prepares a stage
    counts, and ends with the budget (`data.interruption`): then `solvers.reporting.first_tour` has a tour. Every
    `Tour` is measured again here, in 64 bits, so that no solver can report a wrong length.

    Raises
    ------
    DeviceUnavailable
        If the instance is directed and a stage has no variant for it.
    RunFailed
        If a solver reports an invalid tour, or a wrong length.
    """
    spec = prepared.spec
    if why := refusal(spec, prepared.stages, instance):
        raise DeviceUnavailable(why)
    counter = counter or spec.budget.start()
    best: Tour | None = None
    started: Started | None = None
    compile_seconds = 0.0
    for number, (solver, params) in enumerate(prepared.stages, 1):
        start = best.order if best else None
        last = number == len(prepared.stages)
        job = Job(instance, params, spec.seed, spec.device, counter, start, pictures and last)
        with limited_threads(spec.threads), closing(_events(solver, job)) as events:
            for event in events:
                if isinstance(event, Compiling):
                    counter.clock.stand()
                elif isinstance(event, Started):
                    started, compile_seconds = event, compile_seconds + event.compile_seconds
                    counter.clock.go()
                elif isinstance(event, Tour):
                    _verify(instance, event)
                    if best is None or event.length < best.length:
                        best = event
                if last or not event.of_last_stage:
                    yield event
        if counter.reason is not None:
            break
    counter.clock.stand()
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
        versions=versions()
        | {name: number for solver, _ in prepared.stages for name, number in solver.versions().items()},
    )


def _events(solver: Solver, job: Job) -> Generator[Event, None, None]:
    """The events of a stage; those of a first tour if it ends before it has started."""
    before, began = job.stop.clock.seconds, perf_counter()
    events = solver.solve(job)
    try:
        while True:
            with watched_by(job.stop):
                event = next(events)
            if isinstance(event, Started):
                # The solver cannot know which part of its preparation has counted.
                counted = job.stop.clock.seconds - before
                yield replace(event, compile_seconds=max(0.0, event.compile_seconds - counted))
                break
            yield event
        yield from events
    except StopIteration:
        return
    except Interrupted:
        compiled = perf_counter() - began - (job.stop.clock.seconds - before)
        yield from first_tour(solver, job, compiled)
    finally:
        events.close()


def start_of(prepared: Prepared, instance: Instance) -> np.ndarray | None:
    """Compute again the tour that the last stage starts from, shape (n,), int32; None if there is only one stage.

    A run that reached its last stage was not stopped by its budget before, so no budget applies here.
    """
    before = Prepared(prepared.spec, prepared.stages[:-1])
    if not before.stages:
        return None
    *_, end = run(before, instance, Budget().start())
    assert isinstance(end, Finished)
    return end.order


def _verify(instance: Instance, tour: Tour) -> None:
    check_tour(instance.n, tour.order)
    exact = tour_length(instance, tour.order)
    if exact != tour.length:
        raise RunFailed(f"A solver reported a tour of length {tour.length}, which measures {exact}.")


def versions() -> dict[str, str]:
    """Return the versions of the software that a result depends on."""
    return dict(_versions())


@cache
def _versions() -> dict[str, str]:
    """See `versions`; asked once in a process, since to read a package's description takes longer than a short run."""
    found = {"python": platform.python_version(), "numpy": np.__version__}
    for package in ("numba", "numba-cuda"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
