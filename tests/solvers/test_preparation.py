"""Preparation counts against a run's budget and can be cancelled; the run then has a quick first tour."""

from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import pytest

from commands.main import main
from commands.progress_bar import Bar
from data.collection.resolve import load
from data.distances import check_tour, tour_length
from data.generators import directed, uniform
from data.interruption import check_between, watched_by
from runs.engine.commands import Control
from runs.engine.warmup import run_briefly
from runs.engine.worker import RunLoop
from solvers.core.events import Compiling, Edges, Finished, Progress, Rows, Started, Tour
from solvers.core.neighbours import nearest_neighbour_tour, neighbours
from solvers.core.params import Params
from solvers.core.solver import Job, Solver, Variant
from solvers.core.stop import Budget, Counter, Interrupted
from solvers.registry import find
from solvers.reporting.first_tour import report_first_tour
from solvers.run import Prepared, prepare, run
from solvers.worker.frames import decode
from tests.solver_runs import make_spec
from tests.tables import each_row

#: Algorithms that compute a matrix of distances before they start.
PREPARED = ("ant-system", "max-min-ant-system", "ant-colony-system", "genetic-algorithm", "particle-swarm",
            "artificial-bee-colony")  # fmt: skip


class Slow(Solver):
    """Compiles for 30 s and then prepares 4 blocks of 1 s each, on a clock that it advances itself."""

    name: ClassVar[str] = "slow"
    family: ClassVar[str] = "test"
    params: ClassVar[type[Params]] = Params
    variants: ClassVar[tuple[Variant, ...]] = (Variant("cpu", "cpu", "", ""),)

    def __init__(self, clock, cancels_in=None):
        self.clock, self.cancels_in, self.blocks = clock, cancels_in, 0

    def solve(self, job):
        yield Compiling()
        self.clock.now += 30.0
        for block in check_between(range(4)):
            self.clock.now += 1.0
            self.blocks += 1
            if block == self.cancels_in:
                job.stop.cancel()
        yield Started(self.name, "cpu", "a test", 1, 34.0)
        self.clock.now += 0.5
        order = np.arange(job.instance.n, dtype=np.int32)
        yield Tour(order, tour_length(job.instance, order), 0)


@pytest.fixture
def clock(monkeypatch):
    clock = SimpleNamespace(now=1000.0)
    monkeypatch.setattr("solvers.core.stop.time", SimpleNamespace(perf_counter=lambda: clock.now))
    monkeypatch.setattr("solvers.run.perf_counter", lambda: clock.now)
    return clock


def collect_events(solver, budget, stages=1, instance=None):
    spec = make_spec("two-opt")
    prepared = Prepared(spec, ((solver, Params()),) * stages)
    counter = Counter(budget)
    return [*run(prepared, instance or uniform(40, 1), counter)], counter


def test_loop_without_a_watch_yields_its_blocks():
    assert [*check_between(iter("abc"))] == ["a", "b", "c"]


def test_watch_is_checked_before_each_block_while_its_clock_runs():
    sentence = []

    class Context:
        def __enter__(self):
            sentence.append("go")

        def __exit__(self, *_):
            sentence.append("stand")

    watch = SimpleNamespace(count_time=Context, check=lambda: sentence.append("check"))
    with watched_by(watch):
        for block in check_between("ab"):
            sentence.append(block)
    assert sentence == ["go", "check", "a", "check", "b", "stand"]
    assert [*check_between("c")] == ["c"]
    assert len(sentence) == 6


def test_compilation_does_not_count_and_preparation_does(clock):
    events, _ = collect_events(Slow(clock), Budget(seconds=100.0))
    assert [type(event) for event in events] == [Compiling, Started, Tour, Finished]
    assert events[1].compile_seconds == 30.0
    assert (events[-1].seconds, events[-1].compile_seconds, events[-1].stop_reason) == (4.5, 30.0, "completed")


def test_limit_ends_the_preparation_between_two_blocks_with_a_tour(clock):
    solver = Slow(clock)
    events, _ = collect_events(solver, Budget(seconds=2.5))
    assert solver.blocks == 3
    assert [type(event) for event in events] == [Compiling, Started, Edges, Tour, Rows, Progress, Finished]
    assert events[1].compile_seconds == 30.0
    end = events[-1]
    assert (end.stop_reason, end.seconds, end.iterations) == ("preparation", 3.0, 1)
    assert end.length == events[3].length


