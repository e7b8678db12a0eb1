"""Explanations of ants, against probabilities and updates by their definitions in NumPy."""

import numpy as np
import pytest

from data.collection.resolve import load
from data.distances import distance_matrix
from solvers.algorithms.ants.acs.cpu import AntColonySystemColony
from solvers.algorithms.ants.acs.params import AntColonySystemParams
from solvers.algorithms.ants.ant_system.cpu import AntSystemColony
from solvers.algorithms.ants.ant_system.params import AntSystemParams
from solvers.algorithms.ants.ant_system.variants import CPU_VARIANTS
from solvers.algorithms.ants.max_min.cpu import MaxMinColony
from solvers.algorithms.ants.max_min.params import MaxMinParams
from solvers.algorithms.ants.variants import SELECTIONS
from solvers.core.events import CHOICE_MODES, Choices, Deposits
from solvers.core.neighbours import nearest_neighbour_length, neighbours
from solvers.core.solver import Job
from solvers.core.stop import Budget
from tests import naive
from tests.solver_runs import planar
from tests.solvers.algorithms.ants.ant_choices import iterate
from tests.solvers.algorithms.ants.dense_trails import dense
from tests.tables import each_row

#: Relative error of float32 sums of some hundred numbers.
NEAR = 2e-5


def make_colony(algorithm, instance, seed=1, threads=1, **params):
    """A colony that explains every iteration; the caller closes it if it has more than one thread."""
    if algorithm == "ant-system":
        job = Job(instance, AntSystemParams(**params), seed, "cpu", Budget().start())
        colony = AntSystemColony(job, CPU_VARIANTS[0], threads)
    elif algorithm == "max-min":
        colony = MaxMinColony(Job(instance, MaxMinParams(**params), seed, "cpu", Budget().start()), threads)
    else:
        job = Job(instance, AntColonySystemParams(**params), seed, "cpu", Budget().start())
        colony = AntColonySystemColony(job, threads)
    colony.explain(lambda iteration: True)
    return colony


def read_trails(colony):
    trails = colony.trails()
    return (trails if isinstance(trails, np.ndarray) else dense(trails)).astype(np.float64)


def explain_iteration(colony):
    """The next iteration: its trails before and after, its explanations, and its best tour."""
    before = read_trails(colony)
    (result,) = iterate(colony, 1)
    return before, read_trails(colony), result.explanations, result.order[0]


def read_weights(instance, trails, alpha, beta):
    """The fitness of all edges, by the definition: trail**alpha * (1 / d)**beta; rows are scaled to their maximum."""
    matrix = np.maximum(distance_matrix(instance).astype(np.float64), 0.5)
    weights = trails**alpha * (1.0 / matrix) ** beta
    np.fill_diagonal(weights, 0.0)
    return weights / weights.max(axis=1, keepdims=True)


def check_shares(choices, weights, candidates=None):
    """All shares; asserts that each draw selects the chosen city, and returns the modes that occurred."""
    order, n = choices.order, len(choices.order)
    assert sorted(order.tolist()) == list(range(n))
    for at in range(n - 1):
        here, there, mode = order[at], order[at + 1], CHOICE_MODES[choices.mode[at]]
        free = np.ones(n, bool)
        free[order[: at + 1]] = False
        row = np.where(free, weights[here], 0.0)
        if candidates is not None and row[candidates[here]].any():
            listed = np.zeros(n, bool)
            listed[candidates[here]] = True
            row = np.where(listed, row, 0.0)
            assert mode in ("list", "exploit")
        elif candidates is not None:
            assert mode in ("fallback", "exploit")
        share = row / row.sum()
        city = choices.city[at]
        known = city[city >= 0]
        assert there in known
        assert len(set(known.tolist())) == known.size == min(5, np.count_nonzero(row))
        np.testing.assert_allclose(choices.share[at][city >= 0], share[known], rtol=NEAR, atol=1e-12)
        np.testing.assert_allclose(choices.chosen[at], share[there], rtol=NEAR)
        others = np.setdiff1d(np.flatnonzero(row), known)
        if others.size:
            assert share[others].max() <= np.sort(share[known])[::-1][: known.size - 1].min() * (1 + NEAR)
        if mode in ("fallback", "exploit"):
            assert share[there] >= share.max() * (1 - NEAR)
            assert choices.draws[at] == 0
        elif mode != "product":
            assert choices.low[at] - 1e-6 <= choices.draw[at] <= choices.high[at] + 1e-6
            assert choices.draws[at] >= 1
        if mode in ("wheel", "after-trials", "list"):
            assert abs(choices.high[at] - choices.low[at] - share[there]) < 1e-6
    return {CHOICE_MODES[mode] for mode in choices.mode}


