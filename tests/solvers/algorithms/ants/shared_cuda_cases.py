"""A colony shared by several GPUs does the same as on one GPU.

Not collected with the other tests: see `simulated.run_cases`. In the simulator, and where there are fewer GPUs, one of
them has all parts.
"""

from dataclasses import replace

import numpy as np
import pytest

import solvers.algorithms.ants.solver
from data.collection.resolve import load
from data.generators import uniform
from solvers.algorithms.ants.max_min.params import MaxMinParams
from solvers.algorithms.ants.max_min.solver import MaxMinAntSystem
from solvers.algorithms.ants.shared_cuda import SharedColony
from solvers.core.devices import Device, cuda_devices
from solvers.core.events import Choices, Colony, Deposits, Edges, Rows, Started
from solvers.core.machine import Machine
from solvers.core.solver import Job
from solvers.core.stop import Budget
from solvers.kernels.device_cuda import SIMULATED
from solvers.plan import plan_stage
from tests.solvers.simulated import cases

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::numba.core.errors.NumbaWarning")
INSTANCE = uniform(9, 3) if SIMULATED else load("kroA100")
ANTS, GPUS = (7, 3) if SIMULATED else (95, 3)
ITERATIONS = 4 if SIMULATED else 150
#: Few iterations, after which a colony restarts in the simulator.
PARAMS = MaxMinParams(ants=ANTS, rho=0.5, patience=2 if SIMULATED else 30, local_search="none", variant="warp")
WAYS = {
    "lists": {},
    "every-city": {"lists": False},
    "2-opt": {"local_search": "2-opt", "local_search_neighbours": 5},
    "2-opt+or-opt": {"local_search": "2-opt+or-opt", "local_search_neighbours": 5},
}
SOLVER = MaxMinAntSystem()


@pytest.fixture(autouse=True)
def three_gpus(monkeypatch):
    """Three GPUs; on a machine with fewer, the first one has all parts."""
    monkeypatch.setattr(solvers.algorithms.ants.solver, "cuda_devices", lambda: (Device("cuda", "Card"),) * GPUS)
    if SIMULATED or len(cuda_devices()) < GPUS:
        on = SharedColony._on
        monkeypatch.setattr(SharedColony, "_on", lambda self, k: on(self, 0))


def make_job(seed: int = 1, instance=INSTANCE, pictures: bool = False, **changes) -> Job:
    params = replace(PARAMS, iterations=ITERATIONS, **changes)
    return plan_stage(SOLVER, params, "cuda", instance, Machine()).job(seed, Budget().start(), pictures=pictures)


def make_colony(job: Job):
    return SOLVER._colonies(job, job.variant)[0]


def single_gpu_run(job: Job) -> Job:
    """The same run on one GPU."""
    return replace(job, params=replace(job.params, gpus="one"), stop=Budget().start())


def run_iterations(colony, iterations: int = ITERATIONS, limit: int = ITERATIONS) -> dict[str, np.ndarray]:
    """Columns of all iterations, with at most `limit` per report."""
    parts, done = [], 0
    while done < iterations:
        answer = colony.advance(min(iterations, done + limit))
        if answer is not None:
            parts.append(answer)
            done += answer.best.size
    names = ("best", "worst", "mean", "entropy", "branching", "order", "built")
    found = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
    return found | {"lengths": parts[-1].lengths}


def assert_same_columns(one: dict, other: dict) -> None:
    for name, values in one.items():
        np.testing.assert_allclose(values, other[name], rtol=0 if name in ("best", "order", "lengths") else 1e-12)


