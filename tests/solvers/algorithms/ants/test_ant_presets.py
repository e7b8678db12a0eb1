"""Presets have the papers' own values; those of older releases can be read but are no longer offered."""

from dataclasses import replace

import numpy as np
import pytest

from commands.arguments import UsageError, parse_command
from data.collection.resolve import load
from data.distances import distance_matrix
from solvers import SOLVERS, find
from solvers.algorithms.ants.ant_system.cpu import AntSystemColony
from solvers.algorithms.ants.ant_system.params import AntSystemParams
from solvers.algorithms.ants.ant_system.variants import CPU_VARIANTS
from solvers.core.solver import Job
from solvers.core.stop import Budget
from solvers.run import prepare
from tests.solver_runs import collect_events, make_spec
from tests.tables import each_row

FAMILY = [solver for solver in SOLVERS if solver.family == "ant colony"]
EVERY_PRESET = [(solver, preset) for solver in FAMILY for preset in solver.presets]


@each_row(("solver", "preset"), EVERY_PRESET)
def test_each_preset_runs_on_cores_on_request(solver, preset):
    params = preset.params | {"iterations": 2, "ants": 6, "variant": "cpu"}
    if params.get("local_update") == "compare-and-swap":  # which a GPU alone has
        params["local_update"] = "lockstep"
    if params.get("local_search") == "2-opt-of-best":
        params["local_search"] = "2-opt"
    end = collect_events(load("burma14"), make_spec(solver.name, 1, **params))[-1]
    assert end.length >= load("burma14").optimum
    assert prepare(make_spec(solver.name, 1, **preset.params)), "all values are valid, without others"


def preset_params(algorithm, name):
    return prepare(parse_command(["run", "gr17", algorithm, "--preset", name]).spec).stages[0][1]


def test_qin_and_han_use_a_block_per_ant_every_city_and_three_2_opt_strategies():
    none, last, every = (preset_params("ant-colony-system", f"qin-han-{how}") for how in ("none", "last", "every"))
    for params in (none, last, every):
        assert (params.ants, params.iterations, params.beta, params.q0) == (128, 256, 2.0, 0.9)
        assert (params.rho, params.alpha, params.variant, params.local_update) == (
            0.1,
            0.1,
            "block",
            "compare-and-swap",
        )
        assert not params.uses_candidate_lists
        assert params.candidates == 0
    assert (none.moves, last.moves, every.moves) == ("", "2-opt-of-best", "2-opt-of-best")
    assert [params.shortens_at_the_end for params in (none, last, every)] == [False, True, False]


def test_qin_and_han_ants_on_cores_are_in_lockstep():
    for how in ("openmp", "mpi"):
        params = preset_params("ant-colony-system", f"qin-han-{how}")
        assert (params.variant, params.local_update, params.moves) == (f"qin-han-{how}", "lockstep", "")
        assert (params.beta, params.q0, params.rho, params.alpha) == (2.0, 0.9, 0.1, 0.1)


def test_uchida_ito_and_nakano_use_a_block_per_ant_eight_sequential_trials_and_two_update_kernels():
    params = preset_params("ant-system", "uchida")
    assert (params.variant, params.selection, params.trials, params.switch) == ("block", "hybrid", 8, 85.0)
    assert (params.trials_at_once, params.deposit, params.initial) == ("one", "rows", "nearest-neighbour")
    assert (params.colony_size(198), params.alpha, params.beta, params.rho) == (198, 1.0, 2.0, 0.5)


def test_stutzle_and_hoos():
    alone, with_2_opt = (preset_params("max-min-ant-system", name) for name in ("stutzle-hoos", "stutzle-hoos-2-opt"))
    assert (alone.colony_size(100), alone.rho, alone.moves) == (100, 0.02, "")
    assert (with_2_opt.ants, with_2_opt.rho, with_2_opt.moves, with_2_opt.search_neighbours(100)) == (
        25,
        0.2,
        "2-opt",
        10,
    )
    assert with_2_opt.min_share(100) == 1 / 200


def test_presets_of_older_releases_are_readable_but_not_listed(capsys):
    former = [(solver.name, preset.name) for solver, preset in EVERY_PRESET if not preset.listed]
    assert ("ant-colony-system", "qin-han") in former
    for algorithm, name in former:
        assert preset_params(algorithm, name)
    with pytest.raises(UsageError) as refused:
        parse_command(["run", "gr17", "ant-colony-system", "--preset", "qin-ham"])
    assert "with-2-opt" not in str(refused.value)
    assert "qin-han-last" in str(refused.value)


