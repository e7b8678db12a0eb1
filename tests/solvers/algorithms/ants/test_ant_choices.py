"""The probabilities of ants' choices match the formula by Pearson's test, which rejects wrong ones."""

import math

import numpy as np
import pytest

from data.collection.resolve import load
from data.distances import distance_matrix
from solvers.algorithms.ants.variants import ROULETTES, SELECTIONS
from tests import naive
from tests.solver_runs import planar
from tests.solvers.algorithms.ants.ant_choices import draws, iterate, make_choice, make_colony
from tests.tables import each_row

pytestmark = pytest.mark.slow


@each_row("alpha", [0.0, 1.0, 1.7])
def test_first_steps_have_their_probabilities(alpha):
    instance = planar("EUC_2D", 9, 100, 4)
    matrix = distance_matrix(instance)
    observed = {}
    # Trails differ after some iterations; in the next one ants leave their start city by these trails.
    colony = make_colony(instance, alpha=alpha, ants=20_000, q=100.0)
    iterate(colony, 2)
    trails = colony.trails()
    iterate(colony, 1)
    tours = colony.tours
    for start, second in tours[:, :2].tolist():
        row = observed.setdefault(start, {})
        row[second] = row.get(second, 0) + 1
    for start, seen in observed.items():
        row = [
            naive.fitness(float(trails[start, j]), int(matrix[start, j]), int(matrix.max()), alpha, 2) for j in range(9)
        ]
        assert naive.chi_square(seen, naive.chances(row, set(range(9)) - {start})) > 1e-4
    starts = {start: sum(seen.values()) for start, seen in observed.items()}
    assert naive.chi_square(starts, dict.fromkeys(range(9), 1 / 9)) > 1e-4


def random_fitness(n, spread, seed):
    """Fitness of edges over `spread` powers of ten, 0 on the diagonal."""
    exponent = np.random.default_rng(seed).uniform(-spread, 0, (n, n))
    fitness = (10.0**exponent).astype(np.float32)
    np.fill_diagonal(fitness, 0.0)
    return fitness


def choose_candidates(fitness, selection, count):
    """The choices of the greatest fitness, if the selection uses candidates."""
    k = count if selection == "nearest-first" else 0
    return np.argsort(-fitness, axis=1, kind="stable")[:, :k].astype(np.int32)


#: Name, cities, powers of ten, which cities were visited (by rank of fitness from the last of them), where hybrid is.
STATES = {
    "fresh": (12, 1.0, [], None),
    "the best visited": (70, 2.0, list(range(20)), None),
    "all candidates visited": (40, 1.0, list(range(8)), None),
    "half visited": (130, 1.5, list(range(0, 130, 2)), None),
    "hybrid has switched": (70, 1.0, list(range(30)), 5),
    "hybrid switches": (30, 1.0, list(range(12)), 13),
    "one left": (20, 1.0, list(range(18)), None),
}

#: States that tell one selection from another, and those of one selection alone.
TELLING = {"half visited", "the best visited"}
OWN = {"nearest-first": {"all candidates visited"}, "hybrid": {"hybrid has switched", "hybrid switches"}}


def make_state(name, selection, seed=5, candidates=8):
    n, spread, ranks, switch = STATES[name]
    fitness = random_fitness(n, spread, seed)
    here = n // 3
    sample_by_rank = np.argsort(-fitness[here], kind="stable")
    visited = np.array([*sample_by_rank[ranks].tolist(), here], np.int32)
    choice = make_choice(fitness, choose_candidates(fitness, selection, candidates), switch=switch)
    expected = naive.chances(fitness[here].tolist(), set(range(n)) - set(visited.tolist()))
    return choice, visited, expected


@pytest.mark.parametrize(
    ("selection", "name"),
    [
        pytest.param(selection, name, marks=[] if name in TELLING | OWN.get(selection, set()) else pytest.mark.long)
        for selection in ROULETTES
        for name in STATES
    ],
)
def test_choices_have_their_probabilities(selection, name):
    choice, visited, expected = make_state(name, selection)
    observed, _ = draws(selection, choice, visited, 12_000)
    assert naive.chi_square(observed, expected) > 1e-4


