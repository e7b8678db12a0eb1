"""Explanations of ants on CUDA: the best one's choices, by its tour, its seed and the trails, and the update.

Not collected with the other tests: see `simulated.run_cases`.
"""

import numpy as np
import pytest

from data.collection.resolve import load
from data.distances import distance_matrix
from data.generators import uniform
from solvers.algorithms.ants.acs.variants import CUDA_VARIANTS as ACS_CUDA_VARIANTS
from solvers.algorithms.ants.acs.variants import local_updates
from solvers.algorithms.ants.ant_system.variants import CUDA_VARIANTS as AS_CUDA_VARIANTS
from solvers.algorithms.ants.heuristics import compute_eta
from solvers.algorithms.ants.max_min.variants import CUDA_VARIANTS as MMAS_CUDA_VARIANTS
from solvers.algorithms.ants.params import COLONY_SEED_STEP
from solvers.core.events import CHOICE_MODES, Choices, Deposits
from solvers.core.neighbours import neighbours
from solvers.kernels.device_cuda import SIMULATED
from tests import naive
from tests.solvers.algorithms.ants.acs import acs_cuda_cases as acs
from tests.solvers.algorithms.ants.colony_cuda_cases import make_colony
from tests.solvers.algorithms.ants.dense_trails import dense
from tests.solvers.algorithms.ants.max_min import colonies_cuda_cases as colonies
from tests.solvers.simulated import cases

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::numba.core.errors.NumbaWarning")
INSTANCE = uniform(40, 3) if SIMULATED else load("kroA100")
ANTS, BEFORE, SEED, NEAR = (4, 2, 1, 5) if SIMULATED else (64, 5, 1, 12)
#: Relative error of float32 sums of some hundred numbers.
ROUNDED = 5e-5
WAYS = [(row, selection) for row in AS_CUDA_VARIANTS for selection in row.selections]
#: Ways with a kernel of their own, one for each.
SMOKE = {("block", "hybrid"), ("worker", "with-compression")}
ACS_WAYS = [
    (row, update, lists) for row in ACS_CUDA_VARIANTS for update in local_updates(row) for lists in (True, False)
]


def read_trails(colony) -> np.ndarray:
    trails = colony.trails()
    return (trails if isinstance(trails, np.ndarray) else dense(trails)).astype(float)


def explained_after(colony, look):
    """An iteration after some others: the results of `look` before and after it, and its report."""
    colony.explain(lambda iteration: iteration == BEFORE + 1)
    while colony.done < BEFORE:
        answer = colony.advance(BEFORE)
        assert answer is None or not answer.explanations
    before = look(colony)
    while (answer := colony.advance(BEFORE + 1)) is None:
        continue
    after = look(colony)
    return before, after, answer


def explain_iteration(colony):
    """The explained iteration with its trails; closes the colony."""
    found = explained_after(colony, read_trails)
    colony.close()
    return found


def make_lists(wanted: bool) -> np.ndarray | None:
    return neighbours(distance_matrix(INSTANCE), NEAR) if wanted else None


def check(choices: Choices, weights: np.ndarray, near: np.ndarray | None, seed: int, stream: int) -> set[str]:
    """Shares by their definition; asserts that the draw selects the chosen city."""
    order, n = choices.order, INSTANCE.n
    assert sorted(order.tolist()) == list(range(n))
    assert order[0] == (naive.random_bits(seed, stream, 0) >> 32) * n >> 32
    for at in range(n - 1):
        here, there, mode = order[at], order[at + 1], CHOICE_MODES[choices.mode[at]]
        row = weights[here].copy()
        row[order[: at + 1]] = 0.0
        if near is not None and row[near[here]].any():
            row[np.setdiff1d(np.arange(n), near[here])] = 0.0
            assert mode in ("list", "race", "exploit")
        elif near is not None:
            assert mode in ("fallback", "exploit")
        share = row / row.sum()
        known = choices.city[at] >= 0
        cities = choices.city[at][known]
        assert there in cities
        np.testing.assert_allclose(choices.share[at][known], share[cities], rtol=ROUNDED, atol=1e-12)
        np.testing.assert_allclose(choices.chosen[at], share[there], rtol=ROUNDED)
        low, draw, high = (float(each[at]) for each in (choices.low, choices.draw, choices.high))
        if mode in ("fallback", "exploit"):
            assert share[there] >= share.max() * (1 - ROUNDED)
        elif mode in ("race", "product"):
            luck = choices.luck[at][known]
            speed = np.divide(share[cities], luck, out=np.zeros_like(luck), where=luck > 0)
            speed = speed if mode == "race" else share[cities] * luck
            assert speed.max() * (1 - ROUNDED) <= speed[cities == there].item()
        else:
            assert low - ROUNDED <= draw <= high + ROUNDED
            assert choices.draws[at] >= 1
        if mode in ("wheel", "after-trials", "list"):
            assert high - low == pytest.approx(share[there], rel=ROUNDED, abs=1e-6)
        if mode in ("wheel", "list", "trial") and choices.q0 == 0.0 and choices.luck.shape[1] == 0:
            step = (at + 1) * 128 + int(choices.draws[at]) - 1
            assert draw == pytest.approx(naive.uniform(seed, stream, step), rel=1e-6)
    return {CHOICE_MODES[mode] for mode in choices.mode}