def test_run_is_cancelled_during_preparation(clock):
    solver = Slow(clock, cancels_in=1)
    events, _ = collect_events(solver, Budget())
    assert solver.blocks == 2
    assert events[-1].stop_reason == "cancelled"
    check_tour(40, events[-1].order)


def test_stage_cut_in_its_preparation_keeps_the_previous_tour(clock):
    events, _ = collect_events(Slow(clock), Budget(seconds=6.0), stages=2)
    assert [type(event) for event in events] == [Compiling, Started, Tour, Compiling, Started, Finished]
    assert np.array_equal(events[-1].order, np.arange(40))
    assert events[-1].stop_reason == "preparation"


def test_warmed_up_worker_prepares_the_whole_run(clock, monkeypatch):
    solver, spec = Slow(clock), make_spec("two-opt")
    monkeypatch.setattr("runs.engine.warmup.prepare", lambda spec: Prepared(spec, ((solver, Params()),)))
    run_briefly(spec, uniform(40, 1))
    assert solver.blocks == 4


def test_cancel_on_the_page_ends_the_preparation_in_a_worker():
    spec, sent = make_spec("ant-colony-system"), []
    control = Control(spec.budget.start())
    control.apply("cancel")
    job = SimpleNamespace(spec=spec, instance=uniform(600, 1), control=control, pictures=True)
    assert RunLoop(SimpleNamespace(write=lambda raw: sent.append(decode(raw))), control).run(job)
    assert [frame.kind for frame in sent][:2] == ["compiling", "started"]
    assert (sent[-1].kind, sent[-1].values["stop_reason"]) == ("finished", "cancelled")


@each_row("algorithm", PREPARED)
@each_row("cancelled", [True, False])
def test_every_algorithm_with_a_matrix_respects_its_budget_before_starting(algorithm, cancelled):
    counter = Counter(Budget(seconds=None if cancelled else 1e-9))
    if cancelled:
        counter.cancel()
    instance = uniform(600, 1)
    *_, end = run(prepare(make_spec(algorithm)), instance, counter)
    assert end.stop_reason == ("cancelled" if cancelled else "preparation")
    assert end.length == tour_length(instance, end.order)
    assert end.evaluations == 1, "nothing of the algorithm"


@each_row("instance", [uniform(n, 1) for n in (1, 2, 3, 2000)] + [directed(30, 2), load("swiss42")])
def test_first_tour_visits_each_city_once_and_is_not_random(instance):
    spec = make_spec("simulated-annealing")
    job = Job(instance, find("simulated-annealing").params(), spec.seed, "cpu", Counter(Budget()))
    tour = next(event for event in report_first_tour(find("simulated-annealing"), job, 0.0) if isinstance(event, Tour))
    check_tour(instance.n, tour.order)
    if instance.n == 2000:
        area = np.prod(np.ptp(instance.coordinates, axis=0))
        assert tour.length < np.sqrt(2000 * area)  # the shortest are about 0.72 times that long


def test_lists_and_nearest_neighbour_tours_can_be_interrupted():
    counter = Counter(Budget())
    distances = np.ones((600, 600), np.int32)
    for work in (lambda: neighbours(distances, 5), lambda: nearest_neighbour_tour(distances)):
        counter.cancel()
        with watched_by(counter), pytest.raises(Interrupted):
            work()


def test_command_line_reports_that_time_was_up_before_the_algorithm(capsys):
    assert main(["run", "uniform:600:1", "ant-colony-system", "--time", "0.000001"]) == 0
    assert "stopped by: time, which was up before the algorithm began" in capsys.readouterr().out


def test_terminal_shows_preparation_and_the_first_tour():
    instance, solver = uniform(5, 1), find("two-opt")
    sentence = []
    with Bar(instance, solver, solver.params(), Counter(Budget())) as bar:
        bar._bar = SimpleNamespace(update=lambda _task, **changes: sentence.append(changes["description"]))
        bar._task = 0
        for event in (Compiling(), Tour(np.arange(5), 1234, 0), Compiling()):
            bar.take(event)
    assert sentence == ["preparing", "1,234, preparing"]