@each_row("selection", SELECTIONS)
@each_row("alpha", [1.0, 1.6])
def test_choices_of_ant_system(selection, alpha):
    instance = planar("EUC_2D", 90, 1000, 4)
    colony = make_colony("ant-system", instance, ants=30, alpha=alpha, selection=selection, candidates=8, trials=3)
    iterate(colony, 2)
    before, _, (choices, _), tour = explain_iteration(colony)
    assert isinstance(choices, Choices)
    assert choices.climber == 2
    assert choices.order.tolist() == tour.tolist()
    modes = check_shares(choices, read_weights(instance, before, alpha, 2.0))
    expected = {
        "stochastic-trial": {"trial", "after-trials"},
        "hybrid": {"trial", "after-trials", "wheel"},
        "i-roulette": {"product"},
    }
    assert modes == expected.get(selection, {"wheel"})


@each_row("selection", ["without-compression", "stochastic-trial", "i-roulette"])
def test_draws_follow_the_seed(selection):
    instance = planar("EUC_2D", 60, 1000, 5)
    colony = make_colony("ant-system", instance, seed=9, ants=12, selection=selection, trials=2)
    iterate(colony, 1)
    before, _, (choices, _), _ = explain_iteration(colony)
    weights, stream = read_weights(instance, before, 1.0, 2.0), 12 + choices.ant
    for at in range(59):
        step = (at + 1) * 128
        if selection == "i-roulette":
            # City k and city 32 + k share 64 bits; the chosen one has the greatest product.
            known = choices.city[at] >= 0
            cities = choices.city[at][known].tolist()
            lucks = {city: naive.i_roulette_factor(9, stream, at + 1, city, 60) * 2.0**-24 for city in cities}
            np.testing.assert_allclose(choices.luck[at][known], list(lucks.values()), rtol=1e-6)
            products = {city: lucks[city] * weights[choices.order[at], city] for city in lucks}
            assert max(products, key=products.get) == choices.order[at + 1]
        else:
            used = int(choices.draws[at]) - 1
            assert choices.draw[at] == pytest.approx(naive.uniform(9, stream, step + used), rel=1e-6)


@each_row("lists", [True, False])
def test_choices_of_max_min(lists):
    instance = planar("EUC_2D", 70, 1000, 6)
    colony = make_colony("max-min", instance, ants=20, lists=lists, candidates=6, local_search="none")
    iterate(colony, 3)
    before, _, (choices, _), tour = explain_iteration(colony)
    assert choices.order.tolist() == tour.tolist()
    near = neighbours(distance_matrix(instance), 6) if lists else None
    modes = check_shares(choices, read_weights(instance, before, 1.0, 2.0), near)
    assert modes == ({"list", "fallback"} if lists else {"wheel"})


@each_row("lists", [True, False])
@each_row("update", ["deferred", "lockstep"])
def test_choices_of_ant_colony_system(lists, update):
    instance = planar("EUC_2D", 70, 1000, 7)
    colony = make_colony(
        "ant-colony-system", instance, ants=20, lists=lists, candidates=6, local_search="none", q0=0.5,
        local_update=update,
    )  # fmt: skip
    iterate(colony, 4)
    before, _, (choices, _), tour = explain_iteration(colony)
    assert choices.order.tolist() == tour.tolist()
    explored = choices.q > np.float32(0.5)
    exploited = choices.mode == CHOICE_MODES.index("exploit")
    assert (explored != exploited).all()
    assert explored.any()
    assert exploited.any()
    stream = 4 * 20 + choices.ant
    draws = [naive.uniform(1, stream, (at + 1) * 128) for at in range(69)]
    np.testing.assert_allclose(choices.q, draws, rtol=1e-6)
    if update == "deferred":
        near = neighbours(distance_matrix(instance), 6) if lists else None
        check_shares(choices, read_weights(instance, before, 1.0, 2.0), near)


def test_lockstep_choices_see_local_updates():
    instance = planar("EUC_2D", 25, 1000, 8)
    colony = make_colony(
        "ant-colony-system", instance, ants=6, candidates=0, local_search="none", q0=0.3, rho=0.4,
        local_update="lockstep",
    )  # fmt: skip
    iterate(colony, 5)
    before, _, (choices, _), _ = explain_iteration(colony)
    least = before[before > 0].min()
    trails = before.copy()
    tours = colony.tours
    for at in range(24):
        here = choices.order[at]
        row = read_weights(instance, trails, 1.0, 2.0)[here]
        row[choices.order[: at + 1]] = 0.0
        np.testing.assert_allclose(choices.chosen[at], row[choices.order[at + 1]] / row.sum(), rtol=1e-4)
        for ant in range(6):
            a, b = tours[ant, at], tours[ant, at + 1]
            trails[a, b] = trails[b, a] = 0.6 * trails[a, b] + 0.4 * least