def make_fitness(trails: np.ndarray, alpha: float = 1.0) -> np.ndarray:
    return trails**alpha * compute_eta(distance_matrix(INSTANCE), 2.0).astype(float)


def choices_and_deposits(answer) -> tuple[Choices, Deposits]:
    choices, deposits = answer.explanations
    assert choices.climber == deposits.climber == BEFORE
    return choices, deposits


def check_deposits(deposits: Deposits, before: np.ndarray, after: np.ndarray, order: np.ndarray) -> None:
    edges = order, np.roll(order, -1)
    np.testing.assert_allclose(deposits.before, before[edges], rtol=1e-5)
    np.testing.assert_allclose(deposits.after, after[edges], rtol=1e-5)


@pytest.mark.parametrize(
    ("row", "selection"),
    cases(WAYS, lambda way: (way[0].name, way[1]) in SMOKE),
    ids=[f"{row.name}-{selection}" for row, selection in WAYS],
)
def test_choices_of_ant_system(row, selection):
    colony = make_colony(
        row, INSTANCE, selection=selection, ants=ANTS, alpha=1.4, candidates=NEAR, trials=2, switch=60.0, rho=0.3
    )
    before, after, explanations = explain_iteration(colony)
    choices, deposits = choices_and_deposits(explanations)
    assert choices.order.tolist() == explanations.order[0].tolist()
    modes = check(choices, make_fitness(before, 1.4), None, SEED, BEFORE * ANTS + choices.ant)
    expected = {
        "stochastic-trial": {"trial", "after-trials"}, "hybrid": {"trial", "after-trials", "wheel"},
        "i-roulette": {"product"}, "nearest-first": {"race", "race-others", "wheel"},
    }.get(selection, {"wheel"})  # fmt: skip
    assert modes <= expected
    assert modes & {"trial", "product", "race", "wheel"}
    check_deposits(deposits, before, after, explanations.order[0])
    np.testing.assert_allclose(deposits.kept, 0.7 * deposits.before, rtol=1e-5)
    assert (deposits.ants >= 1).all()


@pytest.mark.parametrize("seed", range(1, 4 if SIMULATED else 30))
def test_lists_of_other_cities_match_the_ants(seed):
    """With few candidates, draws often select other cities, and their list keeps getting shorter."""
    row = AS_CUDA_VARIANTS[0]
    for instance_near in (1, 2):
        before, _, explanations = explain_iteration(make_colony(row, INSTANCE, seed, ants=2, candidates=instance_near))
        choices, _ = choices_and_deposits(explanations)
        modes = check(choices, make_fitness(before), None, seed, BEFORE * 2 + choices.ant)
        assert "race-others" in modes


@pytest.mark.parametrize("depositors", ["elitist", "rank-based"])
def test_deposits_come_from_depositing_ants(depositors):
    colony = make_colony(
        AS_CUDA_VARIANTS[0], INSTANCE, ants=ANTS, depositors=depositors, elitists=3, rank_weights=3, rho=0.3, q=2.0
    )
    before, after, explanations = explain_iteration(colony)
    _, deposits = choices_and_deposits(explanations)
    check_deposits(deposits, before, after, explanations.order[0])
    # The best tour of the iteration deposits at least once; each deposit is at most that of the best tour so far.
    added = deposits.after.astype(float) - deposits.kept
    assert (added > 0).tolist() == (deposits.ants > 0).tolist()
    assert (deposits.ants >= (1 if depositors == "elitist" else 2)).all()


