"""Qin and Han's Held-Karp and ants in several processes, which gather and broadcast: what one process finds."""

import json
from contextlib import closing
from dataclasses import replace

import pytest

from data.collection.resolve import load
from data.distances import distance_matrix
from solvers.ants.acs.cpu import AntColonySystemColony
from solvers.ants.acs.mpi_colony import MpiColony
from solvers.ants.acs.variants import QIN_HAN_VARIANTS
from solvers.held_karp.mpi import MpiLayers
from solvers.held_karp.params import HeldKarpParams
from solvers.held_karp.qin_han.cpu import QinHanLayers
from solvers.held_karp.qin_han.plan import QinHanPlan
from solvers.held_karp.solver import HeldKarp
from solvers.mpi import launcher
from solvers.plan import named_variants
from solvers.solver import Job
from tests.solver_runs import collect_events, make_spec
from tests.solvers.ants.dense_trails import dense
from tests.solvers.mpi.mpi_started import command_line
from tests.solvers.mpi.test_mpi import advance_all, assert_same
from tests.solvers.mpi.test_mpi import make_job as make_colony_job
from tests.solvers.mpi.test_mpi_held_karp import ended, make_job

pytestmark = [
    pytest.mark.skipif(bool(launcher.unavailable_reason()), reason=launcher.unavailable_reason() or "MPI is there"),
    pytest.mark.slow,
    pytest.mark.timeout(600),
]


def job_in_processes(name: str) -> Job:
    (variant,) = named_variants(HeldKarp(), params := HeldKarpParams(variant="qin-han-mpi"), "cpu")
    return replace(make_job(name), params=params, variant=variant)


@pytest.mark.parametrize(
    ("name", "ranks", "windows"),
    [
        ("burma14", 2, True),
        pytest.param("burma14", 1, True, marks=pytest.mark.long),
        pytest.param("gr17", 2, False, marks=pytest.mark.long),
        pytest.param("gr17", 3, True, marks=pytest.mark.long),
        pytest.param("ulysses16", 4, True, marks=pytest.mark.long),
    ],
)
def test_any_number_of_processes_ends_alike(name, ranks, windows):
    job = job_in_processes(name)
    plan = QinHanPlan(job.instance.n, maps=True)
    with closing(QinHanLayers(plan, distance_matrix(job.instance), 1)) as layers:
        alone = ended(layers, plan.layers - 1)
    with closing(MpiLayers(job, ranks, windows)) as layers:
        assert ended(layers, plan.layers - 1) == alone


@pytest.mark.long
def test_a_run_has_the_tour_of_one_process():
    found = [
        collect_events(load("gr17"), make_spec("held-karp", variant=variant))[-1]
        for variant in ("qin-han-sequential", "qin-han-mpi")
    ]
    assert found[0].order.tolist() == found[1].order.tolist()
    assert found[1].length == 2085
    assert "process" in found[1].device


@pytest.mark.parametrize(
    ("ranks", "windows"),
    [
        (2, True),
        pytest.param(1, True, marks=pytest.mark.long),
        pytest.param(2, False, marks=pytest.mark.long),
        pytest.param(3, True, marks=pytest.mark.long),
    ],
)
def test_ants_of_any_number_of_processes_walk_as_those_of_one_in_step(ranks, windows):
    rules = {"local_update": "lockstep", "candidates": 0, "lists": False, "local_search": "none"}
    job = replace(make_colony_job(**rules), variant=QIN_HAN_VARIANTS[1])
    alone = make_colony_job(**rules)
    with closing(AntColonySystemColony(alone, 1)) as one, closing(MpiColony(job, ranks, windows)) as together:
        assert_same(advance_all(together), advance_all(one))
        assert dense(together.trails()).tolist() == dense(one.trails()).tolist()


@pytest.mark.long
def test_closing_amid_a_layer_leaves_nobody():
    layers = MpiLayers(job_in_processes("gr21"), 2)
    while layers.advance().layer < 5:
        continue
    layers.close()
    assert layers._run.processes.ended()


@pytest.mark.long
def test_the_command_line_in_two_processes():
    done = command_line("held-karp", "--mpi", "--variant", "qin-han-mpi", "--json", instance="gr17")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["length"], found["proven"], found["params"]["variant"]) == (2085, True, "qin-han-mpi")


@pytest.mark.long
def test_too_many_cities_are_refused_by_all_in_one_sentence():
    done = command_line("held-karp", "--mpi", "--variant", "qin-han-mpi", instance="att48")
    assert done.returncode == 2
    assert done.stderr.count("not of 48") == 1
    assert "Traceback" not in done.stderr