@pytest.mark.parametrize("way", WAYS)
def test_tours_and_trails_equal_those_of_one_gpu(way):
    job = make_job(5, gpus="all", **WAYS[way])
    shared, one = make_colony(job), make_colony(single_gpu_run(job))
    assert isinstance(shared, SharedColony)
    assert shared.ants == one.ants == ANTS
    assert [len(own) for own in shared._own] == [ANTS * (k + 1) // GPUS - ANTS * k // GPUS for k in range(GPUS)]
    assert_same_columns(run_iterations(shared), run_iterations(one))
    assert np.array_equal(shared.trails(), one.trails())
    for k, member in enumerate(shared._members):
        with shared._on(k):
            assert np.array_equal(member.trails(), one.trails()), "all have the same trails"
    shared.close()
    one.close()


@pytest.mark.smoke
def test_best_ants_may_be_on_any_gpu():
    shared = make_colony(make_job(5, gpus="all"))
    owners = []
    find_best = shared._find_best
    shared._find_best = lambda: owners.append(find_best()) or owners[-1]
    run_iterations(shared, 4 if SIMULATED else 20)
    assert len({owner for _, owner in owners}) > 1
    assert all(ant in shared._own[owner] for ant, owner in owners)
    shared.close()


def test_seed_determines_the_run_however_it_is_reported():
    runs = []
    for limit in (1, 3, ITERATIONS):
        shared = make_colony(make_job(7, gpus="all"))
        runs.append(run_iterations(shared, limit=limit))
        shared.close()
    assert_same_columns(runs[0], runs[1])
    assert_same_columns(runs[0], runs[2])


def test_a_long_iteration_in_pieces():
    whole, pieces = make_colony(make_job(3, gpus="all")), make_colony(make_job(3, gpus="all"))
    pieces._long = True
    assert_same_columns(run_iterations(whole), run_iterations(pieces))
    whole.close()
    pieces.close()


@pytest.mark.parametrize("way", cases(["lists", "2-opt"], "lists".__eq__))
def test_run_reports_the_same_as_on_one_gpu(way):
    job = make_job(4, gpus="all", pictures=True, **WAYS[way])
    answer, expected = [
        [event for event in SOLVER.solve(each) if isinstance(event, Edges | Rows | Colony | Choices | Deposits)]
        for each in (job, single_gpu_run(job))
    ]
    assert {type(event) for event in answer} >= {Edges, Rows, Colony, Choices, Deposits}
    for kind, columns in (
        (Rows, ["length"]), (Colony, ["best"]), (Edges, ["edges"]), (Choices, ["ant", "order"]),
        (Deposits, ["ants", "after"]),
    ):  # fmt: skip
        for name in columns:
            first, second = (
                np.concatenate([np.ravel(getattr(event, name)) for event in each if isinstance(event, kind)])
                for each in (answer, expected)
            )
            np.testing.assert_array_equal(first, second, err_msg=f"{kind.__name__}.{name}")


@pytest.mark.smoke
def test_device_description():
    job = make_job(gpus="all")
    started = next(event for event in SOLVER.solve(job) if isinstance(event, Started))
    assert started.device.startswith(f"{GPUS} x ")
    assert started.repeatable


@pytest.mark.smoke
def test_best_of_an_unfinished_iteration():
    shared = make_colony(make_job(2, gpus="all"))
    assert shared.find_unfinished() is None
    one = make_colony(single_gpu_run(make_job(2)))
    expected = run_iterations(one, 1)
    for at, (phase, launch) in enumerate(shared.launches):
        if phase != 1 and at:
            break
        launch()
        shared._at = at + 1
    assert shared.find_unfinished().tolist() == expected["order"][0].tolist()
    shared.close()
    one.close()


def test_fewer_ants_than_gpus():
    job = make_job(6, gpus="all", ants=2)
    shared, one = make_colony(job), make_colony(single_gpu_run(job))
    assert [len(own) for own in shared._own] == [1, 1]
    assert_same_columns(run_iterations(shared), run_iterations(one))
    shared.close()
    one.close()


def test_closed_colony_frees_everything():
    shared = make_colony(make_job(3, gpus="all"))
    shared.advance(ITERATIONS)
    members = shared._members
    shared.close()
    assert all(member.arrays is None and member.stream is None for member in [*members, shared])