@pytest.mark.parametrize("search", ["none", "2-opt+or-opt"])
@pytest.mark.parametrize("lists", [True, False])
def test_choices_of_max_min(lists, search):
    row = MMAS_CUDA_VARIANTS[0]
    colony = make_colony(row, INSTANCE, ants=ANTS, lists=lists, candidates=NEAR, local_search=search, rho=0.2)
    before, after, explanations = explain_iteration(colony)
    choices, deposits = choices_and_deposits(explanations)
    if search == "none":
        assert choices.order.tolist() == explanations.order[0].tolist()
    modes = check(choices, make_fitness(before), make_lists(lists), SEED, BEFORE * ANTS + choices.ant)
    assert modes <= ({"race", "fallback"} if lists else {"race", "race-others", "wheel"})
    check_deposits(deposits, before, after, explanations.order[0])
    assert deposits.length > 0


@pytest.mark.parametrize("lists", [True, False])
def test_choices_of_block_colonies(lists):
    colony = colonies.make_colony(INSTANCE, lists=lists, candidates=NEAR)
    before, after, explanations = explained_after(
        colony, lambda one: colonies.read_all(one, one.arrays.tau).astype(float)
    )
    choices, deposits = choices_and_deposits(explanations)
    own, ant = divmod(choices.ant, colonies.ANTS)
    assert choices.order.tolist() == explanations.order[0].tolist()
    seed, stream = colonies.SEED + own * COLONY_SEED_STEP, BEFORE * colonies.ANTS + ant
    modes = check(choices, make_fitness(before[own]), make_lists(lists), seed, stream)
    assert modes <= ({"list", "fallback"} if lists else {"wheel"})
    check_deposits(deposits, before[own], after[own], explanations.order[0])
    colony.close()


@pytest.mark.parametrize(("row", "update", "lists"), ACS_WAYS)
def test_choices_of_ant_colony_system(row, update, lists):
    colony = acs.make_colony(row, update, INSTANCE, ants=ANTS, lists=lists, candidates=NEAR, q0=0.6)
    before, after, explanations = explain_iteration(colony)
    deposits = explanations.explanations[-1]
    check_deposits(deposits, before, after, explanations.order[0])
    assert isinstance(deposits, Deposits)
    if update not in ("deferred", "lockstep"):
        assert len(explanations.explanations) == 1
        return
    choices, _ = choices_and_deposits(explanations)
    assert choices.order.tolist() == explanations.order[0].tolist()
    explored = choices.q > np.float32(0.6)
    assert (explored != (choices.mode == CHOICE_MODES.index("exploit"))).all()
    if update == "deferred":
        listed = lists and row.name == "warp"
        check(choices, make_fitness(before), make_lists(listed), SEED, BEFORE * ANTS + choices.ant)


def test_lockstep_choices_see_local_updates():
    colony = acs.make_colony(update="lockstep", instance=INSTANCE, ants=ANTS, candidates=NEAR, q0=0.7, rho=0.5)
    trails, _, explanations = explained_after(colony, read_trails)
    least = trails[trails > 0].min()
    choices, _ = choices_and_deposits(explanations)
    tours = acs.read_tours(colony)
    changed = 0
    for at in range(INSTANCE.n - 1):
        row = make_fitness(trails)[choices.order[at]]
        row[choices.order[: at + 1]] = 0.0
        np.testing.assert_allclose(choices.chosen[at], row[choices.order[at + 1]] / row.sum(), rtol=1e-4)
        for tour in tours:
            a, b = tour[at], tour[at + 1]
            changed += trails[a, b] > least * 1.001
            trails[a, b] = trails[b, a] = 0.5 * trails[a, b] + 0.5 * least
    assert changed > 0
    colony.close()


def test_explaining_changes_nothing():
    plain, answer = (make_colony(AS_CUDA_VARIANTS[0], INSTANCE, ants=ANTS) for _ in range(2))
    answer.explain(lambda iteration: iteration % 2 == 1)
    found: tuple[list, list] = ([], [])
    for colony, lengths in zip((plain, answer), found, strict=True):
        while colony.done < BEFORE + 2:
            if (results := colony.advance(BEFORE + 2)) is not None:
                lengths.extend(results.best.tolist())
    assert found[0] == found[1]
    assert np.array_equal(plain.trails(), answer.trails())
    plain.close()
    answer.close()
