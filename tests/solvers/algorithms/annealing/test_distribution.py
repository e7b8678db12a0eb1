"""Samples of chains at one temperature, against the exact distribution over all tours of six cities."""

import math
from collections import Counter

import numpy as np
import pytest

from data.distances import distance_matrix
from data.generators import uniform
from solvers.algorithms.annealing import cpu
from solvers.algorithms.annealing.kernels import chain_cpu as kernel
from solvers.algorithms.annealing.kernels.anneal_cpu import advance, advance_in_rounds
from solvers.algorithms.annealing.kernels.exchange_cpu import exchange
from solvers.algorithms.annealing.neighbours import find_nearest
from solvers.algorithms.annealing.params import AnnealingParams
from solvers.algorithms.annealing.replica_exchange import ReplicaExchange
from solvers.core.kernel_distances import build_measure
from solvers.core.solver import Job
from solvers.core.stop import Budget
from tests import naive
from tests.solvers.algorithms.annealing import boltzmann

pytestmark = pytest.mark.slow

CITIES, SEED = 6, 11
SAMPLES = 20_000


@pytest.fixture(scope="module")
def matrix():
    return distance_matrix(uniform(CITIES, 3)).tolist()


@pytest.fixture(scope="module")
def warm_temperature(matrix):
    """A temperature at which some tours are a hundred times as likely as others."""
    lengths = [naive.naive_length(matrix, list(tour)) for tour in boltzmann.tours(CITIES)]
    return float(max(lengths) - min(lengths)) / 5


def sample_tours(draws, temperature, start=(), **params):
    """The tours of this many chains after some draws at one temperature."""
    instance = uniform(CITIES, 3)
    measure = build_measure(instance)
    asked = AnnealingParams(
        temperature=temperature, final_temperature_ratio=1.0, far_move_rate=1.0, finish="none", **params
    )
    plan = cpu.make_plan(asked, find_nearest(instance, measure, CITIES - 1))._replace(draws_per_level=draws)
    order, place, best = np.zeros((3, CITIES), np.int32)
    chain = kernel.Chain(order, place, best, np.zeros(kernel.STATE, np.int64), np.zeros(1))
    log = kernel.Log(
        *np.empty((3, draws + 1), np.int32),
        np.empty((4, 3), np.int64),
        np.empty(draws + 1, np.int64),
        np.empty(draws + 1),
    )
    found = Counter[boltzmann.Tour]()
    for climber in range(SAMPLES):
        chain.state[:] = 0
        first = np.array(start, np.int32)
        _, cold = (advance_in_rounds if asked.proposals_per_round > 1 else advance)(
            measure, plan, chain, log, np.uint64(SEED), np.uint64(climber), first, 1 << 40, 1 << 40
        )  # fmt: skip
        assert cold
        found[boltzmann.canonical(order)] += 1
    return found


def test_a_draw_is_accepted_with_its_probability(matrix, warm_temperature):
    for tour in boltzmann.tours(CITIES)[::51]:
        result = boltzmann.draw_probabilities(matrix, tour, warm_temperature)
        stays = {tour: 1 - sum(result.values())}
        found = sample_tours(1, warm_temperature, tour)
        assert boltzmann.chi_square(found, result | stays) < 4
        colder = boltzmann.draw_probabilities(matrix, tour, warm_temperature / 1.5)
        assert boltzmann.chi_square(found, colder | {tour: 1 - sum(colder.values())}) > 8


def test_a_chain_samples_the_boltzmann_distribution(matrix, warm_temperature):
    found = sample_tours(100, warm_temperature)
    assert boltzmann.chi_square(found, boltzmann.of_temperature(matrix, warm_temperature)) < 4
    assert boltzmann.chi_square(found, boltzmann.of_temperature(matrix, 1.2 * warm_temperature)) > 8


@pytest.mark.long
@pytest.mark.parametrize("proposals", [2, 7])
def test_rounds_sample_their_own_distribution(matrix, warm_temperature, proposals):
    found = sample_tours(100 * proposals, warm_temperature, variant="wei-wu-yu", proposals=proposals)
    assert boltzmann.chi_square(found, boltzmann.of_rounds(matrix, warm_temperature, proposals)) < 4
    # The shortest of several accepted ones is shorter than any of them: it is as if the chain were colder.
    assert boltzmann.chi_square(found, boltzmann.of_temperature(matrix, warm_temperature)) > 8


def test_rounds_of_one_draw_equal_the_chain(matrix, warm_temperature):
    exact, rounds = boltzmann.of_temperature(matrix, warm_temperature), boltzmann.of_rounds(matrix, warm_temperature, 1)
    assert max(abs(exact[tour] - rounds[tour]) for tour in exact) < 1e-12


@pytest.mark.long
def test_every_rung_of_a_ladder_samples_the_boltzmann_distribution(matrix, warm_temperature):
    params = AnnealingParams(
        variant="replica-exchange", chains=3, temperature=2 * warm_temperature,
        final_temperature_ratio=0.25, far_move_rate=1.0,
        neighbours=5, finish="none", exchange_after=15, moves_per_city=15 * 400,
    )  # fmt: skip
    job = Job(uniform(CITIES, 3), params, SEED, "cpu", Budget().start())
    ladder = ReplicaExchange(job)
    found = [Counter[boltzmann.Tour]() for _ in range(3)]
    exchanged = ladder._exchange

    def observed(level):
        # before the exchange, each replica has drawn at its temperature
        if level > 20:
            for rung, replica in zip(found, ladder.replica_at, strict=True):
                rung[boltzmann.canonical(ladder.workers[replica].result[0])] += 1
        exchanged(level)

    ladder._exchange = observed
    list(ladder.slices(1, None))
    assert found[0].total() == params.periods - 21
    for rung, temperature in zip(found, (2 * warm_temperature, warm_temperature, warm_temperature / 2), strict=True):
        assert boltzmann.chi_square(rung, boltzmann.of_temperature(matrix, temperature)) < 5
        assert boltzmann.chi_square(rung, boltzmann.of_temperature(matrix, 1.4 * temperature)) > 8


def test_exchange_follows_the_metropolis_rule():
    temperatures, lengths = np.array([100.0, 50.0, 20.0]), np.array([300, 340, 390])
    counts = Counter[bool]()
    for period in range(0, 40_000, 2):
        at, tried, result = np.arange(3), np.zeros(2, np.int64), np.zeros(2, np.int64)
        exchange(temperatures, lengths, at, np.uint64(SEED), period, tried, result)
        assert tried.tolist() == [1, 0]
        assert at.tolist() == ([1, 0, 2] if result[0] else [0, 1, 2])
        counts[bool(result[0])] += 1
    # the hotter replica has the shorter tour: exp((1/100 - 1/50) (300 - 340)) > 1
    assert counts == {True: 20_000}
    lengths = np.array([340, 300, 250])
    for pair, gap in ((0, (1 / 100 - 1 / 50) * 40), (1, (1 / 50 - 1 / 20) * 50)):
        result = np.zeros(2, np.int64)
        for period in range(pair, 40_000, 2):
            exchange(temperatures, lengths, np.arange(3), np.uint64(SEED), period, np.zeros(2, np.int64), result)
        share = math.exp(gap)
        assert abs(result[pair] - 20_000 * share) < 4 * math.sqrt(20_000 * share * (1 - share))
