"""The solvers of a site against TourScope's own: the same tour, bit by bit, from the same start."""

from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

from components.learn.collection import Lessons
from data.collection.resolve import resolve
from data.distances import distance_matrix
from data.instance import Instance
from solvers import find
from solvers.core.events import Finished, Moves
from solvers.core.params import Params
from solvers.run import prepare, run
from solvers.spec import VERSION, RunSpec
from tests.assets.node import evaluate
from tests.tables import each_row

SOLVE = "assets/site/solve/"
MODULES = [f"{SOLVE}{name}.js" for name in ("random", "two_opt", "nearest_neighbour", "annealing")]
#: Solves rows of an instance's distances, coordinates, seed and start, and tells tours as lists.
TWO_OPT = """({ randomTour, climb, nearestNeighbour }, rows) => rows.map(([far, seed, start]) => {
  const n = Math.sqrt(far.length);
  const order = randomTour(seed, 0, n);
  const moves = [...climb(Int32Array.from(far), order)];
  return [order, moves.length, nearestNeighbour(Int32Array.from(far), n, start)].map((each) =>
    ArrayBuffer.isView(each) ? [...each] : each);
})"""
ANNEALING = """({ anneal }, rows) => rows.map(([far, at, params, seed]) => {
  const chain = anneal(Int32Array.from(far), Float64Array.from(at), params, seed, 0);
  for (let step = chain.next(); ; step = chain.next()) if (step.done) {
    const { order, length, moves, evaluations, start } = step.value;
    return [[...start], [...order], length, moves, evaluations];
  }
})"""


def made_up(seed: int) -> Instance:
    """Instances of few or many cities: random, clustered, or on a grid, where many moves tie."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(5, 60))
    if seed % 3 == 2:
        side = int(rng.integers(3, 9))
        cities = rng.permutation(np.argwhere(np.ones((side, side))))[:n].tolist()
        return resolve({"cities": cities}, None)
    return resolve({"generate": ("uniform", "clustered")[seed % 3], "n": n, "seed": seed}, None)


def solve(instance: Instance, algorithm: str, seed: int, **params) -> tuple[list[int], list]:
    """The tour and the events of a run by TourScope."""
    fields = {"v": VERSION, "instance": {"name": "berlin52"}, "seed": seed, "device": "cpu"}
    spec = RunSpec.from_json(fields | {"stages": [{"algorithm": algorithm, "params": params}]})
    events = list(run(prepare(spec), instance, None, pictures=False))
    assert isinstance(events[-1], Finished)
    return events[-1].order.tolist(), events


def check_two_opt(seeds: range) -> None:
    instances = {seed: made_up(seed) for seed in seeds}
    expected, rows = [], []
    for seed, instance in instances.items():
        climbed, events = solve(instance, "two-opt", seed, climbers=1, variant="sequential")
        near, _ = solve(instance, "nearest-neighbour", seed)
        moves = sum(event.i.size for event in events if isinstance(event, Moves))
        expected.append([climbed, moves, near])
        rows.append([distance_matrix(instance).ravel().tolist(), seed, near[0]])
    for seed, mine, theirs in zip(seeds, expected, evaluate(MODULES, TWO_OPT, rows), strict=True):
        assert theirs == mine, seed


def test_two_opt_and_nearest_neighbour_match_python_tours():
    check_two_opt(range(30))


@pytest.mark.long
def test_they_match_python_tours_on_a_thousand_instances():
    for first in range(0, 1000, 100):
        check_two_opt(range(first, first + 100))


def check_annealing(instance: Instance, seed: int, **given) -> None:
    params: Params = find("simulated-annealing").params(chains=1, finish="best", variant="sequential", **given)
    order, events = solve(instance, "simulated-annealing", seed, **asdict(params))
    moves = [event for event in events if isinstance(event, Moves)]
    row = [distance_matrix(instance).ravel().tolist(), instance.coordinates.ravel().tolist(), asdict(params), seed]
    [[start, theirs, length, recorded, evaluations]] = evaluate(MODULES, ANNEALING, [row])
    assert (theirs, length, evaluations) == (order, events[-1].length, events[-1].evaluations)
    assert start == moves[0].tours[0].tolist()
    for name in ("i", "j", "delta", "step", "control"):
        assert recorded[name] == np.concatenate([getattr(each, name) for each in moves]).tolist(), name


@each_row("seed", range(6))
def test_annealing_chain_matches_python_moves(seed):
    check_annealing(made_up(seed), seed, moves_per_city=20, cooling=0.9, temperature=3.0 * (seed % 2))


@each_row("seed", range(3))
def test_last_of_equally_short_tours_is_the_best(seed):
    grid = resolve({"cities": np.argwhere(np.ones((5, 5))).tolist()}, None)
    check_annealing(grid, seed, moves_per_city=30, cooling=0.7, final_temperature_ratio=0.5)


@pytest.mark.long
@pytest.mark.parametrize("at", range(2))
def test_annealing_lesson_gets_the_same_moves(at):
    steps = [step.exercise.spec for step in Lessons(Path()).find("cooling").steps if step.exercise]
    [stage] = steps[at].stages
    given = {name: value for name, value in stage.params.items() if name not in ("chains", "finish")}
    check_annealing(resolve(steps[at].instance, None), 1, **given)
