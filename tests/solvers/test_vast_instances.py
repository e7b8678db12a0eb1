"""More cities than most algorithms accept: a few accept them, all others refuse before the run."""

import numpy as np
import pytest

from data.generators import uniform
from data.limits import MAX_CITIES
from solvers import SOLVERS, find
from solvers.core.errors import DeviceUnavailable
from solvers.core.events import Finished
from solvers.gpu.limits import BOUNDLESS
from solvers.run import prepare, run
from solvers.spec import RunSpec
from tests.tables import each_row

VAST = {"lin-kernighan", "space-filling-curve", "random"}
LISTED = [solver for solver in SOLVERS if solver.listed]


@pytest.fixture(scope="module")
def instance():
    return uniform(MAX_CITIES + 1, 1)


def spec(algorithm: str) -> RunSpec:
    values = {"v": 1, "instance": {"name": "inline"}, "stages": [{"algorithm": algorithm}], "device": "cpu"}
    return RunSpec.from_json(values)


@each_row("solver", LISTED)
def test_variant_declares_support_for_them(solver):
    for variant in solver.variants:
        reason = variant.unavailable_reason("EUC_2D", MAX_CITIES + 1, BOUNDLESS)
        assert bool(reason) == (solver.name not in VAST), variant.name


@each_row("algorithm", ["two-opt", "greedy", "ant-system", "held-karp", "christofides", "tabu-search"])
def test_unsupported_run_ends_with_a_sentence(algorithm, instance):
    with pytest.raises((DeviceUnavailable, ValueError)) as refused:
        list(run(prepare(spec(algorithm)), instance))
    assert "at most" in str(refused.value)


def test_space_filling_curve_visits_all_of_them(instance):
    *_, end = run(prepare(spec("space-filling-curve")), instance)
    assert isinstance(end, Finished)
    assert np.array_equal(np.sort(end.order), np.arange(instance.n))
    assert end.length < 1.35 * 0.7124 * np.sqrt(instance.n) * 1e6  # Platzman and Bartholdi: 25 % above the shortest


def test_each_supporting_algorithm_is_named_in_the_sentence():
    sentence = find("greedy").variants[0].unavailable_reason("EUC_2D", MAX_CITIES + 1, BOUNDLESS)
    assert "Lin-Kernighan" in sentence
    assert "space-filling curve" in sentence
