"""Ant System on a GPU: the kernel launches of an iteration.

Imports Numba: for use inside `solve()`.
"""

from importlib import import_module
from typing import Any

import numpy as np
from numba import cuda

from solvers.algorithms.ants.ant_system.explained_cuda import AntSystemExplainer
from solvers.algorithms.ants.ant_system.kernels import depositors_cuda as depositors
from solvers.algorithms.ants.ant_system.kernels import gather_deposit_cuda as gathering
from solvers.algorithms.ants.ant_system.kernels import histogram_cuda as sorting
from solvers.algorithms.ants.ant_system.kernels import prefix_sums_cuda
from solvers.algorithms.ants.ant_system.params import AntSystemParams
from solvers.algorithms.ants.arrays_cuda import NEAR, DenseBuffers, Shape, build_matrix, choose_deposit_scale
from solvers.algorithms.ants.cuda import CHOICE, CONSTRUCTION, UPDATE, CudaColony, MigrantTour
from solvers.algorithms.ants.explained_cuda import make_race_walk
from solvers.algorithms.ants.heuristics import FLOOR, first_trail, reference_trail
from solvers.algorithms.ants.kernels import pheromone_cuda as trails
from solvers.algorithms.ants.kernels.pheromone_cuda import TILE, TILE_ROWS
from solvers.algorithms.ants.kernels.retrace_cpu import Walk
from solvers.algorithms.ants.launches_cuda import (
    ALL_THREADS,
    RESERVED,
    TOUR_THREADS,
    build_construction,
    build_measuring,
    build_recording,
    build_row_summary,
    check,
)
from solvers.algorithms.ants.retracing import KINDS, make_wheel_walk
from solvers.algorithms.ants.variants import TRIALS, AntVariant
from solvers.core.errors import InvalidParams
from solvers.core.solver import Job
from solvers.gpu.launch import Step
from solvers.gpu.limits import Limits

#: An upper limit above every trail.
_UNLIMITED = 3e38
#: The best tour's length before any tour is known.
_NO_LENGTH = np.array([np.iinfo(np.int64).max])


def build_colony(job: Job[AntSystemParams], variant: AntVariant) -> CudaColony:
    """Build the colony of a run on the current GPU.

    Raises
    ------
    DeviceUnavailable
        If there is no CUDA device.
    InstanceTooLarge
        If the trails do not fit into its memory, or a tour into the shared memory of a block.
    InvalidParams
        If pheromone is gathered by rows or sorted although not all ants deposit, or if there are too many ants to sort.
    """
    params, instance = job.params, job.instance
    check(variant, instance)
    if params.deposit in ("rows", "histogram") and params.depositors != "all":
        raise InvalidParams("deposit", params.deposit, f"fixed-point or float-atomic, with {params.depositors}")
    ants, shared = params.colony_size(instance.n), Limits.from_device().shared_per_block - RESERVED
    if params.deposit == "histogram" and sorting.shared_bytes(ants) > shared:
        raise InvalidParams("deposit", "histogram", f"another for {ants:,} ants, which a block has no room to sort")
    selection = variant.selections[0] if params.selection == "auto" else params.selection
    matrix = build_matrix(instance)
    first = first_trail(matrix, params.initial)
    shape = Shape(
        candidates=min(params.candidates, NEAR - 1) if selection == "nearest-first" else 0,
        others=True,
        tracked=params.trials + 1 if selection in TRIALS else 0,
        sums=np.float32 if params.deposit == "float-atomic" else np.uint64,
    )
    deposit = params.deposits(instance.n) * params.q
    reference = 1.0 if params.alpha == 1.0 else reference_trail(matrix, first, deposit, params.rho)
    arrays = DenseBuffers(instance, params, job.seed, shape, matrix, first, (FLOOR * first, _UNLIMITED), reference)
    update = _Update(arrays, params, matrix)
    choices = [build_row_summary(arrays), *_build_prefix_sums(arrays, selection)]
    tours = _build_tours(arrays, params, variant, selection)
    steps = [*tours, build_measuring(arrays), *update.steps(), *choices, build_recording(arrays)]
    walk = _make_walk(arrays, params, variant, selection)
    explainer = AntSystemExplainer(job, arrays, walk, update.best, update.length)
    migrant = MigrantTour(instance.n, lambda tours, lengths: [update.keep_best(tours, lengths, 1)])
    first_steps = [update.evaporation(np.float32(1.0)), *choices]
    return CudaColony(arrays, first_steps, steps, params.graph, explainer, migrant if update.best is not None else None)


