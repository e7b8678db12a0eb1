"""Kernel launches shared by ant colonies on a GPU: tours by warps, lengths, trail rows, best ant.

Imports Numba: for use inside `solve()`.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import cuda

from data.instance import Instance
from solvers.algorithms.ants.arrays_cuda import ColonyBuffers, DenseBuffers
from solvers.algorithms.ants.cuda import BEST, CHOICE, CONSTRUCTION, SHORTENING
from solvers.algorithms.ants.kernels import pheromone_cuda as trails
from solvers.algorithms.ants.kernels import walk_warp_cuda as warp
from solvers.algorithms.ants.variants import AntVariant
from solvers.core.errors import InstanceTooLarge
from solvers.core.neighbours import with_distances
from solvers.gpu import calibration
from solvers.gpu.calibration import BLOCK_ANTS, LAUNCH_SECONDS, WARP_READS, WARP_STEP_SECONDS
from solvers.gpu.launch import Step
from solvers.gpu.limits import Limits
from solvers.kernels import local_search_cuda as two_opt
from solvers.kernels.device_cuda import SIMULATED, WARP

#: Number of threads in a block that processes one tour or row, and in the block that processes all ants.
TOUR_THREADS, ALL_THREADS = (4, 4) if SIMULATED else (calibration.TOUR_THREADS, calibration.ALL_THREADS)
#: Bytes of shared memory per block that the driver reserves.
RESERVED = 1024


def check(variant: AntVariant, instance: Instance) -> None:
    """Check that a variant can run an instance on the current GPU.

    Raises
    ------
    InstanceTooLarge
        If the instance has too many cities.
    """
    reason = variant.unavailable_reason(instance.kind, instance.n, Limits.from_device())
    if reason:
        raise InstanceTooLarge(reason)


@dataclass(frozen=True, slots=True)
class WalkLaunch:
    """How an iteration's ants are divided among warps, blocks and launches.

    Attributes
    ----------
    warps : int
        Number of ants per block, one per warp.
    in_shared : bool
        Whether a block keeps the weights of all cities' candidates in shared memory.
    shared : int
        Dynamic shared memory per block in bytes.
    at_once : int
        Maximum number of ants per launch.
    """

    warps: int
    in_shared: bool
    shared: int
    at_once: int


def walk_launch(n: int, ants: int, table: int | None, limits: Limits) -> WalkLaunch:
    """Choose the number of ants per block: about ants / multiprocessors with a table in shared memory, otherwise one.

    Parameters
    ----------
    n, ants : int
    table : int or None
        Size in bytes of the table of weights in shared memory; None for no table.
    limits : Limits

    Returns
    -------
    WalkLaunch
    """
    maximum = limits.shared_per_block - RESERVED
    warps, in_shared = 1, False
    if table is not None:
        warps = max(1, min(BLOCK_ANTS, -(-ants // limits.multiprocessors), (maximum - table) // warp.ant_bytes(n)))
        in_shared = table + warps * warp.ant_bytes(n) <= maximum
    warps = warps if in_shared else 1
    shared = (table or 0) * in_shared + warps * warp.ant_bytes(n)
    resident = limits.multiprocessors * max(1, min(limits.blocks, limits.shared // (shared + RESERVED))) * warps
    return WalkLaunch(warps, in_shared, shared, resident * max(1, int(LAUNCH_SECONDS / (n * WARP_STEP_SECONDS))))


def split_spans(whole: range, maximum: int) -> list[tuple[int, int]]:
    """Split `whole` into ranges of at most `maximum`, one per launch; return each range's start and stop."""
    return [(first, min(whole.stop, first + maximum)) for first in range(whole.start, whole.stop, maximum)]


