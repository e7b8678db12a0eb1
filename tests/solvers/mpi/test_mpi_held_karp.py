"""Held-Karp in several processes: the tour of one, with and without shared memory, and sentences that all agree on."""

import json
from contextlib import closing

import pytest

from data.collection.resolve import load
from data.distances import distance_matrix
from solvers.held_karp.cpu import CpuLayers
from solvers.held_karp.layers import LayerProgress, LayerTable
from solvers.held_karp.mpi import MpiLayers
from solvers.held_karp.params import HeldKarpParams
from solvers.held_karp.plan import plan_for
from solvers.mpi import launcher
from solvers.solver import Job
from solvers.stop import Budget
from tests.solver_runs import collect_events, make_spec
from tests.solvers.mpi.mpi_started import command_line

pytestmark = [
    pytest.mark.skipif(bool(launcher.unavailable_reason()), reason=launcher.unavailable_reason() or "MPI is there"),
    pytest.mark.slow,
    pytest.mark.timeout(600),
]


def make_job(name: str) -> Job:
    return Job(load(name), HeldKarpParams(), 1, "cpu", Budget().start())


def ended(layers: LayerTable, last: int) -> list[LayerProgress]:
    """The reports at the end of all layers."""
    found: list[LayerProgress] = []
    while not found or found[-1].layer < last:
        done = layers.advance()
        if done.best is not None:
            found.append(done)
    return found


@pytest.mark.parametrize(
    ("name", "ranks", "windows"),
    [
        pytest.param("gr17", 1, True, marks=pytest.mark.long),
        ("gr17", 2, True),
        pytest.param("gr17", 2, False, marks=pytest.mark.long),
        pytest.param("gr24", 2, True, marks=pytest.mark.long),  # whose tables lie in large pages
        pytest.param("gr24", 3, True, marks=pytest.mark.long),
        pytest.param("gr17", 3, False, marks=pytest.mark.long),
        pytest.param("gr17", 4, True, marks=pytest.mark.long),
    ],
)
def test_any_number_of_processes_ends_alike(name, ranks, windows):
    job = make_job(name)
    plan = plan_for(distance_matrix(job.instance))
    with closing(CpuLayers(plan, distance_matrix(job.instance), 1)) as layers:
        alone = ended(layers, plan.layers - 1)
    with closing(MpiLayers(job, ranks, windows)) as layers:
        assert ended(layers, plan.layers - 1) == alone


@pytest.mark.long
def test_a_run_has_the_tour_of_one_process():
    found = [
        collect_events(load("gr21"), make_spec("held-karp", variant=variant))[-1] for variant in ("sequential", "mpi")
    ]
    assert found[0].order.tolist() == found[1].order.tolist()
    assert found[1].length == 2707
    assert "process" in found[1].device


@pytest.mark.long
def test_closing_amid_a_layer_leaves_nobody():
    layers = MpiLayers(make_job("fri26"), 2)
    while layers.advance().layer < 5:
        continue
    layers.close()
    assert layers._run.processes.ended()


@pytest.mark.long
@pytest.mark.parametrize(
    ("instance", "more", "length"),
    [("gr17", [], 2085), ("gr24", ["--time", "100"], 1272)],
)
def test_the_command_line_in_two_processes(instance, more, length):
    done = command_line("held-karp", "--mpi", "--json", *more, instance=instance)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["length"], found["proven"], found["stop_reason"]) == (length, True, "completed")


@pytest.mark.long
@pytest.mark.parametrize("n", [1, 2, 3])
def test_so_few_cities_that_there_is_no_layer(n, tmp_path):
    cities = "".join(f"{k} {10 * k} {k * k}\n" for k in range(1, n + 1))
    path = tmp_path / "few.tsp"
    path.write_text(
        f"NAME: few\nTYPE: TSP\nDIMENSION: {n}\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n{cities}EOF\n"
    )
    done = command_line("held-karp", "--mpi", "--json", instance=str(path))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["proven"]


@pytest.mark.long
def test_too_many_cities_are_refused_by_all_in_one_sentence():
    done = command_line("held-karp", "--mpi", instance="att48")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("take at most") == 1
    assert "Traceback" not in done.stderr
