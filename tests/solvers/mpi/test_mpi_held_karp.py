"""Held-Karp in several processes, TourScope's and Qin and Han's: the tour of one process, and the same sentence from
all."""

import json
from contextlib import closing

import pytest

from data.collection.resolve import load
from data.distances import distance_matrix
from solvers.algorithms.held_karp.cpu import CpuLayers
from solvers.algorithms.held_karp.layers import LayerProgress, LayerTable
from solvers.algorithms.held_karp.mpi import MpiLayers
from solvers.algorithms.held_karp.params import HeldKarpParams
from solvers.algorithms.held_karp.plan import plan_for
from solvers.algorithms.held_karp.qin_han.cpu import QinHanLayers
from solvers.algorithms.held_karp.qin_han.plan import QinHanPlan
from solvers.algorithms.held_karp.solver import HeldKarp
from solvers.core.solver import Job
from solvers.core.stop import Budget
from solvers.mpi import launcher
from solvers.plan import select_variants
from tests.shortened import shorten
from tests.solver_runs import collect_events, make_spec
from tests.solvers.mpi.mpi_started import command_line

pytestmark = [
    pytest.mark.skipif(bool(launcher.unavailable_reason()), reason=launcher.unavailable_reason() or "MPI is there"),
    pytest.mark.slow,
    pytest.mark.timeout(600),
]


def make_job(name: str, variant: str = "auto") -> Job:
    params = HeldKarpParams(variant=variant)
    (chosen, *_) = select_variants(HeldKarp(), params, "cpu")
    return Job(load(name), params, 1, "cpu", Budget().start(), variant=chosen)


def final_reports(layers: LayerTable, last: int) -> list[LayerProgress]:
    """The reports at the end of all layers."""
    found: list[LayerProgress] = []
    while not found or found[-1].layer < last:
        done = layers.advance()
        if done.best is not None:
            found.append(done)
    return found


@pytest.mark.parametrize(
    ("variant", "name", "ranks", "windows"),
    shorten(
        [
            ("mpi", "gr17", 2, True),
            ("qin-han-mpi", "burma14", 2, True),
            ("mpi", "gr17", 1, True),
            ("mpi", "gr17", 2, False),
            ("mpi", "gr24", 2, True),  # whose tables lie in large pages
            ("mpi", "gr24", 3, True),
            ("mpi", "gr17", 3, False),
            ("mpi", "gr17", 4, True),
            ("qin-han-mpi", "burma14", 1, True),
            ("qin-han-mpi", "gr17", 2, False),
            ("qin-han-mpi", "gr17", 3, True),
            ("qin-han-mpi", "ulysses16", 4, True),
        ],
        lambda case: case[1:] in (("gr17", 2, True), ("burma14", 2, True)),
    ),
)
def test_any_number_of_processes_gives_the_same_end(variant, name, ranks, windows):
    job = make_job(name, variant)
    distances, theirs = distance_matrix(job.instance), variant == "qin-han-mpi"
    plan = QinHanPlan(job.instance.n, maps=True) if theirs else plan_for(distances)
    with closing((QinHanLayers if theirs else CpuLayers)(plan, distances, 1)) as layers:
        alone = final_reports(layers, plan.layers - 1)
    with closing(MpiLayers(job, ranks, windows)) as layers:
        assert final_reports(layers, plan.layers - 1) == alone


@pytest.mark.long
@pytest.mark.parametrize(
    ("alone", "together", "name", "length"),
    [("sequential", "mpi", "gr21", 2707), ("qin-han-sequential", "qin-han-mpi", "gr17", 2085)],
)
def test_run_has_the_tour_of_one_process(alone, together, name, length):
    found = [collect_events(load(name), make_spec("held-karp", variant=variant))[-1] for variant in (alone, together)]
    assert found[0].order.tolist() == found[1].order.tolist()
    assert found[1].length == length
    assert "process" in found[1].device


@pytest.mark.long
@pytest.mark.parametrize(("variant", "name"), [("mpi", "fri26"), ("qin-han-mpi", "gr21")])
def test_closing_within_a_layer_leaves_no_process(variant, name):
    layers = MpiLayers(make_job(name, variant), 2)
    while layers.advance().layer < 5:
        continue
    layers.close()
    assert layers._run.processes.wait()


@pytest.mark.long
@pytest.mark.parametrize(
    ("instance", "more", "length"),
    [("gr17", [], 2085), ("gr24", ["--time", "100"], 1272), ("gr17", ["--variant", "qin-han-mpi"], 2085)],
)
def test_the_command_line_in_two_processes(instance, more, length):
    done = command_line("held-karp", "--mpi", "--json", *more, instance=instance)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["length"], found["proven"], found["stop_reason"]) == (length, True, "completed")
    assert found["params"]["variant"] == (more[1] if "--variant" in more else "mpi")


@pytest.mark.long
@pytest.mark.parametrize("n", [1, 2, 3])
def test_too_few_cities_for_a_layer(n, tmp_path):
    cities = "".join(f"{k} {10 * k} {k * k}\n" for k in range(1, n + 1))
    path = tmp_path / "few.tsp"
    path.write_text(
        f"NAME: few\nTYPE: TSP\nDIMENSION: {n}\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n{cities}EOF\n"
    )
    done = command_line("held-karp", "--mpi", "--json", instance=str(path))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["proven"]


@pytest.mark.long
@pytest.mark.parametrize(("more", "sentence"), [([], "use at most"), (["--variant", "qin-han-mpi"], "not of 48")])
def test_all_processes_refuse_too_many_cities_in_one_sentence(more, sentence):
    done = command_line("held-karp", "--mpi", *more, instance="att48")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count(sentence) == 1
    assert "Traceback" not in done.stderr
