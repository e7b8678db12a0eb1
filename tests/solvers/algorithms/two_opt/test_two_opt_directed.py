"""2-opt for directed instances: each move is the best insertion, recorded as reversals."""

import numpy as np
import pytest

from data.distances import tour_length
from data.generators import directed
from solvers.algorithms.annealing.kernels.insertion_cpu import MAX_PATH_CITIES, REVERSALS
from solvers.core.events import Progress
from tests.matrices import from_weights
from tests.solver_runs import collect_climbs, collect_events, make_spec, replay_events, story


def insertions(order: list[int]):
    """All tours with up to three consecutive cities moved elsewhere in the same direction."""
    n = len(order)
    for s in range(n):
        turned = order[s:] + order[:s]
        for many in range(1, min(MAX_PATH_CITIES, n - 2) + 1):
            path, rest = turned[:many], turned[many:]
            yield from (rest[:at] + path + rest[at:] for at in range(1, len(rest)))


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["sequential", "cpu"])
@pytest.mark.parametrize("n", [2, 3, 4, 5, 18])
def test_each_move_is_the_best_insertion(n, variant):
    instance = from_weights(np.random.default_rng(n).integers(0, 90, (n, n)))
    events = collect_events(instance, make_spec("two-opt", 3, climbers=4, variant=variant))
    for climb in collect_climbs(events).values():
        order, length = list(climb.start), climb.length
        assert tour_length(instance, np.array(order)) == length
        assert len(climb.moves) % REVERSALS == 0
        for number, (i, j, delta) in enumerate(climb.moves, 1):
            if number % REVERSALS == 1:
                best = min(tour_length(instance, np.array(other)) for other in insertions(order))
            order[i + 1 : j + 1] = order[i + 1 : j + 1][::-1]
            length += delta
            assert tour_length(instance, np.array(order)) == length
            if number % REVERSALS == 0:
                assert length == best
        assert all(tour_length(instance, np.array(other)) >= length for other in insertions(order))
    assert events[-1].length == tour_length(instance, events[-1].order)


def test_progress_has_the_lengths_between_insertions_only():
    events = collect_events(directed(40, 1), make_spec("two-opt", 2, climbers=3, variant="sequential"))
    rows = [event for event in events if isinstance(event, Progress) and event.best.size]
    best, evaluations = (np.concatenate([getattr(row, name) for row in rows]) for name in ("best", "evaluations"))
    assert (np.diff(best) <= 0).all()
    assert (np.diff(evaluations) >= 0).all()
    inside = [row for row in rows if (row.iteration == 0).all()]
    scan = evaluations[1]
    assert scan == 40 * (38 + 37 + 36)
    assert (np.concatenate([row.evaluations for row in inside]) % scan == 0).all()
    lengths = np.cumsum([collect_climbs(events)[0].length, *(move[2] for move in collect_climbs(events)[0].moves)])
    assert set(np.concatenate([row.current for row in inside]).tolist()) <= set(lengths[::REVERSALS].tolist())


def test_threads_slices_and_replays_change_nothing(monkeypatch):
    instance, spec = directed(40, 1), make_spec("two-opt", 2, climbers=6, variant="sequential")
    events = collect_events(instance, spec)
    climbs = collect_climbs(events)
    assert collect_climbs(replay_events(instance, spec, 4))[4].moves == climbs[4].moves
    two = collect_events(instance, make_spec("two-opt", 2, climbers=6, variant="cpu"))
    assert story(two)["rows"] == story(events)["rows"]
    monkeypatch.setattr("solvers.algorithms.two_opt.cpu._PACE", 1e4)
    assert story(collect_events(instance, spec))["climbs"] == story(events)["climbs"]
