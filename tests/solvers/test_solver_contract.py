"""The contract of every registered solver, on every kind of instance."""

import threading
import time

import numpy as np
import pytest

from data.collection.resolve import load
from data.distances import check_tour, edge_lengths, tour_length
from data.generators import uniform
from solvers import SOLVERS, find
from solvers.core.events import Compiling, Edges, Finished, Moves, Progress, Rows, Started, Tour
from solvers.run import prepare, run
from tests.clock import is_within_bound, measure_fastest
from tests.naive import reversed_between
from tests.solver_runs import (
    KINDS,
    NAMES,
    admitted,
    collect_climbs,
    collect_events,
    fit_instance,
    make_spec,
    replay_events,
    small_params,
    story,
)
from tests.tables import each_row

pytestmark = pytest.mark.slow

#: Measured by places, and by a matrix; golden lengths tell of the others.
SHORT = ("fractions", "explicit")


@pytest.fixture(scope="module", params=NAMES)
def solver(request):
    return find(request.param)


@pytest.fixture(
    scope="module", params=[kind if kind in SHORT else pytest.param(kind, marks=pytest.mark.long) for kind in KINDS]
)
def instance(request, solver):
    return fit_instance(solver, KINDS[request.param]())


@pytest.fixture(scope="module")
def events(solver, instance):
    return collect_events(instance, make_spec(solver.name, **small_params(solver)))


def check_start_and_end(events, solver, instance):
    assert isinstance(events[0], Compiling)
    started = [event for event in events if isinstance(event, Started)]
    assert len(started) == 1
    assert started[0].algorithm == solver.name
    assert started[0].variant in {row.name for row in solver.variants}
    assert started[0].device.endswith(f"{started[0].threads} thread{'s' * (started[0].threads > 1)}")
    assert [event for event in events if isinstance(event, Finished)] == [events[-1]]
    assert events[-1].stop_reason == "completed"


def check_progress(events, solver, instance):
    progress = [event for event in events if isinstance(event, Progress)]
    for name in ("iteration", "evaluations", "elapsed"):
        column = np.concatenate([getattr(event, name) for event in progress])
        assert np.all(np.diff(column) >= 0)
    best = np.concatenate([event.best for event in progress])
    assert np.all(np.diff(best) <= 0)
    assert best[-1] == events[-1].length
    whole = ("iteration", "evaluations", "best", "current")
    for event in progress:
        assert {getattr(event, name).dtype.name for name in whole} == {"int64"}
        assert {event.elapsed.dtype.name, event.mean.dtype.name} == {"float64"}


def check_new_bests(events, solver, instance):
    tours = [event for event in events if isinstance(event, Tour)]
    lengths = [tour.length for tour in tours]
    assert lengths == sorted(set(lengths), reverse=True)
    for tour in tours:
        check_tour(instance.n, tour.order)
        assert tour.length == tour_length(instance, tour.order)
    assert events[-1].length == lengths[-1]
    assert events[-1].order.tolist() == tours[-1].order.tolist()


def check_rows(events, solver, instance):
    rows = [event for event in events if isinstance(event, Rows)]
    climbers = np.concatenate([event.climber for event in rows])
    assert climbers.tolist() == list(range(climbers.size))
    assert events[-1].iterations == climbers.size
    assert events[-1].evaluations == sum(int(event.evaluations.sum()) for event in rows)
    assert min(int(event.length.min()) for event in rows) == events[-1].length
    assert all(np.all(event.seconds >= 0) for event in rows)


def check_climbs(events, solver, instance):
    rows = story(events)["rows"]
    answer = dict(zip(rows["climber"], zip(rows["length"], rows["moves"], strict=True), strict=True))
    for climber, climb in collect_climbs(events).items():
        tour, length = climb.start, climb.length
        assert length == tour_length(instance, np.array(tour))
        for at, (i, j, delta) in enumerate(climb.moves):
            assert climb.tours.get(at, tour) == tour
            tour, length = reversed_between(tour, i, j), length + delta
            assert delta < 0 or solver.name in ("simulated-annealing", "tabu-search", "lin-kernighan")
        assert tour_length(instance, np.array(tour)) == length
        assert climb.last
        assert answer[climber] == (length, len(climb.moves))


def check_constructions(events, solver, instance):
    for event in events:
        if isinstance(event, Edges):
            assert event.edges.shape == (instance.n, 2)
            assert np.bincount(event.edges.ravel(), minlength=instance.n).tolist() == [2] * instance.n
            assert event.delta.tolist() == edge_lengths(instance, *event.edges.T).tolist()


def check_order_of_records(events, solver, instance):
    recorded: set[int] = set()
    for event in events:
        recorded |= set(event.climber[event.last].tolist()) if isinstance(event, Moves) else set()
        recorded |= {event.climber} if isinstance(event, Edges) else set()
        assert not isinstance(event, Tour) or event.climber in recorded


def check_replays_of_climbs(events, solver, instance):
    spec = make_spec(solver.name, **small_params(solver))
    climbs = collect_climbs(events)
    constructions = {event.climber: event.edges.tolist() for event in events if isinstance(event, Edges)}
    for climber in list(climbs)[:3] + list(climbs)[-1:]:
        assert collect_climbs(replay_events(instance, spec, climber)) == {climber: climbs[climber]}
    for climber, edges in list(constructions.items())[:3]:
        *_, again = replay_events(instance, spec, climber)
        assert again.climber == climber
        assert again.edges.tolist() == edges