class _Update:
    """The steps that compute the next trails from the tours.

    Attributes
    ----------
    best, length : array or None
        The best tour so far, int32 (n,), and its length, int64 (1,); `steps` sets them if that tour deposits.
    """

    def __init__(self, arrays: DenseBuffers, params: AntSystemParams, matrix: np.ndarray) -> None:
        self._a, self._params, self._whole = arrays, params, params.deposit != "float-atomic"
        self._amount, self._unit = np.float64(params.q), np.float32(1.0)
        self.best: Any = None
        self.length: Any = None
        if self._whole:
            self._amount, self._unit = choose_deposit_scale(matrix, params.deposits(int(arrays.n)), params.q)

    def steps(self) -> list[Step]:
        if self._params.deposit == "rows":
            return self._gather_deposits()
        if self._params.deposit == "histogram":
            return [*self._sort_deposits(), self.evaporation(self._a.keep)]
        return [*self._sum_all_deposits(), self.evaporation(self._a.keep)]

    def _sum_all_deposits(self) -> list[Step]:
        """Build the steps that add up the deposits of all depositing tours."""
        a, params = self._a, self._params
        if params.depositors == "all":
            return [self._deposit(a.tours, a.lengths, int(a.ants), 1)]
        best, length = cuda.to_device(np.arange(int(a.n), dtype=np.int32)), cuda.to_device(_NO_LENGTH.copy())
        self.best, self.length = best, length
        keep = self.keep_best(a.tours, a.lengths, int(a.ants))
        if params.depositors == "elitist":
            ants = [self._deposit(a.tours, a.lengths, int(a.ants), 1)]
            return [keep, *ants, self._deposit(best, length, 1, params.elitists)]
        return [keep, *self._deposit_by_rank(), self._deposit(best, length, 1, params.rank_weights)]

    def keep_best(self, tours: Any, lengths: Any, ants: int) -> Step:
        """Build the step that stores the best of these tours if no earlier one was as short."""
        return Step(
            UPDATE, depositors.build_keep_best, (ALL_THREADS,), 1, ALL_THREADS,
            (tours, lengths, np.uint32(ants), self._a.n, self.length, self.best),
        )  # fmt: skip

    def _deposit(self, tours: Any, lengths: Any, count: int, weight: int) -> Step:
        """Build the step in which `count` tours deposit, each as much as `weight` ants."""
        return Step(
            UPDATE, trails.build_deposit, (TOUR_THREADS, self._whole), count, TOUR_THREADS,
            (tours, lengths, self._a.n, self._a.stride, np.float64(weight * self._amount), self._a.sums),
        )  # fmt: skip

    def _deposit_by_rank(self) -> list[Step]:
        """Build the steps that rank the ants and let the best of them deposit."""
        a, places = self._a, self._params.rank_weights - 1
        if not places:
            return []
        order = cuda.to_device(np.full(places, -1, np.int32))
        return [
            Step(
                UPDATE, depositors.build_rank, (TOUR_THREADS,), -(-int(a.ants) // TOUR_THREADS), TOUR_THREADS,
                (a.lengths, a.ants, np.uint32(places), order),
            ),
            Step(
                UPDATE, depositors.build_deposit_ranked, (TOUR_THREADS, self._whole), places, TOUR_THREADS,
                (order, a.tours, a.lengths, a.n, a.stride, self._amount, a.sums),
            ),
        ]  # fmt: skip

    def evaporation(self, keep: np.float32) -> Step:
        """Build the step that evaporates the trails, adds the deposits and computes all weights."""
        a, tiles = self._a, -(-int(self._a.n) // TILE)
        return Step(
            UPDATE, trails.build_evaporate, (self._whole, *a.power), (tiles, tiles), (TILE, TILE_ROWS),
            (a.tau, a.sums, a.eta, a.n, a.stride, keep, self._unit, a.bounds, a.fitness),
        )  # fmt: skip

    def _successors(self) -> tuple[Any, Step]:
        """Build the step that finds every city's successor in each ant's tour; return the successors and the step."""
        a = self._a
        after = cuda.to_device(np.zeros(int(a.n) * int(a.ants), np.int32))
        arguments = a.tours, a.n, a.ants, after
        return after, Step(UPDATE, gathering.build_successors, (TOUR_THREADS,), int(a.ants), TOUR_THREADS, arguments)

    def _sort_deposits(self) -> list[Step]:
        a, ants = self._a, int(self._a.ants)
        after, look_up = self._successors()
        threads = sorting.threads(ants)
        add = Step(
            UPDATE, sorting.build_histogram, (threads,), int(a.n), threads,
            (after, a.lengths, a.ants, np.uint32(sorting.width(ants)), a.stride, self._amount, a.sums),
            sorting.shared_bytes(ants),
        )  # fmt: skip
        return [look_up, add]

    def _gather_deposits(self) -> list[Step]:
        a, n, tiles = self._a, int(self._a.n), -(-int(self._a.n) // TILE)
        after, look_up = self._successors()
        return [
            look_up,
            Step(
                UPDATE, gathering.build_gather, (TOUR_THREADS,), n, TOUR_THREADS,
                (after, a.lengths, a.ants, a.n, a.stride, self._amount, self._unit, a.keep, a.tau),
                gathering.shared_bytes(n),
            ),
            Step(
                UPDATE, gathering.build_symmetrise, a.power, (tiles, tiles), (TILE, TILE_ROWS),
                (a.tau, a.eta, a.n, a.stride, a.bounds, a.fitness),
            ),
        ]  # fmt: skip


def _build_prefix_sums(a: DenseBuffers, selection: str) -> list[Step]:
    if selection not in TRIALS:
        return []
    threads = prefix_sums_cuda.threads(int(a.n))
    return [Step(CHOICE, _build_prefix_kernel, (), int(a.n), threads, (a.fitness, a.prefix, a.n, a.stride))]


def _build_prefix_kernel() -> Any:
    return prefix_sums_cuda.prefix_sums


def _build_tours(a: DenseBuffers, params: AntSystemParams, variant: AntVariant, selection: str) -> list[Step]:
    if variant.name == "warp":
        return build_construction(a, "roulette")
    module, _, name = variant.kernel.partition(":")
    kernels, n = import_module(module), int(a.n)
    threads = kernels.threads(n)
    at_once = params.trials_at_once == "warps"
    options = (selection, params.trials, params.switch, at_once) if variant.name == "block" else ()
    factory, shared_bytes = getattr(kernels, name), kernels.shared_bytes(n, threads)
    return [
        Step(
            CONSTRUCTION, factory, options, blocks, threads,
            (a.fitness, a.prefix, a.n, a.stride, a.ants, *extra, a.seed, a.counter, a.trials, a.tours), shared_bytes,
        )
        for blocks, extra in kernels.launches(n, int(a.ants))
    ]  # fmt: skip


def _make_walk(a: DenseBuffers, params: AntSystemParams, variant: AntVariant, selection: str) -> Walk:
    """Return how the variant's ants walk, so that a walk can be repeated."""
    n = int(a.n)
    if variant.name == "warp":
        return make_race_walk(a.nearest.copy_to_host(), listed=False)
    width = import_module(variant.kernel.partition(":")[0]).threads(n)
    kind = KINDS["worker" if variant.name == "worker" else selection]
    return make_wheel_walk(n, kind, width, params.trials, float(params.switch))
