"""Held-Karp on CUDA matches the CPU layer by layer, however the work is cut.

Not collected with the other tests: see `simulated.run_cases`.
"""

import os
import subprocess
import sys
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from numba import cuda
from numba.cuda.cudadrv.driver import CudaAPIError

import solvers.core.machine
from data.collection.resolve import load
from data.distances import distance_matrix, tour_length
from solvers.algorithms.held_karp import solver
from solvers.algorithms.held_karp.cpu import CpuLayers
from solvers.algorithms.held_karp.cuda import CudaLayers
from solvers.algorithms.held_karp.plan import UNREACHED, Plan
from solvers.algorithms.held_karp.qin_han.cuda import QinHanCudaLayers
from solvers.algorithms.held_karp.qin_han.plan import QinHanPlan
from solvers.core.devices import Device
from solvers.core.errors import DeviceUnavailable, InstanceTooLarge
from solvers.core.events import Front, Started
from solvers.kernels.device_cuda import SIMULATED
from tests import exact, naive
from tests.solver_runs import collect_events, fit_instance, make_spec, planar
from tests.solvers.algorithms.held_karp.layers import collect_bests, cpu_bests, draw_distances

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::numba.core.errors.NumbaWarning")
ITEMS = sorted(UNREACHED)
FEW = range(4, 9) if SIMULATED else range(4, 14)
MORE = (
    {2: (9, 10, 11), 4: (9, 10, 12), 8: (9, 10)}
    if SIMULATED
    else {2: (16, 19, 22, 23), 4: (17, 20, 22, 23), 8: (16, 19)}
)
CARD = pytest.mark.skipif(SIMULATED, reason="takes too long without a card")


@pytest.mark.parametrize("item", ITEMS)
@pytest.mark.parametrize("n", FEW)
def test_no_order_of_few_cities_is_shorter(n, item):
    plan = Plan(n, item)
    for most in (9, 300):
        distances = draw_distances(n, n + most, most)
        assert collect_bests(CudaLayers(plan, distances), plan)[-1].length == naive.held_karp(distances.tolist())


@pytest.mark.parametrize(("item", "n"), [(item, n) for item in ITEMS for n in (*FEW, *MORE[item])])
def test_each_layer_has_the_cpus_best(item, n):
    plan = Plan(n, item)
    for most in (1000,) if SIMULATED and n > 10 else (7, 1000):
        distances = draw_distances(n, 3 * n + most, most)
        expected = cpu_bests(plan, distances)
        assert collect_bests(CudaLayers(plan, distances), plan) == expected


@pytest.mark.parametrize("item", ITEMS)
def test_division_of_work_changes_nothing(item):
    n = {2: 11, 4: 10, 8: 10}[item] if SIMULATED else 18
    plan, distances = Plan(n, item), draw_distances(n, 3, most=40)
    together = collect_bests(CudaLayers(plan, distances), plan)
    for part in (2, 10, plan.all_transitions + 1):
        layers, shares = CudaLayers(plan, distances), []
        layers.few = plan.all_transitions // part
        layers.piece = max(map(plan.transitions, range(plan.layers))) // 5
        assert collect_bests(layers, plan, shares) == together
    assert shares
    assert all(0 < share < 1 for share in shares)


@pytest.mark.smoke
def test_first_of_equal_paths_is_taken():
    n = 10 if SIMULATED else 17
    plan, distances = Plan(n, 4), np.ones((n, n), np.int32) - np.eye(n, dtype=np.int32)
    assert collect_bests(CudaLayers(plan, distances), plan) == cpu_bests(plan, distances)


