"""The launches that colonies of ants on a CUDA device share: tours by warps, lengths, rows of trails, the best ant.

Imports Numba: for use inside `solve()`.
"""

import numpy as np

from data.instance import Instance
from solvers.ant_colony_cuda import BEST, CHOICE, CONSTRUCTION
from solvers.ant_rows import AntRow
from solvers.colony_arrays_cuda import Arrays
from solvers.errors import InstanceTooLarge
from solvers.kernels import ant_trails_cuda as trails
from solvers.kernels import ant_warp_cuda as warp
from solvers.kernels.device_cuda import SIMULATED, WARP
from solvers.layout_cuda import Limits
from solvers.steps_cuda import Step

#: Threads of a block that goes through a tour or a row, and of the one that looks at all ants.
TOUR_THREADS, ALL_THREADS = (4, 4) if SIMULATED else (128, 256)
#: Most ants of a block, and bytes of shared memory that are the driver's own.
_WARPS, _RESERVED = 16, 1024
#: What a launch of tours may take, and what a step of an ant takes at most where a row is seldom read.
_LAUNCH_SECONDS, _STEP_SECONDS = 0.05, 2.5e-6
#: Weights that the rows of all steps of a launch may have, where every other step reads one, as at the beginning of a
#: run: an H200 reads them in 50 ms.
_READS = 35_000_000_000


def check(row: AntRow, instance: Instance) -> None:
    """See that a row can run an instance on the current device.

    Raises
    ------
    InstanceTooLarge
        If it has too many cities.
    """
    why = row.why_not(instance.kind, instance.n, Limits.of_device().shared_per_block)
    if why:
        raise InstanceTooLarge(why)


def construct(a: Arrays, rule: str) -> list[Step]:
    """Tours by a warp an ant: as many ants a block as the multiprocessors have each, if their weights fit there."""
    n, ants, limits = int(a.n), int(a.ants), Limits.of_device()
    most = limits.shared_per_block - _RESERVED
    warps = max(1, min(_WARPS, -(-ants // limits.multiprocessors), (most - warp.table_bytes(n)) // warp.ant_bytes(n)))
    in_shared = warp.table_bytes(n) + warps * warp.ant_bytes(n) <= most
    warps = warps if in_shared else 1
    shared = warp.table_bytes(n) * in_shared + warps * warp.ant_bytes(n)
    resident = limits.multiprocessors * max(1, min(limits.blocks, limits.shared // (shared + _RESERVED))) * warps
    at_once = resident * max(1, int(_LAUNCH_SECONDS / (n * _STEP_SECONDS)))
    if rule == "roulette":
        at_once = min(at_once, max(limits.multiprocessors * warps, _READS // (n * n)))
    return [
        Step(
            CONSTRUCTION, warp.warp, (rule, in_shared), -(-(last - first) // warps), warps * WARP,
            (a.fitness, a.near, a.n, a.stride, a.ants, np.uint32(first), np.uint32(last), a.seed, a.counter, a.tours),
            shared,
        )
        for first in range(0, ants, at_once)
        for last in (min(ants, first + at_once),)
    ]  # fmt: skip


def score(a: Arrays) -> Step:
    """The lengths of all tours."""
    return Step(BEST, trails.score, (TOUR_THREADS,), int(a.ants), TOUR_THREADS, (a.tours, a.distance, a.n, a.lengths))


def look(a: Arrays) -> Step:
    """What ants read first of each row of trails, and its statistics."""
    return Step(
        CHOICE, trails.rows, a.power, int(a.n), WARP,
        (a.tau, a.nearest, a.eta_near, a.fitness, a.n, a.stride, a.near, a.entropy, a.branching),
    )  # fmt: skip


def tell(a: Arrays) -> Step:
    """The best ant, and all that is told of the iteration, which ends here."""
    return Step(
        BEST, trails.best, (ALL_THREADS,), 1, ALL_THREADS,
        (
            a.lengths, a.ants, a.n, a.ring, a.tours, a.entropy, a.branching, a.trials, a.counter, a.told_lengths,
            a.told_trails, a.told_tours, a.told_trials,
        ),
    )  # fmt: skip