def build_construction(a: DenseBuffers, rule: str, own: range | None = None) -> list[Step]:
    """Build the steps that construct the tours of all ants, or of this GPU's `own` ants, with one warp per ant."""
    n, limits = int(a.n), Limits.from_device()
    own = own or range(int(a.ants))
    walk = walk_launch(n, len(own), warp.table_bytes(n), limits)
    at_once, warps = walk.at_once, walk.warps
    if rule == "roulette":
        at_once = min(at_once, max(limits.multiprocessors * warps, WARP_READS // (n * n)))
    return [
        Step(
            CONSTRUCTION, warp.build_warp, (rule, walk.in_shared), -(-(last - first) // warps), warps * WARP,
            (a.fitness, a.near, a.n, a.stride, a.ants, np.uint32(first), np.uint32(last), a.seed, a.counter, a.tours),
            walk.shared,
        )
        for first, last in split_spans(own, at_once)
    ]  # fmt: skip


def build_measuring(a: Any, own: range | None = None) -> Step:
    """Build the step that computes the tour lengths of all ants, or of this GPU's `own` ants."""
    own = own or range(int(a.ants))
    tours, lengths = a.tours[own.start * int(a.n) :], a.lengths[own.start :]
    return Step(BEST, trails.build_score, (TOUR_THREADS,), len(own), TOUR_THREADS, (tours, a.distance, a.n, lengths))


def build_local_search(
    a: Any, matrix: np.ndarray, near: np.ndarray, moves: str, own: range | None = None
) -> list[Step]:
    """Build the steps that record the tours' mean length and then improve them, in short launches.

    Parameters
    ----------
    a : solvers.algorithms.ants.arrays_cuda.ColonyBuffers
        Must have `distance`, (n * n,) int32.
    matrix : ndarray, shape (n, n), int32
    near : ndarray, shape (n, k), int32
        Each city's nearest cities, by distance; k = 0 means no local search.
    moves : str
        ``2-opt`` or ``2-opt+or-opt``.
    own : range, optional
        The ants of this device; all by default.
    """
    n, own = int(a.n), own or range(int(a.ants))
    if n < two_opt.MIN_CITIES or not near.size:
        return []
    lists, lengths = map(cuda.to_device, with_distances(matrix, near))
    counts, which = cuda.to_device(np.zeros(2, np.int64)), cuda.to_device(np.zeros(1, np.int32))
    limits = Limits.from_device()
    or_opt, k, unfinished = moves != "2-opt", near.shape[1], cuda.to_device(np.zeros(int(a.ants), np.int32))
    launches, slots = (
        two_opt.count_launches(n, k, or_opt),
        two_opt.count_slots(n, limits.multiprocessors, limits.shared),
    )
    at_once, work = two_opt.tours_per_launch(n, slots), two_opt.launch_work(n)
    if launches > 1:
        at_once, work = slots, two_opt.MAX_WORK
    search = [
        Step(
            SHORTENING, two_opt.build, (two_opt.CITIES, or_opt), last - first, two_opt.THREADS,
            (
                a.tours, a.distance, lists, lengths, a.n, np.uint32(k), np.uint32(first), np.uint32(last),
                which, np.int64(work), counts, unfinished, np.uint32(again),
            ),
            two_opt.shared_bytes(n),
        )
        for first, last in split_spans(own, at_once)
        for again in range(launches)
    ]  # fmt: skip
    return [*build_first_measuring(a, own), *search]


def build_first_measuring(a: Any, own: range | None = None) -> list[Step]:
    """Build the steps that measure the tours before local search and record their mean length."""
    own = own or range(int(a.ants))
    mean = (a.lengths[own.start :], np.uint32(len(own)), a.ring, a.counter, a.ring_built)
    return [build_measuring(a, own), Step(BEST, trails.build_mean_built, (ALL_THREADS,), 1, ALL_THREADS, mean)]


def build_row_summary(a: DenseBuffers) -> Step:
    """Build the step that collects each row's near weights and computes the statistics of its trails."""
    return Step(
        CHOICE, trails.build_rows, a.power, (int(a.n), a.colonies), WARP,
        (a.tau, a.nearest, a.eta_near, a.fitness, a.n, a.stride, a.near, a.entropy, a.branching),
    )  # fmt: skip


def build_recording(a: ColonyBuffers) -> Step:
    """Build an iteration's last step, which finds the best ant and records the results."""
    return Step(
        BEST, trails.build_best, (ALL_THREADS,), 1, ALL_THREADS,
        (
            a.lengths, a.ants, a.n, a.ring, a.tours, a.entropy, a.branching, a.trials, a.counter, a.ring_lengths,
            a.ring_trails, a.ring_tours, a.ring_trials,
        ),
    )  # fmt: skip
