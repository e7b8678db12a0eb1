"""The reported gain of 2-opt on ants' tours: in every iteration, and on the best tour at the end of a run."""

import numpy as np

from data.collection.resolve import load
from data.distances import check_tour, tour_length
from data.generators import uniform
from solvers.algorithms.ants import final_local_search
from solvers.algorithms.ants.acs.params import AntColonySystemParams
from solvers.algorithms.ants.colony import Iterations
from solvers.algorithms.ants.run import run_colony
from solvers.core.events import Colony, Moves, Progress, Rows, Shortened, Tour
from solvers.core.solver import Job
from solvers.core.stop import Budget
from solvers.kernels.local_search_cpu import allocate_search, begin, improve
from solvers.run import prepare, run
from solvers.spec import RunSpec, Stage
from tests.tables import each_row

NAN = np.nan


class Wanderers:
    """A memoryless colony: one ant per iteration, with a random tour; see
    `solvers.algorithms.ants.colony.AntColony`."""

    ants = 1

    def __init__(self, instance, built=NAN, shortening=NAN, iteration_of_stop=None, stop=None):
        self._instance, self._numbers = instance, np.random.default_rng(7)
        self._built, self._shortening, self._done = built, shortening, 0
        self._iteration_of_stop, self._stop = iteration_of_stop, stop

    def advance(self, until):
        if self._iteration_of_stop == self._done:
            self._stop.cancel()
            return None
        self._done += 1
        order = self._numbers.permutation(self._instance.n).astype(np.int32)
        length, one = np.array([tour_length(self._instance, order)]), np.ones(1)
        return Iterations(
            best=length, worst=length, mean=1.0 * length, entropy=one, branching=one, order=order[None], seconds=one,
            trials=np.empty((1, 0), np.int64), phases=np.full((1, 4), NAN), built=length + self._built,
            shortening=np.array([self._shortening]), lengths=length,
        )  # fmt: skip

    def find_unfinished(self):
        return None

    def explain(self, which):
        pass

    def trails(self):
        return np.ones((self._instance.n, self._instance.n), np.float32)


def make_job(instance, start=None, when="last", **budget) -> Job:
    counter = Budget(**budget).start()
    counter.clock.resume()
    params = AntColonySystemParams(local_search_when=when, iterations=5)
    return Job(instance, params, 1, "cpu", counter, start, pictures=False)


def run_solver(job: Job, **colony) -> list:
    return list(run_colony(job, Wanderers(job.instance, **colony), job.params.iterations))


def select_events(events, kind) -> list:
    return [event for event in events if isinstance(event, kind)]


def test_best_tour_becomes_a_local_optimum():
    instance = load("kroA100")
    job = make_job(instance)
    events = run_solver(job)
    told_lengths = np.concatenate([event.length for event in select_events(events, Rows)])
    assert told_lengths.size == 5, "the table has the ants alone"
    (shortened,) = select_events(events, Shortened)
    before, after = int(shortened.before[0]), int(shortened.after[0])
    assert (shortened.best, shortened.iteration.tolist()) == (True, [5])
    assert before == told_lengths.min() > after
    assert shortened.milliseconds[0] > 0.0
    *_, tour = select_events(events, Tour)
    assert (tour.length, tour_length(instance, tour.order)) == (after, after)
    assert tour.climber == told_lengths.argmin(), "the ant whose tour it was"
    check_tour(100, tour.order)
    rows = [event for event in select_events(events, Progress) if event.iteration.size]
    assert (rows[-1].best.tolist(), rows[-1].iteration.tolist()) == ([after], [5])
    assert rows[-1].elapsed[0] >= rows[-2].elapsed[-1]
    assert (job.stop.best, job.stop.reason, job.stop.iterations) == (after, None, 5)
    known, search, order = final_local_search.build_map(instance, 10), allocate_search(100), tour.order.copy()
    begin(order, search)
    assert improve(order, *known, search, np.int64(1 << 40), None) == 0


def test_slices_change_nothing(monkeypatch):
    found = []
    for work in (1, 1 << 30):
        monkeypatch.setattr(final_local_search, "WORK", work)
        events = run_solver(make_job(load("kroA100")))
        found.append((select_events(events, Tour)[-1].order.tolist(), len(select_events(events, Progress))))
    assert found[0][0] == found[1][0]
    assert found[0][1] > 100 + found[1][1], "a sign of life after each slice"


