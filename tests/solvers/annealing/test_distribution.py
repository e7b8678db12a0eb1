"""What chains sample at one temperature, against the exact distribution over all tours of six cities."""

from collections import Counter

import numpy as np
import pytest

from data.distances import distance_matrix
from data.generators import uniform
from solvers.annealing import cpu
from solvers.annealing.kernels import chain_cpu as kernel
from solvers.annealing.kernels.anneal_cpu import advance
from solvers.annealing.neighbours import nearest
from solvers.annealing.params import AnnealingParams
from solvers.kernel_distances import measure_of
from tests import naive
from tests.solvers.annealing import boltzmann

CITIES, SEED = 6, 11
SAMPLES = 20_000


@pytest.fixture(scope="module")
def matrix():
    return distance_matrix(uniform(CITIES, 3)).tolist()


@pytest.fixture(scope="module")
def warm(matrix):
    """A temperature at which some tours are a hundred times as likely as others."""
    lengths = [naive.length_of(matrix, list(tour)) for tour in boltzmann.tours(CITIES)]
    return float(max(lengths) - min(lengths)) / 5


def sampled(draws, temperature, start=(), **params):
    """The tours that so many chains have after some draws at one temperature."""
    instance = uniform(CITIES, 3)
    measure = measure_of(instance)
    asked = AnnealingParams(
        temperature=temperature, final_temperature_ratio=1.0, far_move_rate=1.0, finish="none", **params
    )
    plan = cpu.plan_of(asked, nearest(instance, measure, CITIES - 1))._replace(sweep=draws)
    order, place, best = np.zeros((3, CITIES), np.int32)
    chain = kernel.Chain(order, place, best, np.zeros(kernel.STATE, np.int64), np.zeros(1))
    log = kernel.Log(*np.empty((3, draws + 1), np.int32), np.empty((4, 3), np.int64))
    found = Counter[boltzmann.Tour]()
    for climber in range(SAMPLES):
        chain.state[:] = 0
        first = np.array(start, np.int32)
        _, cold = advance(
            measure, plan, chain, log, np.uint64(SEED), np.uint64(climber), first, 1 << 40, 1 << 40
        )  # fmt: skip
        assert cold
        found[boltzmann.canonical(order)] += 1
    return found


def test_a_draw_is_accepted_with_its_probability(matrix, warm):
    for tour in boltzmann.tours(CITIES)[::17]:
        made = boltzmann.draws_of(matrix, tour, warm)
        stays = {tour: 1 - sum(made.values())}
        found = sampled(1, warm, tour)
        assert boltzmann.chi_square(found, made | stays) < 4
        colder = boltzmann.draws_of(matrix, tour, warm / 1.5)
        assert boltzmann.chi_square(found, colder | {tour: 1 - sum(colder.values())}) > 8


def test_a_chain_samples_the_boltzmann_distribution(matrix, warm):
    found = sampled(300, warm)
    assert boltzmann.chi_square(found, boltzmann.of_temperature(matrix, warm)) < 4
    assert boltzmann.chi_square(found, boltzmann.of_temperature(matrix, 1.2 * warm)) > 8


@pytest.mark.parametrize("proposals", [2, 7])
def test_rounds_sample_their_own_distribution(matrix, warm, proposals):
    found = sampled(300 * proposals, warm, variant="wei-wu-yu", proposals=proposals)
    assert boltzmann.chi_square(found, boltzmann.of_rounds(matrix, warm, proposals)) < 4
    # The shortest of several accepted ones is shorter than any of them: it is as if the chain were colder.
    assert boltzmann.chi_square(found, boltzmann.of_temperature(matrix, warm)) > 8


def test_rounds_of_one_draw_would_be_the_chain(matrix, warm):
    exact, rounds = boltzmann.of_temperature(matrix, warm), boltzmann.of_rounds(matrix, warm, 1)
    assert max(abs(exact[tour] - rounds[tour]) for tour in exact) < 1e-12