@each_row("selection", ROULETTES)
def test_wrong_distribution_is_detected(selection):
    choice, visited, expected = make_state("half visited", selection)
    observed, _ = draws(selection, choice, visited, 12_000)
    warmer = {city: chance**0.8 for city, chance in expected.items()}
    total = sum(warmer.values())
    assert naive.chi_square(observed, {city: chance / total for city, chance in warmer.items()}) < 1e-4


@each_row("name", ["fresh", "half visited", "the best visited", "one left"])
def test_independent_roulette_has_the_probabilities_of_its_integral(name):
    choice, visited, roulette = make_state(name, "i-roulette")
    row = choice.fitness.reshape(choice.n, -1)[int(visited[-1])].astype(float).tolist()
    exact = naive.i_roulette_chances(row, set(roulette))
    observed, _ = draws("i-roulette", choice, visited, 12_000)
    assert naive.chi_square(observed, exact) > 1e-4
    if len(roulette) > 1:
        assert naive.chi_square(observed, roulette) < 1e-4  # it is no roulette


@each_row("fitness", [[1.0, 2.0], [3.0, 3.0, 3.0], [0.1, 0.2, 0.2, 5.0, 0.7]])
def test_the_integral_of_independent_roulette_is_right(fitness):
    # The same integral, by the midpoint rule.
    exact, steps = naive.i_roulette_chances(fitness, set(range(len(fitness)))), 20_000
    assert sum(exact.values()) == pytest.approx(1.0)
    for j, own in enumerate(fitness):
        t = (np.arange(steps) + 0.5) / steps * own
        others = [np.minimum(1.0, t / f) for k, f in enumerate(fitness) if k != j]
        assert exact[j] == pytest.approx(np.prod(others, axis=0).mean(), rel=1e-3)
    if fitness == [1.0, 2.0]:
        assert exact == pytest.approx({0: 0.25, 1: 0.75})


def test_independent_roulette_takes_the_greatest_product():
    choice, visited, _ = make_state("half visited", "i-roulette")
    n, here, p = choice.n, int(visited[-1]), len(visited)
    row, left = choice.fitness.reshape(n, -1)[here], set(range(n)) - set(visited.tolist())
    for seed in range(5):
        factors = {city: np.float32(naive.i_roulette_factor(seed, 0, p, city, n)) for city in left}
        observed, _ = draws("i-roulette", choice, visited, 1, seed)
        assert observed == {max(left, key=lambda city: row[city] * factors[city]): 1}


def test_candidates_alone_are_detected_as_wrong():
    choice, visited, expected = make_state("the best visited", "nearest-first", candidates=30)
    choice.others[:] = 0.0
    observed, _ = draws("nearest-first", choice, visited, 12_000)
    assert naive.chi_square(observed, expected) < 1e-4


def test_trials_are_counted():
    choice, visited, _ = make_state("half visited", "stochastic-trial")
    _, trials = draws("stochastic-trial", choice, visited, 12_000)
    n, here = choice.n, int(visited[-1])
    row = choice.fitness.reshape(n, -1)[here, :n]
    hit = 1.0 - float(row[visited].sum() / row.sum())
    expected = {0: hit, 1: hit * (1 - hit), 2: (1 - hit) ** 2}
    assert naive.chi_square(dict(enumerate(trials.tolist())), expected) > 1e-4


@each_row("selection", SELECTIONS)
@each_row("unvisited", [1e-37, 1.0, 1e30])
@each_row("visited", [1e-37, 1.0, 1e30])
def test_extreme_weights_still_give_an_unvisited_city(selection, unvisited, visited):
    n = 70
    rows = np.full((n, n), visited, np.float32)
    rows[:, n - 3 :] = unvisited
    np.fill_diagonal(rows, 0.0)
    choice = make_choice(rows, choose_candidates(rows, selection, 8))
    observed, _ = draws(selection, choice, np.arange(n - 3, dtype=np.int32), 300)
    assert set(observed) <= {n - 3, n - 2, n - 1}


@each_row("selection", ROULETTES[1:])
def test_selections_agree_in_first_tour_lengths(selection):
    lengths = []
    for name in (ROULETTES[0], selection):
        (first,) = iterate(make_colony(load("berlin52"), selection=name, ants=2000), 1)
        lengths.append(first.lengths)
    noise = math.sqrt(sum(each.var() / each.size for each in lengths))
    assert abs(lengths[0].mean() - lengths[1].mean()) < 4 * noise
    spreads = [each.std() for each in lengths]
    assert 0.9 < spreads[0] / spreads[1] < 1.1
