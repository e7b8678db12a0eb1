"""Colonies on several GPUs match single colonies, except for the exchanged best tours.

Not collected with the other tests: see `simulated.run_cases`. In the simulator, and on a machine with one GPU, all
colonies are on the same one.
"""

from dataclasses import replace

import numpy as np
import pytest

import solvers.algorithms.ants.solver
from data.collection.resolve import load
from data.distances import distance_matrix, tour_length
from data.generators import uniform
from solvers.algorithms.ants import islands_cuda
from solvers.algorithms.ants.acs.params import AntColonySystemParams
from solvers.algorithms.ants.acs.solver import AntColonySystem
from solvers.algorithms.ants.ant_system.params import AntSystemParams
from solvers.algorithms.ants.ant_system.solver import AntSystem
from solvers.algorithms.ants.islands_cuda import Islands
from solvers.algorithms.ants.max_min.deposit_schedule import DepositSchedule
from solvers.algorithms.ants.max_min.kernels.update_cuda import BEST, FOUND, SINCE
from solvers.algorithms.ants.max_min.params import MaxMinParams
from solvers.algorithms.ants.max_min.solver import MaxMinAntSystem
from solvers.algorithms.ants.params import COLONY_SEED_STEP
from solvers.core.devices import Device, cuda_devices
from solvers.core.events import Colony, Edges, Rows, Started
from solvers.core.machine import Machine
from solvers.core.neighbours import nearest_neighbour_tour
from solvers.core.stop import Budget
from solvers.kernels.device_cuda import SIMULATED
from solvers.plan import plan_stage
from tests.solver_runs import column
from tests.solvers.simulated import cases

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::numba.core.errors.NumbaWarning")
INSTANCE = uniform(11, 3) if SIMULATED else load("kroA100")
ANTS = 2 if SIMULATED else 32
ITERATIONS = 4 if SIMULATED else 60
EXCHANGE = 2 if SIMULATED else 10
APART_BY = {
    "max-min": (MaxMinAntSystem(), MaxMinParams(ants=ANTS, local_search="none", rho=0.3, colonies=2)),
    "bai": (MaxMinAntSystem(), MaxMinParams(ants=ANTS, local_search="none", rho=0.3, variant="bai", colonies=2)),
    "acs": (AntColonySystem(), AntColonySystemParams(ants=ANTS, local_search="none")),
    "ant-system": (AntSystem(), AntSystemParams(ants=ANTS)),
    "elitist": (AntSystem(), AntSystemParams(ants=ANTS, depositors="elitist")),
}
#: Of each family one, of colonies that share a card and of such that have one each.
EACH = pytest.mark.parametrize("name", cases(APART_BY, "acs".__eq__))


@pytest.fixture(autouse=True)
def two_gpus(monkeypatch):
    """Two GPUs; on a machine with one, it has both parts."""
    monkeypatch.setattr(solvers.algorithms.ants.solver, "cuda_devices", lambda: (Device("cuda", "Card"),) * 2)
    monkeypatch.setattr(islands_cuda, "EXCHANGE", EXCHANGE)
    if SIMULATED or len(cuda_devices()) < 2:
        monkeypatch.setattr(islands_cuda, "SIMULATED", True)


def make_job(name: str, seed: int = 1, instance=INSTANCE, **changes) -> tuple:
    solver, params = APART_BY[name]
    stage = plan_stage(solver, replace(params, **changes), "cuda", instance, Machine())
    return solver, stage.job(seed, Budget().start(), pictures=False)


def single_gpu_colony(name: str, seed: int, **changes):
    """The colony of a run on one GPU."""
    solver, job = make_job(name, seed, **changes)
    return solver._colonies(job, job.variant)[0]


def all_colonies(name: str, seed: int = 1, **changes):
    """The colonies of a run on all GPUs."""
    solver, job = make_job(name, seed, gpus="all", **changes)
    colonies = solver._colonies(job, job.variant)[0]
    assert isinstance(colonies, Islands)
    return colonies


def run_iterations(colony, iterations: int):
    """Best lengths and tours of all iterations, in the pieces of their events."""
    lengths, orders = [], []
    while len(lengths) < iterations:
        answer = colony.advance(iterations)
        if answer is not None:
            lengths += answer.best.tolist()
            orders += answer.order.tolist()
    return lengths, orders


@EACH
def test_before_the_first_exchange_they_equal_runs_with_other_seeds(name):
    apart = COLONY_SEED_STEP * getattr(APART_BY[name][1], "colonies", 1)
    each = [single_gpu_colony(name, 5 + k * apart) for k in range(2)]
    found = [run_iterations(colony, EXCHANGE) for colony in each]
    islands = all_colonies(name, 5)
    lengths, orders = run_iterations(islands, EXCHANGE)
    assert islands.ants == sum(colony.ants for colony in each)
    assert lengths == np.min([lengths for lengths, _ in found], axis=0).tolist()
    winner = np.argmin([lengths for lengths, _ in found], axis=0)
    assert orders == [found[best_ants][1][k] for k, best_ants in enumerate(winner)]
    for colony in (*each, islands):
        colony.close()