@pytest.mark.smoke
@pytest.mark.parametrize("item", ITEMS)
def test_lengths_up_to_the_maximum_of_a_state(item):
    n = 9
    each = min((UNREACHED[item] - 1) // n, 2**31 - 1)
    distances = np.full((n, n), each, np.int64)
    np.fill_diagonal(distances, 0)
    plan = Plan(n, item)
    assert collect_bests(CudaLayers(plan, distances), plan)[-1].length == n * each


def test_paths_longer_than_any_tour_match_the_cpu():
    n, item = 9, 2
    distances = np.full((n, n), UNREACHED[item] - 1, np.int64)
    distances[np.arange(n), (np.arange(n) + 1) % n] = distances[(np.arange(n) + 1) % n, np.arange(n)] = 1
    plan = Plan(n, item)
    bests = collect_bests(CudaLayers(plan, distances), plan)
    assert bests == cpu_bests(plan, distances)
    assert bests[-1].length == n


@pytest.mark.smoke
@pytest.mark.parametrize(("variant", "name"), [("auto", "gr24"), ("qin-han", "gr21")])
def test_run_on_the_gpu(variant, name):
    instance = planar("EUC_2D", 6, 1000, 1) if SIMULATED else load(name)
    events = collect_events(instance, replace(make_spec("held-karp", variant=variant), device="cuda"))
    started = next(event for event in events if isinstance(event, Started))
    assert started.variant == ("cuda" if variant == "auto" else variant)
    assert [event for event in events if isinstance(event, Front)][-1].proven
    optimum = naive.held_karp(distance_matrix(instance).tolist()) if SIMULATED else instance.optimum
    assert events[-1].length == optimum
    assert events[-1].length == tour_length(instance, events[-1].order)


@CARD
@pytest.mark.parametrize(
    ("variant", "name"),
    [*product(("cuda", "qin-han"), ("burma14", "gr17", "ulysses16", "ulysses22", "fri26")), ("qin-han", "gr24"),
     *product(["cuda"], ("gr21", "bayg29", "bays29"))],
)  # fmt: skip
def test_known_optima(variant, name):
    instance = load(name)
    end = collect_events(instance, make_spec("held-karp", variant=variant))[-1]
    assert end.length == instance.optimum == tour_length(instance, end.order)


@CARD
def test_integer_programming_agrees_for_31_cities():
    instance = fit_instance(solver.HeldKarp(), load("att48"), 31)
    end = collect_events(instance, make_spec("held-karp", variant="cuda"))[-1]
    assert end.length == exact.optimum(distance_matrix(instance)) == tour_length(instance, end.order)


def test_gpu_memory_decides(monkeypatch):
    monkeypatch.setattr(solver, "_find_memory", lambda job: 10**6 if job.variant.device == "cuda" else 10**9)
    monkeypatch.setattr(solvers.core.machine, "find_free_memory", lambda number: 10**6)
    instance = planar("EUC_2D", 22, 1000, 4)
    with pytest.raises(InstanceTooLarge, match="1 MB are available: use at most"):
        collect_events(instance, make_spec("held-karp", variant="cuda"))
    events = collect_events(instance, make_spec("held-karp"))
    assert next(event for event in events if isinstance(event, Started)).variant == "cpu"
    long = planar("EUC_2D", 22, 100_000, 4)
    room = 21_000_000  # enough for states of 2 bytes, not for those of 4
    monkeypatch.setattr(solvers.core.machine, "find_free_memory", lambda number: room)
    assert (
        next(event for event in collect_events(long, make_spec("held-karp")) if isinstance(event, Started)).variant
        == "cpu"
    )


@pytest.mark.parametrize(("layers", "plan"), [(CudaLayers, Plan(6, 2)), (QinHanCudaLayers, QinHanPlan(6))])
def test_refusal_of_the_gpu_is_reported(layers, plan, monkeypatch):
    def refuse(*_):
        raise CudaAPIError(2, "out of memory")

    monkeypatch.setattr(cuda, "device_array", refuse)
    with pytest.raises(InstanceTooLarge, match="which something else has taken"):
        layers(plan, draw_distances(6, 1))


def test_too_old_gpu_is_left_alone(monkeypatch):
    monkeypatch.setattr(
        solvers.core.machine, "cuda_devices", lambda: (Device("cuda", "Old", compute_capability="7.5"),)
    )
    instance = planar("EUC_2D", 9, 1000, 4)
    with pytest.raises(DeviceUnavailable, match=r"compute capability 8\.0"):
        collect_events(instance, make_spec("held-karp", variant="cuda"))
    started = next(event for event in collect_events(instance, make_spec("held-karp")) if isinstance(event, Started))
    assert started.variant == "cpu"


@CARD
def test_refusal_frees_memory():
    plan, free = Plan(28, 4), lambda: int(cuda.current_context().get_memory_info()[0])
    distances = draw_distances(28, 1, 9)
    layers = CudaLayers(plan, distances)
    first, second = (4 * words for words in layers._parts[0].table_words)
    layers.close()
    hog = cuda.device_array(free() - first - second // 2, np.uint8)
    before = free()
    with pytest.raises(InstanceTooLarge, match="which something else has taken") as refused:
        CudaLayers(plan, distances)
    assert refused.value.__traceback__ is not None, "what held the memory is still known"
    assert free() >= before - first // 10
    assert hog.size


@pytest.mark.parametrize(("item", "parts"), product(ITEMS, (2, 3)))
def test_layers_split_over_gpus_have_the_same_bests(item, parts):
    for n in (4, 5, 9, 10) if SIMULATED else (4, 5, 12, 19, 20):
        plan, distances = Plan(n, item), draw_distances(n, n + parts, most=40)
        together = collect_bests(CudaLayers(plan, distances), plan)
        for few in (0, plan.all_transitions // 10, plan.all_transitions):
            layers, shares = CudaLayers(plan, distances, (0,) * parts), []
            layers.piece, layers.few = max(1, max(map(plan.transitions, range(plan.layers))) // 5), few
            assert collect_bests(layers, plan, shares) == together
            assert shares or n < 9 or few


@pytest.mark.smoke
def test_stopped_run_frees_launches_in_advance():
    n = 10 if SIMULATED else 22
    plan, distances = Plan(n, 8), draw_distances(n, 5, most=40)
    layers = CudaLayers(plan, distances, (0, 0))
    layers.piece, layers.few = 1 + plan.all_transitions // 20, 0
    parts = layers._parts
    while layers.advance().layer < 1:
        pass
    layers.close()
    assert all(part._bests is None and part._found is None and not part.tables for part in parts)
    assert collect_bests(CudaLayers(plan, distances, (0, 0)), plan) == collect_bests(
        CpuLayers(plan, distances, 1), plan
    )


@CARD
@pytest.mark.parametrize("streams", [0, 9, 10])
def test_process_ends_without_unloading_kernels(streams):
    program = f"""
import numpy as np
from numba import cuda
from solvers.algorithms.held_karp.cuda import CudaLayers
from solvers.algorithms.held_karp.plan import Plan
distances = np.ones((12, 12), np.int32) - np.eye(12, dtype=np.int32)
layers = [CudaLayers(Plan(12, 2), distances, devices) for devices in ((0,), (0, len(cuda.gpus) - 1))]
for each in layers:
    while not each.advance().is_last(Plan(12, 2)):
        pass
layers[0].close()
kept = [cuda.stream() for _ in range({streams})]
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True, text=True, cwd=Path(__file__).resolve().parents[4],
        env={**os.environ, "NUMBA_CUDA_LOG_LEVEL": "INFO"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    assert "add pending dealloc: module_unload" in done.stderr
    assert "INFO -- dealloc: module_unload" not in done.stderr, "it is unloaded in whichever context is current"