@each_row(
    ("budget", "reason"),
    [({"target": 10**9}, "target"), ({"evaluations": 3}, "evaluations"), ({"seconds": 1e-9}, "time")],
)
def test_run_ended_by_a_limit_is_shortened_too(budget, reason):
    job = make_job(load("berlin52"), **budget)
    events = run_solver(job)
    (shortened,) = select_events(events, Shortened)
    assert job.stop.reason == reason
    assert job.stop.best == shortened.after[0] < shortened.before[0]


def test_the_target_can_be_reached_at_the_end():
    job = make_job(load("berlin52"), target=9_000)
    run_solver(job)
    assert (job.stop.reason, job.stop.iterations) == ("target", 5)


@each_row("iteration", [0, 3])
def test_cancelled_run_is_unchanged(iteration):
    job = make_job(load("berlin52"))
    events = run_solver(job, iteration_of_stop=iteration, stop=job.stop)
    assert not select_events(events, Shortened)
    assert select_events(events, Tour)[-1].length == min(row.length.min() for row in select_events(events, Rows))


@each_row("slices", [0, 2])
def test_local_search_can_be_cancelled(slices, monkeypatch):
    monkeypatch.setattr(final_local_search, "WORK", 1)
    job, waiting = make_job(uniform(1500, 1)), None
    events = []
    for event in run_colony(job, Wanderers(job.instance), 5):
        events.append(event)
        if job.stop.iterations == 5 and isinstance(event, Progress) and not event.iteration.size:
            waiting = slices if waiting is None else waiting - 1
            if waiting == 0:
                job.stop.cancel()
    assert waiting is not None
    assert waiting <= 0
    assert not select_events(events, Shortened)
    assert len(select_events(events, Tour)) == len({event.climber for event in select_events(events, Tour)})


def test_run_cut_in_its_first_iteration_is_shortened():
    class Asleep(Wanderers):
        def advance(self, until):
            return None

    job = make_job(load("berlin52"), seconds=1e-9)
    events = list(run_colony(job, Asleep(job.instance), 5))
    (shortened,) = select_events(events, Shortened)
    assert shortened.iteration.tolist() == [1]
    assert select_events(events, Tour)[-1].length == shortened.after[0] < shortened.before[0]


def test_unbeaten_start_tour_is_shortened_or_reported():
    instance = load("berlin52")
    events = run_solver(make_job(instance))
    again = run_solver(make_job(instance, start=select_events(events, Tour)[-1].order))
    (shortened,) = select_events(again, Shortened)
    assert shortened.before[0] == shortened.after[0] == select_events(events, Shortened)[0].after[0]
    assert not select_events(again, Tour)


def test_too_few_cities_are_left_alone():
    job = make_job(uniform(7, 1))
    assert not select_events(run_solver(job), Shortened)


def test_tours_shortened_in_every_iteration_are_reported_in_columns():
    events = run_solver(make_job(load("berlin52"), when="every"), built=100.0, shortening=2.5)
    columns = {
        name: np.concatenate([getattr(event, name) for event in select_events(events, Shortened)])
        for name in ("iteration", "before", "after", "milliseconds")
    }
    means = np.concatenate([event.mean for event in select_events(events, Colony)])
    assert columns["iteration"].tolist() == [1, 2, 3, 4, 5]
    assert columns["after"].tolist() == means.tolist()
    assert columns["before"].tolist() == (means + 100.0).tolist()
    assert set(columns["milliseconds"]) == {2.5}
    assert not any(event.best for event in select_events(events, Shortened))


def make_spec(*more: Stage, **params) -> RunSpec:
    values = {"iterations": 3, "ants": 4, "local_search_when": "last", **params}
    return RunSpec({"name": "kroA100"}, (Stage("ant-colony-system", values), *more))


@each_row("variant", ["cpu", "sequential"])
def test_a_run_ends_with_the_shortened_tour(variant):
    instance = load("kroA100")
    *events, end = run(prepare(make_spec(variant=variant)), instance)
    (shortened,) = select_events(events, Shortened)
    assert end.length == shortened.after[0] < shortened.before[0]
    assert shortened.before[0] == np.concatenate([event.length for event in select_events(events, Rows)]).min()
    assert tour_length(instance, end.order) == end.length
    assert (end.iterations, end.evaluations, end.stop_reason) == (3, 12, "completed")


def test_next_stage_starts_with_the_shortened_tour():
    instance = load("kroA100")
    *_, alone = run(prepare(make_spec()), instance)
    climb = Stage("two-opt", {"climbers": 1, "variant": "sequential"})
    *events, _ = run(prepare(make_spec(climb)), instance)
    assert not select_events(events, Shortened), "told of the last stage alone"
    first = select_events(events, Moves)[0]
    assert (first.length[0], first.tours[0].tolist()) == (alone.length, alone.order.tolist())
