"""The roofline of this machine: peak rates of its GPU or cores, and the points of 2-opt's variants."""

import time
from collections.abc import Callable
from functools import partial

import numpy as np
from numba import njit, prange

from benchmarks.two_opt.gpu import list_variants, load_cities, measure_throughput
from papers.catalogue import load_paper
from papers.recipes.plan import Plan
from papers.recipes.speed import measure_rate
from papers.results import MeasuredTable
from papers.roofline import ARITHMETIC, CITIES, COSTS, FEW_CITIES, MEMORY, Roofs, build_roofline
from solvers.core.devices import cpu_threads
from solvers.gpu.peaks import Peaks

#: Number of words in the array to sum: 512 MB, more than the caches hold.
_WORDS = 1 << 27
#: Number of rounds of the multiply-add loop, and number of accumulators, enough to keep a core's units busy.
_ROUNDS, _LANES = 1 << 21, 128


def measure(plan: Plan) -> MeasuredTable:
    """Return the roofs of the device, with each variant below them."""
    return _measure_gpu(plan) if plan.device == "cuda" else _measure_cores(plan)


def _measure_gpu(plan: Plan) -> MeasuredTable:
    peaks, rates = Peaks.from_device(), {}
    variants = load_paper("speed").entry("two-opt-cities").recipe.arguments["variants"]
    for variant in list_variants():
        if variant.name in variants and variant.name in COSTS:
            cities = FEW_CITIES if variant.name in ("matr_s, two rows", "hundred-cities") else CITIES
            result = measure_throughput(variant, load_cities(FEW_CITIES if plan.quick else cities), plan.repeats)
            if result.get("moves_per_second"):
                rates[variant.name] = (cities, result["moves_per_second"])
    notes = {
        MEMORY: "From its clock and bus width.",
        ARITHMETIC: "From the clock and the arithmetic units; a fused operation counts as two.",
    }
    return build_roofline(Roofs(peaks.memory, peaks.float32, peaks.roots), rates, notes)


def _measure_cores(plan: Plan) -> MeasuredTable:
    seconds, threads = (0.2, cpu_threads()) if plan.quick else (2.0, cpu_threads())
    words, rounds = (size >> 2 if plan.quick else size for size in (_WORDS, _ROUNDS))
    array = np.ones(words, np.float32)
    memory = 4 * words / _measure_fastest(partial(_sum, array), plan.repeats)
    operations = 2 * _LANES * rounds * threads / _measure_fastest(partial(_multiply_add, threads, rounds), plan.repeats)
    rates = {
        name: (1002, [measure_rate(name, count, "pr1002", seed, seconds) for seed in range(1, plan.repeats + 1)])
        for name, count in (("sequential", threads), ("cpu", threads))
    }
    notes = {
        MEMORY: "From summing an array of 512 MB on all cores, the fastest of several runs.",
        ARITHMETIC: "From fused multiply-adds in single precision on all cores, the fastest of several runs.",
    }
    return build_roofline(Roofs(memory, operations), rates, notes)


def _measure_fastest(work: Callable[[], float], repeats: int) -> float:
    """Return the seconds of the fastest of several calls, after one that compiles."""
    work()
    times = []
    for _ in range(max(3, repeats)):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return min(times)


@njit(parallel=True, fastmath=True)
def _sum(array: np.ndarray) -> float:
    total = np.float32(0)
    for k in prange(array.size):
        total += array[k]
    return float(total)


@njit(parallel=True, fastmath=True)
def _multiply_add(threads: int, rounds: int) -> float:
    totals = np.zeros(threads)
    for thread in prange(threads):
        totals[thread] = _multiply_add_lanes(np.full(_LANES, np.float32(thread + 1)), rounds)
    return float(totals.sum())


@njit(fastmath=True)
def _multiply_add_lanes(lanes: np.ndarray, rounds: int) -> float:
    """Return the multiply-add on each lane for this many rounds; the lanes stay in the L1 cache."""
    for _ in range(rounds):
        for k in range(_LANES):
            lanes[k] = lanes[k] * np.float32(0.9999) + np.float32(0.5)
    return lanes.sum()
