"""Ant Colony System on a GPU: the kernel launches of an iteration.

Imports Numba: for use inside `solve()`.
"""

from typing import Any

import numpy as np

from solvers.algorithms.ants.acs.arrays_cuda import AcsBuffers
from solvers.algorithms.ants.acs.best_two_opt_cuda import BestTwoOpt
from solvers.algorithms.ants.acs.explained_cuda import AntColonySystemExplainer
from solvers.algorithms.ants.acs.kernels import trails_cuda as raised
from solvers.algorithms.ants.acs.kernels import walk_block_cuda as block
from solvers.algorithms.ants.acs.kernels import walk_warp_cuda as warp
from solvers.algorithms.ants.acs.params import AntColonySystemParams
from solvers.algorithms.ants.arrays_cuda import NEAR, build_matrix
from solvers.algorithms.ants.cuda import CHOICE, CONSTRUCTION, UPDATE, CudaColony, MigrantTour
from solvers.algorithms.ants.explained_cuda import make_race_walk
from solvers.algorithms.ants.kernels.retrace_cpu import WHOLE, Walk
from solvers.algorithms.ants.kernels.walk_warp_cuda import ant_bytes
from solvers.algorithms.ants.launches_cuda import (
    TOUR_THREADS,
    WalkLaunch,
    build_first_measuring,
    build_local_search,
    build_measuring,
    build_recording,
    check,
    split_spans,
    walk_launch,
)
from solvers.algorithms.ants.params import BEST_TWO_OPT
from solvers.algorithms.ants.retracing import make_wheel_walk
from solvers.algorithms.ants.variants import AntVariant
from solvers.core.errors import InstanceTooLarge
from solvers.core.neighbours import neighbours
from solvers.core.solver import Job
from solvers.gpu.calibration import ACS_STEP_SECONDS, FILLING_WARPS, LAUNCH_SECONDS, REWARD_THREADS
from solvers.gpu.launch import Step
from solvers.gpu.limits import Limits
from solvers.kernels.device_cuda import SIMULATED, WARP

#: Threads of the block that rewards the best tour.
_BEST_THREADS = 4 if SIMULATED else REWARD_THREADS
#: Minimum number of warps that fill a block's table of weights.
_MIN_FILLING_WARPS = 4 if SIMULATED else FILLING_WARPS
#: Maximum number of warps per block if all blocks must be resident at the same time.
_MAX_WARPS = 32


def build_colony(job: Job[AntColonySystemParams], variant: AntVariant) -> CudaColony:
    """Build the colony of a run on the current GPU.

    Raises
    ------
    DeviceUnavailable
        If there is no CUDA device.
    InstanceTooLarge
        If the weights do not fit into its memory, or the ants of a lockstep walk cannot all be resident at once.
    """
    params, instance = job.params, job.instance
    check(variant, instance)
    matrix = build_matrix(instance)
    reach = min(params.candidates, NEAR - 1) if variant.name == "warp" else 0
    searched = (
        params.search_neighbours(instance.n) if params.shortens_every_tour and params.moves != BEST_TWO_OPT else 0
    )
    near = neighbours(matrix, max(reach, searched))
    a = AcsBuffers(job, matrix, near[:, :reach])
    construct = _build_block_steps if variant.name == "block" else _build_warp_steps
    by_host = params.shortens_every_tour and params.moves == BEST_TWO_OPT
    search = (
        [*build_first_measuring(a), BestTwoOpt(a.tours, a.distance, a.n, a.lengths)]
        if by_host
        else build_local_search(a, matrix, near[:, :searched], params.moves)
    )
    first = Step(
        CHOICE, raised.build_weigh, (TOUR_THREADS, params.beta), instance.n, TOUR_THREADS,
        (a.distance, a.nearest, a.n, a.stride, a.edges.fitness, a.edges.near),
    )  # fmt: skip
    steps = [
        *construct(a, params),
        *search,
        build_measuring(a),
        *_build_update(a, params),
        _summarise(a, 0),
        build_recording(a),
    ]
    explainer = AntColonySystemExplainer(job, a, _make_walk(a, params, variant))

    def admit(tours: Any, lengths: Any) -> list[Step]:
        return [_build_reward(a, tours, lengths, 1), _summarise(a, 0)]

    migrant = MigrantTour(instance.n, admit)
    return CudaColony(a, [first, _summarise(a, 1)], steps, not by_host, explainer, migrant, one_by_one=by_host)


