"""The recorded step of a move: its draw and the temperature; oracles repeat the draws in plain Python."""

import math

import numpy as np
import pytest

from data.generators import directed
from solvers.algorithms.annealing.neighbours import find_nearest
from solvers.algorithms.annealing.params import AnnealingParams
from solvers.core.kernel_distances import build_measure
from tests import naive
from tests.assets.explaining import tour_after
from tests.solver_runs import KINDS, collect_climbs, collect_events, make_spec
from tests.tables import each_row

NAME = "simulated-annealing"
FEW = {"chains": 3, "moves_per_city": 20, "final_temperature_ratio": 0.2}
FIRST_STEP = 1 << 32


def recorded_chains(instance, seed, **params):
    """The recorded chains of a run, with their parameters."""
    values = FEW | {"variant": "sequential"} | params
    return collect_climbs(collect_events(instance, make_spec(NAME, seed, **values))), AnnealingParams(**values)


def uniform(seed, climber, step):
    """The number between 0 and 1 that decides the draw `step`, counted from 1."""
    return (naive.random_bits(seed, climber, FIRST_STEP + 4 * (step - 1) + 1) >> 11) / 2**53


def phases(climb):
    """The numbers of moves by draws, of moves back to the best tour, and of moves by the search after it."""
    steps = [step for step, _ in climb.steps]
    drawn = sum(step > 0 for step in steps)
    back = steps.count(0)
    assert steps == [*sorted(set(steps[:drawn])), *[0] * back, *[-1] * (len(steps) - drawn - back)]
    return drawn, back


@each_row("kind", KINDS)
def test_step_of_a_move_is_its_draw(kind):
    instance, seed = KINDS[kind](), 5 + len(kind)
    climbs, params = recorded_chains(instance, seed)
    near = find_nearest(instance, build_measure(instance), params.neighbours).tolist()
    n, uphill = instance.n, 0
    for climber, climb in climbs.items():
        drawn, _ = phases(climb)
        order = np.array(climb.start)
        for (i, j, delta), (step, temperature) in zip(climb.moves[:drawn], climb.steps, strict=False):
            bits = naive.random_bits(seed, climber, FIRST_STEP + 4 * (step - 1))
            city = (bits >> 32) * n >> 32
            other = near[city][((bits & 0xFFFFFFFF) >> 1) * len(near[city]) >> 31]
            joined = [{order[i], order[j]}, {order[i + 1], order[(j + 1) % n]}]
            assert {city, other} in joined
            if delta > 0:
                uphill += 1
                assert uniform(seed, climber, step) < math.exp(-delta / temperature)
            order = tour_after(order, i, j)
    assert uphill > 10


@each_row("schedule", ["geometric", "linear"])
def test_temperature_of_a_move_belongs_to_its_level(schedule):
    instance = KINDS["grid"]()
    climbs, params = recorded_chains(instance, 8, temperature=90.0, schedule=schedule, cooling=0.9)
    sweep = params.moves_per_city * instance.n
    for climb in climbs.values():
        drawn, _ = phases(climb)
        seen = {((step - 1) // sweep, temperature) for step, temperature in climb.steps[:drawn]}
        for level, temperature in seen:
            share = 0.9**level if schedule == "geometric" else 1 - 0.8 * level / (params.levels - 1)
            expected = 90.0 * share if level < params.levels else 0.0
            assert temperature == pytest.approx(expected, rel=1e-12)
        assert len(seen) >= params.levels - 2


def test_chain_returning_to_its_best_tour_says_so():
    climbs, _ = recorded_chains(KINDS["grid"](), 2, temperature=400.0, final_temperature_ratio=0.9, finish="best")
    for climb in climbs.values():
        drawn, back = phases(climb)
        lengths = climb.length + np.cumsum([0, *(delta for _, _, delta in climb.moves)])
        assert back > 0
        assert lengths[-1] <= lengths[: drawn + 1].min()  # the way may pass a shorter one


def test_moves_after_the_draws_only_shorten():
    climbs, _ = recorded_chains(KINDS["crowded"](), 4, far_move_rate=0.3)
    for climb in climbs.values():
        assert all(delta < 0 for (_, _, delta), (step, _) in zip(climb.moves, climb.steps, strict=True) if step < 0)


def test_three_reversals_of_an_insertion_share_one_draw():
    climbs, _ = recorded_chains(directed(25, 3), 6)
    for climb in climbs.values():
        steps = [step for step, _ in climb.steps]
        thirds = [steps[k : k + 3] for k in range(0, len(steps), 3)]
        assert all(len(set(third)) == 1 for third in thirds)
        changes = [sum(delta for _, _, delta in climb.moves[k : k + 3]) for k in range(0, len(steps), 3)]
        for change, [step, *_], [_, temperature] in zip(changes, thirds, climb.steps[::3], strict=True):
            if change > 0 and step > 0:
                assert uniform(6, next(c for c, each in climbs.items() if each is climb), step) < math.exp(
                    -change / temperature
                )


def test_replicas_record_their_temperature():
    climbs, _ = recorded_chains(KINDS["grid"](), 3, variant="replica-exchange", chains=4, exchange_after=7)
    for climber, climb in climbs.items():
        drawn, _ = phases(climb)
        assert len({temperature for _, temperature in climb.steps[:drawn]}) > 2
        for (_, _, delta), (step, temperature) in zip(climb.moves[:drawn], climb.steps, strict=False):
            if delta > 0:
                assert uniform(3, climber, step) < math.exp(-delta / temperature)
