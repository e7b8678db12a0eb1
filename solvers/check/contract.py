"""The checks of a user's own solver, in order; each fault is reported in one sentence."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from data.collection.resolve import load
from data.generators import clustered, directed, uniform
from data.instance import Instance
from solvers.check.events import Fault, find_faults
from solvers.check.observing import Observation, Observer, Watchdog
from solvers.check.oracle import find_shortest_length
from solvers.check.story import collect_reports, find_difference
from solvers.core.errors import RunFailed
from solvers.core.events import Moves, Rows
from solvers.core.machine import Machine
from solvers.core.params import Param
from solvers.core.solver import Solver
from solvers.core.stop import Budget
from solvers.own import report
from solvers.plan import plan_stage, supports_directed

#: Maximum processor seconds between two events, and how many more seconds the first run may take before the solver
#: counts as compiling too late.
MAX_EVENT_SECONDS, COMPILE_SECONDS = 0.1, 0.2
#: Maximum processor seconds from a cancel or a limit to the end of a run.
_STOP_SECONDS = 1.0
#: Processor seconds after which a limited run is abandoned.
_MAX_LIMITED_SECONDS = 6.0
_SHORT_BUDGET, _LONGER_BUDGET = Budget(iterations=3), Budget(seconds=0.3, iterations=50)


class Contract:
    """Checks one solver.

    Parameters
    ----------
    solver : Solver
        The registered solver.
    on_fault : callable
        Called with each fault's sentence as soon as the fault is found.
    cities : int
        Number of cities of the instance on which the time between events is measured.
    seconds : float
        Duration of each run that measures this time.

    Attributes
    ----------
    faults : int
    runs : int
    """

    def __init__(
        self, solver: Solver, on_fault: Callable[[str], object], cities: int = 500, seconds: float = 1.0
    ) -> None:
        self._solver, self._on_fault, self._cities, self._seconds = solver, on_fault, cities, seconds
        self._reported: set[str] = set()
        self._defaults = solver.params.from_mapping({})
        self._watchdog = Watchdog(self._no_event)
        self._observer = Observer(solver, self._watchdog)

    @property
    def faults(self) -> int:
        """The number of faults reported so far."""
        return len(self._reported)

    @property
    def runs(self) -> int:
        """The number of runs so far."""
        return self._observer.runs

    def check(self) -> None:
        """Run all checks, except those that earlier faults make impossible."""
        try:
            if self._check_small() and self._check_repeats():
                self._check_start_tour()
                self._check_replays()
                self._check_intervals()
                if self._check_stops():
                    self._check_params()
        finally:
            self._watchdog.close()

    def _fault(self, where: str, fault: Fault) -> None:
        kind, sentence = fault
        if kind not in self._reported:
            self._reported.add(kind)
            message = f"{where}: {sentence}" if where else sentence
            self._on_fault(f"{message[:1].upper()}{message[1:].rstrip('.')}.")

    def _no_event(self, seconds: float) -> None:
        self._fault("", ("pieces", f"the solver has worked for {seconds:g} seconds without an event; yield one at least"
                                   " every 100 ms"))  # fmt: skip

    def _run(self, where: str, instance: Instance, minimum: int | None = None, **more: Any) -> Observation | None:
        """Run the solver and check its events; return None if the run failed or did not end.

        A run from a start tour need not find a better tour.
        """
        observed = self._observer.run(instance, more.pop("params", self._defaults), **more)
        if observed.error:
            if observed.can_run:
                self._fault(where, ("error", observed.error))
            return None
        if not observed.ended:
            self._fault(
                where,
                (
                    "endless",
                    "the run does not end, though its budget is spent; does each loop ask"
                    " report.stopped(), and does each move shorten the tour?",
                ),
            )
            return None
        for fault in find_faults(self._solver, instance, observed.events, minimum):
            if fault[0] != "no tour" or "start" not in more:
                self._fault(where, fault)
        return observed

    def _check_small(self) -> bool:
        """Check small instances with known shortest tours; the first one runs twice, since its run compiles kernels."""
        eight = uniform(8, 1)
        runs = [self._run("On 8 cities", eight, find_shortest_length(eight), budget=_SHORT_BUDGET) for _ in range(2)]
        first, second = runs
        if first is None or second is None:
            return False
        if first.longest > second.longest + COMPILE_SECONDS:
            self._fault("", ("late", "the solver compiles after Started, when the clock goes already: call each kernel"
                                     " once between Compiling and Started"))  # fmt: skip
        tiny = [uniform(n, 7) for n in (1, 2, 3, 4, 5)]
        more = [clustered(10, 3), *([directed(8, 2)] if supports_directed(self._solver) else [])]
        for instance in (*tiny, *more):
            where = "On one city" if instance.n == 1 else f"On {instance.n} cities"
            if self._run(where, instance, find_shortest_length(instance), budget=_SHORT_BUDGET) is None:
                return False
        instances = [load(name) for name in ("burma14", "gr17")]
        return all(
            self._run(f"On {instance.name}", instance, instance.optimum, budget=_SHORT_BUDGET) is not None
            for instance in instances
        )

    def _check_repeats(self) -> bool:
        """Repeat a run: with the same seed, with as many events as possible, and, without chance, with another seed."""
        berlin = load("berlin52")
        run = partial(self._run, "On berlin52", berlin, berlin.optimum, budget=_SHORT_BUDGET)
        first, second = run(), run()
        if first is None or second is None:
            return False
        if change := find_difference(first.events, second.events):
            self._fault("", ("seed", f"the same seed gave two different runs: their {change} differ"))
            return True
        usual, report.SLICE = report.SLICE, 0.0
        try:
            cut = run()
        finally:
            report.SLICE = usual
        if cut is not None and (change := find_difference(first.events, cut.events)):
            self._fault("", ("cut", f"how the work is cut into events changes the run: its {change} differ"))
        if (
            not self._solver.chance
            and (other := run(seed=2)) is not None
            and find_difference(first.events, other.events)
        ):
            self._fault("", ("chance", "another seed gave another run, although chance is False"))
        return True

    def _check_start_tour(self) -> None:
        """Check a run that starts from another algorithm's tour."""
        berlin, start = load("berlin52"), np.arange(52, dtype=np.int32)[::-1].copy()
        observed = self._run("From a start tour", berlin, berlin.optimum, budget=_SHORT_BUDGET, start=start)
        starts = (
            [tour.tolist() for event in observed.events if isinstance(event, Moves) for tour in event.tours]
            if observed
            else []
        )
        if starts and start.tolist() not in starts:
            self._fault("From a start tour", ("start", "no climb began with it: begin the first one with job.start, or"
                                              " a race says what is not so"))  # fmt: skip

    def _check_replays(self) -> None:
        """Check the replay of the first recorded climbs."""
        berlin = load("berlin52")
        observed = self._run("On berlin52", berlin, berlin.optimum, budget=_SHORT_BUDGET)
        content = collect_reports(observed.events if observed else ())
        for kind in ("moves", "constructions"):
            for climber in list(content[kind])[:2]:
                try:
                    events = list(self._run_replay(berlin, climber))
                except RunFailed as error:
                    self._fault("A replay", ("replay", str(error)))
                    return
                if collect_reports(events)[kind].get(climber) != content[kind][climber]:
                    self._fault("", ("replay", f"replay makes other {kind} of climber {climber} than the run"))

    def _run_replay(self, instance: Instance, climber: int) -> Iterator:
        counter = Budget().start()
        counter.clock.resume()
        stage = plan_stage(self._solver, self._defaults, "auto", instance, Machine())
        return self._solver.replay(stage.job(1, counter), climber)

    def _check_intervals(self) -> None:
        """Check the longest time between events in the better of two runs, since other work may delay one of them."""
        instance, budget = uniform(self._cities, 1), Budget(seconds=self._seconds)
        where = f"On {self._cities:,} cities"
        runs = [self._run(where, instance, budget=budget) for _ in range(2)]
        longest = min((observed.longest for observed in runs if observed is not None), default=0.0)
        if longest > MAX_EVENT_SECONDS:
            allowed = 1000 * MAX_EVENT_SECONDS
            self._fault(where, ("pieces", f"a piece of work took {1000 * longest:.0f} ms of processor time, and at most"
                                          f" {allowed:.0f} ms may pass between two events"))  # fmt: skip

    def _check_stops(self) -> bool:
        """Check a cancellation and a budget's limits; return whether a limited run ends."""
        before, instance = self.faults, uniform(self._cities, 1)
        run = partial(self._observer.run, instance, self._defaults, longest=_MAX_LIMITED_SECONDS)
        observed = run(budget=Budget(iterations=2, seconds=5.0))
        if not observed.counter.read_count:
            self._fault("", ("asks", "the run never looks at its budget: it must call job.stop.update, as Report does"))
            return False
        rows = sum(event.climber.size for event in observed.events if isinstance(event, Rows))
        if rows > 2:
            unit = self._solver.iteration_unit
            self._fault("", ("iterations", f"with a budget of 2 iterations the run went on to {unit} number {rows}"))
        observed = run(cancel_after=3)
        if not observed.ended or observed.after_cancel > _STOP_SECONDS:
            self._fault("", ("cancel", f"a run that was cancelled has not ended within {_STOP_SECONDS:g} second"))
        observed = run(budget=Budget(seconds=0.3))
        if observed.counter.clock.seconds > 0.3 + 10 * _STOP_SECONDS or not observed.ended:
            self._fault("", ("time", "the run went on for long after its time limit"))
        return self.faults == before

    def _check_params(self) -> None:
        """Check each parameter at the ends of its range, and at each of its choices."""
        eight = uniform(8, 1)
        minimum = find_shortest_length(eight)
        for declared in self._solver.params.schema():
            for value in _choose_values(declared):
                params = self._solver.params.from_mapping({declared.name: value})
                where = f"With {declared.name} = {value}"
                if self._run(where, eight, minimum, params=params, budget=_LONGER_BUDGET) is None:
                    break
        counted = self._solver.iterations_param()
        if counted is not None and (counted.low or 0) <= 2 <= (counted.high or 0):
            two = self._solver.params.from_mapping({counted.name: 2})
            observed = self._run(f"With {counted.name} = 2", eight, minimum, params=two)
            rows = sum(event.climber.size for event in observed.events if isinstance(event, Rows)) if observed else 2
            if rows != 2:
                self._fault("", ("counted", f"with {counted.name} = 2 the run has reported {rows} in Rows"))


def _choose_values(declared: Param) -> list:
    if declared.kind == "bool":
        return [False, True]
    if declared.kind == "choice":
        return list(declared.choices)
    if declared.kind == "tour":
        return []
    return [declared.low, declared.high]