@pytest.mark.parametrize("name", APART_BY)
def test_seed_determines_the_run_however_it_is_reported(name):
    runs = []
    for limit in (1, 3, ITERATIONS):
        islands = all_colonies(name, 7)
        lengths: list[int] = []
        while len(lengths) < ITERATIONS:
            answer = islands.advance(min(ITERATIONS, len(lengths) + limit))
            lengths += answer.best.tolist() if answer is not None else []
        runs.append((lengths, islands._leader))
        islands.close()
    assert runs[0] == runs[1] == runs[2]


@pytest.mark.parametrize("name", ["max-min", "bai", pytest.param("acs", marks=pytest.mark.smoke), "elitist"])
def test_each_exchange_gives_the_best_tour_to_all_others(name, monkeypatch):
    islands, values = all_colonies(name, 3), []

    def watch(k, receive):
        def received(order, length):
            values.append((k, order.tolist(), length))
            receive(order, length)

        return received

    for k, colony in enumerate(islands._colonies):
        monkeypatch.setattr(colony, "receive", watch(k, colony.receive))
    lengths, orders = run_iterations(islands, EXCHANGE)
    best = int(np.argmin(lengths))
    assert values == [(1 - islands._leader, orders[best], lengths[best])]
    assert tour_length(INSTANCE, np.array(orders[best])) == lengths[best]
    walked_on = []
    while len(walked_on) < ITERATIONS - EXCHANGE:
        answer = islands.advance(ITERATIONS)
        walked_on += answer.best.tolist() if answer is not None else []
    better = [length for length in walked_on if length < lengths[best]]
    assert len(values) == 1 or better, "what all have is not given again"
    assert [length for _, _, length in values] == sorted({length for _, _, length in values}, reverse=True)
    islands.close()


@pytest.mark.smoke
def test_received_tour_becomes_the_colonys_best():
    colony = single_gpu_colony("max-min", 2, instance=INSTANCE, colonies=1)
    _, job = make_job("max-min", 2)
    answer = run_iterations(colony, 1)
    order = nearest_neighbour_tour(distance_matrix(INSTANCE)).astype(np.int32)
    length = answer[0][0] // 2  # shorter than any tour: whatever it says is believed
    schedule = DepositSchedule(job.params, INSTANCE.n)
    schedule.choose(1, np.array(answer[1][0]), answer[0][0], 1e9)
    colony.receive(order, length)
    deposit = schedule.choose(2, order, length, 1e9)
    memory = colony.arrays.memory.copy_to_host()
    assert (memory[BEST], memory[SINCE], memory[FOUND]) == (length, length, 2)
    off = ~np.eye(INSTANCE.n, dtype=bool)
    trails = colony.trails()
    assert trails[off].min() >= deposit.minimum * 0.999
    assert trails.max() <= deposit.maximum * 1.001
    colony.close()


@pytest.mark.smoke
def test_received_tour_is_rewarded_in_ant_colony_system():
    colony = single_gpu_colony("acs", 2)
    run_iterations(colony, 1)
    order = np.random.default_rng(4).permutation(INSTANCE.n).astype(np.int32)
    before = colony.trails()
    colony.receive(order, 1)
    after = colony.trails()
    assert colony.arrays.memory.copy_to_host()[0] == 1
    assert colony.arrays.best.copy_to_host().tolist() == order.tolist()
    edges = {frozenset(edge) for edge in zip(order.tolist(), np.roll(order, -1).tolist(), strict=True)}
    raised = {frozenset(edge) for edge in after.ends.tolist()}
    assert edges <= raised
    strongest = [
        float(trail) for edge, trail in zip(after.ends.tolist(), after.trail, strict=True) if frozenset(edge) in edges
    ]
    assert min(strongest) > before.default, "a tenth of target / length was added"
    colony.close()


@EACH
def test_a_run_on_all_gpus(name):
    solver, job = make_job(name, gpus="all", iterations=ITERATIONS)
    events = list(solver.solve(job))
    started = next(event for event in events if isinstance(event, Started))
    assert started.device.startswith("2 x ")
    assert column(events, Colony, "iteration") == list(range(1, ITERATIONS + 1))
    assert column(events, Rows, "length") == column(events, Colony, "best")
    assert all(tours.edges.shape == (INSTANCE.n, 2) for tours in events if isinstance(tours, Edges))
    one = make_job(name, iterations=ITERATIONS)
    (alone_started,) = (event for event in one[0].solve(one[1]) if isinstance(event, Started))
    assert not alone_started.device.startswith("2 x ")


def test_an_iteration_is_replayed():
    solver, job = make_job("max-min", gpus="all", iterations=ITERATIONS)
    edges = [event.edges.tolist() for event in solver.solve(job) if isinstance(event, Edges)]
    which = EXCHANGE + 1
    solver, job = make_job("max-min", gpus="all", iterations=ITERATIONS)
    (again,) = (event for event in solver.replay(job, which) if isinstance(event, Edges))
    assert again.edges.tolist() == edges[which]


def test_stopped_colonies_free_everything():
    islands = all_colonies("acs", 3)
    islands.advance(ITERATIONS)
    islands.close()
    assert all(colony.arrays is None and colony.stream is None for colony in islands._colonies)