def test_racy_ants_have_no_explanation():
    colony = make_colony("ant-colony-system", load("ulysses16"), ants=4, local_update="racy", local_search="none")
    _, _, explanations, _ = explain_iteration(colony)
    assert [type(each) for each in explanations] == [Deposits]


@each_row("algorithm", ["max-min", "ant-colony-system"])
def test_choices_belong_to_the_tour_before_local_search(algorithm):
    instance = load("berlin52")
    searched = make_colony(algorithm, instance, ants=10)
    plain = make_colony(algorithm, instance, ants=10, local_search="none")
    _, _, (choices, _), tour = explain_iteration(searched)
    explain_iteration(plain)
    assert choices.order.tolist() == plain.tours[choices.ant].tolist()
    assert choices.order.tolist() != tour.tolist()


def tour_edges(tour):
    return tour, np.roll(tour, -1)


def edge_counts(tours, tour):
    """The number of tours that contain each edge of a tour."""
    sets = [{frozenset(pair) for pair in zip(*tour_edges(each.tolist()), strict=True)} for each in tours]
    return [
        sum(frozenset(pair) in each for each in sets)
        for pair in zip(*map(np.ndarray.tolist, tour_edges(tour)), strict=True)
    ]


@each_row("depositors", ["all", "elitist", "rank-based"])
def test_deposits_of_ant_system(depositors):
    instance = load("berlin52")
    colony = make_colony(
        "ant-system", instance, ants=9, rho=0.3, q=5.0, depositors=depositors, elitists=3, rank_weights=4
    )
    iterate(colony, 2)
    before, after, (_, deposits), tour = explain_iteration(colony)
    at = tour_edges(tour)
    np.testing.assert_allclose(deposits.before, before[at], rtol=1e-6)
    np.testing.assert_allclose(deposits.kept, 0.7 * before[at], rtol=1e-6)
    np.testing.assert_allclose(deposits.after, after[at], rtol=1e-6)
    if depositors == "all":
        assert deposits.ants.tolist() == edge_counts(colony.tours, tour)
    # The tours have about the same length: so many deposits come to about so much.
    lengths = distance_matrix(instance)[colony.tours, np.roll(colony.tours, -1, axis=1)].sum(axis=1)
    added = deposits.after - deposits.kept
    assert (added >= deposits.ants * 5.0 / lengths.max() * (1 - 1e-4) - 1e-9).all()
    assert (deposits.added == (deposits.ants > 0)).all()
    assert deposits.length == 0


def test_deposits_of_max_min_and_its_limits():
    instance = load("berlin52")
    colony = make_colony("max-min", instance, ants=9, rho=0.5, local_search="none")
    seen = set()
    for _ in range(8):
        before, after, (_, deposits), tour = explain_iteration(colony)
        at = tour_edges(tour)
        np.testing.assert_allclose(deposits.before, before[at], rtol=1e-6)
        stored = np.clip(0.5 * before[at], deposits.least, deposits.most)
        np.testing.assert_allclose(deposits.kept, stored, rtol=1e-6)
        np.testing.assert_allclose(deposits.after, after[at], rtol=1e-6)
        added = np.where(deposits.added, np.minimum(stored + 1.0 / deposits.length, deposits.most), stored)
        np.testing.assert_allclose(deposits.after, added, rtol=1e-6)
        seen |= {"least"} if (deposits.kept > 0.5 * before[at] * 1.001).any() else set()
        seen |= {"most"} if (deposits.after >= np.float32(deposits.most)).any() else set()
    assert "most" in seen


def test_deposits_of_ant_colony_system():
    instance = load("berlin52")
    colony = make_colony("ant-colony-system", instance, ants=9, rho=0.2, alpha=0.3, local_search="none", lists=False)
    iterate(colony, 3)
    before, after, (_, deposits), tour = explain_iteration(colony)
    at, first = tour_edges(tour), 1.0 / (52 * nearest_neighbour_length(distance_matrix(instance)))
    assert deposits.least == pytest.approx(first)
    np.testing.assert_allclose(deposits.before, before[at], rtol=1e-6)
    raised = deposits.ants >= 0
    assert raised.any()
    assert np.array(edge_counts(colony.tours, tour))[raised].tolist() == deposits.ants[raised].tolist()
    local = np.where(raised, first + (before[at] - first) * 0.8 ** np.maximum(deposits.ants, 0), before[at])
    np.testing.assert_allclose(deposits.kept, local, rtol=1e-5)
    rewarded = np.where(deposits.added, np.maximum(first, 0.7 * local + 0.3 / deposits.length), local)
    np.testing.assert_allclose(deposits.after, rewarded, rtol=1e-5)
    np.testing.assert_allclose(deposits.after, after[at], rtol=1e-5)