def _build_warp_steps(a: AcsBuffers, params: AntColonySystemParams) -> list[Step]:
    """Build the steps that construct the tours with one warp per ant."""
    n, ants, limits = int(a.n), int(a.ants), Limits.from_device()
    if params.local_update == "lockstep":
        warps = _choose_lockstep_warps(n, ants, limits)
        walk = WalkLaunch(warps, False, warps * ant_bytes(n), ants)
    else:
        walk = walk_launch(n, ants, warp.table_bytes(n) if params.local_update == "deferred" else None, limits)
    return [
        Step(
            CONSTRUCTION, warp.build_warp, (params.local_update, walk.in_shared, params.uses_candidate_lists),
            -(-(last - first) // walk.warps), max(walk.warps, _MIN_FILLING_WARPS * walk.in_shared) * WARP,
            (
                a.edges, a.n, a.ants, np.uint32(first), np.uint32(last), np.uint32(walk.warps), np.uint32(begin),
                np.uint32(end), a.seed, a.counter, a.q0, a.keep, a.arrived, a.tours,
            ),
            walk.shared,
        )
        for first, last in split_spans(range(ants), walk.at_once)
        for begin, end in _split_positions(n, params.local_update)
    ]  # fmt: skip


def _split_positions(n: int, local_update: str) -> list[tuple[int, int]]:
    """Return the number of visited cities before and after each launch, such that no launch takes 100 ms.

    The numbers depend only on n and the local update, because they affect the result: an ant that resumes its walk
    draws from a compressed list of unvisited cities, and may choose a different city.
    """
    fixed, of_a_city = ACS_STEP_SECONDS[local_update]
    maximum = max(32, int(LAUNCH_SECONDS / (fixed + of_a_city * n)) // 32 * 32)
    return [(max(first, 1), last) for first, last in split_spans(range(n), maximum)]


def _choose_lockstep_warps(n: int, ants: int, limits: Limits) -> int:
    """Return the ants per block such that all ants can synchronise, with one block on each multiprocessor.

    Raises
    ------
    InstanceTooLarge
        If the ants do not fit onto the device.
    """
    maximum = min(_MAX_WARPS, (limits.shared_per_block - 2048) // ant_bytes(n))
    warps = -(-ants // limits.multiprocessors) if not SIMULATED else ants
    if warps > maximum and not SIMULATED:
        raise InstanceTooLarge(
            f"In lockstep, at most {maximum * limits.multiprocessors:,} ants walk through {n:,} cities on this device: "
            "use fewer, or another local update."
        )
    return warps


def _build_block_steps(a: AcsBuffers, params: AntColonySystemParams) -> list[Step]:
    """Build the steps that construct the tours with one block per ant."""
    n = int(a.n)
    threads = block.threads(n)
    return [
        Step(
            CONSTRUCTION, block.build_block, (params.local_update, threads), blocks, threads,
            (a.edges, a.n, a.ants, *extra, a.seed, a.counter, a.q0, a.keep, a.tours),
            block.shared_bytes(n, threads),
        )
        for blocks, extra in block.launches(n, int(a.ants))
    ]  # fmt: skip


def _build_update(a: AcsBuffers, params: AntColonySystemParams) -> list[Step]:
    """Build the steps of both updates: the local one on all raised edges that ants used, then the global one."""
    max_raised_edges, applied = int(a.edges.level.size), params.local_update == "compare-and-swap"
    return [
        Step(
            UPDATE, raised.build_local_update, (TOUR_THREADS, applied), -(-max_raised_edges // TOUR_THREADS),
            TOUR_THREADS, (a.edges, a.keep, a.arrived),
        ),
        _build_reward(a, a.tours, a.lengths, int(a.ants)),
    ]  # fmt: skip


def _build_reward(a: AcsBuffers, tours: Any, lengths: Any, ants: int) -> Step:
    """Build the global update's step for the tours of `ants` ants."""
    return Step(
        UPDATE, raised.build_reward, (_BEST_THREADS,), 1, _BEST_THREADS,
        (a.edges, tours, lengths, np.uint32(ants), a.n, a.memory, a.best, a.numbers, a.alpha, a.target),
    )  # fmt: skip


def _summarise(a: AcsBuffers, every: int) -> Step:
    return Step(
        CHOICE, _build_summary_kernel, (), int(a.n), WARP, (a.edges, a.n, np.int32(every), a.entropy, a.branching)
    )


def _build_summary_kernel() -> Any:
    return raised.summarise_rows


def _make_walk(a: AcsBuffers, params: AntColonySystemParams, variant: AntVariant) -> Walk:
    """Return how the variant's ants walk, so that a walk can be repeated."""
    n, q0 = int(a.n), float(a.q0)
    if variant.name == "block":
        return make_wheel_walk(n, WHOLE, block.threads(n), q0=q0)
    resumed = tuple(begin for begin, _ in _split_positions(n, params.local_update) if begin > 1)
    return make_race_walk(a.nearest.copy_to_host(), params.uses_candidate_lists, q0, resumed)