def check_repetition(events, solver, instance):
    again = collect_events(instance, make_spec(solver.name, **small_params(solver)))
    assert story(again) == story(events)


CHECKS = (
    check_start_and_end,
    check_progress,
    check_new_bests,
    check_rows,
    check_climbs,
    check_constructions,
    check_order_of_records,
    check_replays_of_climbs,
    check_repetition,
)


def test_a_run_keeps_the_contract(events, solver, instance):
    for check in CHECKS:
        check(events, solver, instance)


def test_another_seed_gives_another_run(solver):
    if solver.name in ("christofides", "greedy", "given", "held-karp", "space-filling-curve", "branch-and-cut"):
        pytest.skip("it draws no random numbers")
    first, second = (
        collect_events(load("berlin52"), make_spec(solver.name, seed, **small_params(solver, 2))) for seed in (1, 2)
    )
    assert story(first) != story(second)


@each_row("n", [1, 2, 3, 4, 5])
def test_few_cities(solver, n):
    instance = uniform(n, 7)
    events = collect_events(instance, make_spec(solver.name, **small_params(solver, 10)))
    check_tour(n, events[-1].order)
    assert events[-1].length == tour_length(instance, events[-1].order)
    assert events[-1].stop_reason == "completed"


def test_coincident_cities(solver):
    instance = fit_instance(solver, KINDS["crowded"]())
    assert np.unique(instance.coordinates, axis=0).shape[0] < instance.n
    assert collect_events(instance, make_spec(solver.name, **small_params(solver)))[-1].length > 0


@pytest.mark.alone
def test_slices_are_short(solver):
    # Meant to stay below 0.1. A busy machine may take the core away in between, but not each time at the same place.
    assert measure_fastest(lambda: longest_piece(solver), 0.4) < 0.4


def clock_seconds() -> np.ndarray:
    """Seconds of the clock and of the processor."""
    return np.array([time.perf_counter(), time.process_time()])


def longest_piece(solver) -> float:
    """The longest that a run of half a second was silent once it had started, seconds.

    Of the clock or of the processor, whichever are less: the one where threads share the work, the other where some
    other process has the cores.
    """
    spec = make_spec(solver.name, budget={"seconds": 0.5}, **small_params(solver, 10_000))
    longest, before = 0.0, None
    for event in run(prepare(spec), uniform(admitted(solver, 5000, 22), 1)):
        if before is not None:
            longest = max(longest, min(clock_seconds() - before))
        before = clock_seconds() if before is not None or isinstance(event, Started) else None
    return longest


def test_closing_a_run_ends_its_threads(solver):
    before = threading.active_count()
    events = run(prepare(make_spec(solver.name, **small_params(solver, 10_000))), uniform(admitted(solver, 600, 20), 1))
    while not isinstance(next(events), Started):
        continue
    next(events)
    began = time.process_time()
    events.close()
    assert is_within_bound(time.process_time() - began, 5)  # 0.03 s
    assert threading.active_count() == before


def test_a_cancelled_run_still_has_its_tour(solver):
    instance = uniform(admitted(solver, 600, 20), 1)
    spec = make_spec(solver.name, **small_params(solver, 10_000))
    counter = spec.budget.start()
    events = []
    for event in run(prepare(spec), instance, counter):
        events.append(event)
        if isinstance(event, Started):
            counter.cancel()
    assert events[-1].stop_reason == "cancelled"
    check_tour(instance.n, events[-1].order)


def test_a_target_ends_a_run(solver):
    spec = make_spec(solver.name, budget={"target": 10**15}, **small_params(solver))
    events = collect_events(fit_instance(solver, load("berlin52")), spec)
    assert events[-1].stop_reason == "target"
    assert events[-1].iterations == 1


def test_second_stage_starts_from_the_best_tour(solver):
    spec = make_spec("nearest-neighbour")
    stages = [*spec.to_json()["stages"], {"algorithm": solver.name, "params": small_params(solver, 3)}]
    events = collect_events(
        fit_instance(solver, load("berlin52")), type(spec).from_json({**spec.to_json(), "stages": stages})
    )
    tours = [event.length for event in events if isinstance(event, Tour)]
    assert tours == sorted(set(tours), reverse=True)
    progress = np.concatenate([event.iteration for event in events if isinstance(event, Progress)])
    assert np.all(np.diff(progress) >= 0)
    climbers = [climber for event in events if isinstance(event, Rows) for climber in event.climber.tolist()]
    assert climbers == list(range(len(climbers))), "the run's climbers are those of its last stage"
    if solver.name in ("two-opt", "simulated-annealing", "tabu-search"):
        first = next(event for event in events if isinstance(event, Tour))
        assert collect_climbs(events)[0].start == first.order.tolist()


def test_every_solver_describes_itself():
    for solver in SOLVERS:
        assert all((solver.title, solver.family, solver.source, solver.iteration_unit, solver.evaluation_unit))
        assert solver.summary.endswith(".")
        assert solver.step_unit in ("move", "edge", "step")
        variants = {declared.name: declared for declared in solver.params.schema()}.get("variant")
        assert variants is None or variants.choices == ("auto", *(row.name for row in solver.variants))