def trails_after_one_iteration(instance, **params):
    """The trails, the longest distance, all ants' lengths, and their tours."""
    stop = Budget().start()
    stop.clock.resume()
    job = Job(instance, AntSystemParams(ants=5, initial="one", **params), 3, "cpu", stop)
    longest = int(distance_matrix(instance).max())
    colony = AntSystemColony(replace(job, params=job.params.scaled(longest)), CPU_VARIANTS[1], 1)
    result = None
    while result is None:
        result = colony.advance(1)
    trails, tours = colony.trails().copy(), colony.tours.copy()
    colony.close()
    return trails, longest, result, tours


def test_bitner_deposits_use_the_longest_distance():
    instance = load("kroA100")
    plain, longest, same, _ = trails_after_one_iteration(instance)
    scaled, _, ants, _ = trails_after_one_iteration(instance, scaled_deposit=True)
    assert ants.lengths.tolist() == same.lengths.tolist(), "the first tours have seen no deposit"
    # both evaporate alike; what was deposited differs by the longest distance
    edges = ~np.eye(instance.n, dtype=bool)
    np.testing.assert_allclose((scaled - 0.5)[edges], (plain - 0.5)[edges] * longest, rtol=2e-3, atol=2e-3)
    assert scaled.max() > 1.5 * plain.max()


def test_run_deposits_by_its_instances_distances():
    """The product may exceed the limit of Q in the form."""
    solver, instance = find("ant-system"), load("kroA100")
    values = {"iterations": 4, "ants": 8, "initial": "one", "q": 10_000.0, "variant": "sequential"}
    plain, scaled = (
        collect_events(instance, make_spec(solver.name, 2, **values, scaled_deposit=each))[-1] for each in (False, True)
    )
    assert plain.evaluations == scaled.evaluations == 32
    assert solver.params(q=10_000.0, scaled_deposit=True).scaled(4000).q == 40_000_000.0
    assert solver.params(q=3.0).scaled(4000).q == 3.0


def test_no_weight_is_below_that_of_utne_and_hansen():
    """All weights of swiss42 are below it, so all unvisited cities are equally likely."""
    instance, params = load("swiss42"), preset_params("ant-system", "utne-hansen")
    assert (params.q, params.alpha, params.beta, params.rho, params.iterations) == (100.0, 1.0, 5.0, 0.5, 1000)
    fitness = {}
    for minimum in (params.least_weight, 0.0):
        job = Job(instance, replace(params, least_weight=minimum), 1, "cpu", Budget().start())
        colony = AntSystemColony(job, CPU_VARIANTS[1], 1)
        colony._raise_weights(weights := np.full((42, colony._choice.stride), 1e-9, np.float32), 0, 42)
        fitness[minimum] = weights[:, :42][~np.eye(42, dtype=bool)].reshape(42, 41)
        colony.close()
    nearest = np.where(np.eye(42, dtype=bool), np.inf, distance_matrix(instance)).min(axis=1)
    np.testing.assert_allclose(fitness[0.0001], np.repeat(0.0001 * nearest[:, None] ** 5, 41, axis=1), rtol=1e-5)
    assert (0.01 / nearest**5).max() < 0.0001, "a first trail on the shortest edge"
    assert (fitness[0.0] == np.float32(1e-9)).all()


def test_utne_and_hansen_trails_evaporate_once_per_ant():
    trails, _, result, tours = trails_after_one_iteration(load("kroA100"), rules="utne-hansen", q=100.0)
    expected = np.full((100, 100), 0.01)
    for tour, length in zip(tours, result.lengths, strict=True):
        expected *= 0.5
        for a, b in zip(tour, np.roll(tour, -1), strict=True):
            expected[a, b] += 100.0 / length
            expected[b, a] += 100.0 / length
        expected = expected.clip(1e-4, 1e5)
    edges = ~np.eye(100, dtype=bool)
    np.testing.assert_allclose(trails[edges], expected[edges], rtol=1e-4)


def test_core_only_rules_are_refused_on_a_gpu():
    solver = find("ant-system")
    for params in ({"rules": "utne-hansen"}, {"least_weight": 0.5}):
        assert "cpu or sequential" in solver.refusal(load("burma14"), solver.params(**params), "cuda")
        assert not solver.refusal(load("burma14"), solver.params(**params), "cpu")
