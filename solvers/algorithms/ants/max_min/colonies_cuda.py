"""Several MAX-MIN Ant System colonies on a GPU at once, with one block per colony.

Imports Numba: for use inside `solve()`.
"""

import numpy as np
from numba import cuda

from solvers.algorithms.ants.arrays_cuda import Shape, build_matrix
from solvers.algorithms.ants.cuda import CONSTRUCTION, CudaColony
from solvers.algorithms.ants.kernels.retrace_cpu import CANDIDATES, WHOLE
from solvers.algorithms.ants.launches_cuda import check
from solvers.algorithms.ants.max_min.cuda import MaxMinBuffers, join_steps
from solvers.algorithms.ants.max_min.kernels import walk_colony_cuda as walk
from solvers.algorithms.ants.max_min.params import MaxMinParams
from solvers.algorithms.ants.params import COLONY_SEED_STEP
from solvers.algorithms.ants.retracing import make_wheel_walk
from solvers.algorithms.ants.variants import AntVariant
from solvers.core.neighbours import neighbours
from solvers.core.solver import Job
from solvers.gpu.launch import Step
from solvers.gpu.limits import Limits


def build_colonies(job: Job[MaxMinParams], variant: AntVariant) -> CudaColony:
    """Build a run's colonies on the current GPU, combined in one; each behaves like a run with its own seed.

    Parameters
    ----------
    job : Job
    variant : AntVariant

    Raises
    ------
    DeviceUnavailable
        If there is no CUDA device.
    InstanceTooLarge
        If the variant does not support this many cities, or the trails do not fit into the device's memory.
    """
    params = job.params
    check(variant, job.instance)
    matrix = build_matrix(job.instance)
    a = MaxMinBuffers(job, matrix, Shape(candidates=0, others=False, sums=None), job.seed, params.colonies)
    candidates = neighbours(matrix, params.candidates if params.lists else 0)
    walk_of_ant = make_wheel_walk(len(matrix), CANDIDATES if params.lists else WHOLE, width=1)._replace(near=candidates)
    return join_steps(job, a, matrix, _build_construction(a, params, candidates, job.seed), walk_of_ant)


def _build_construction(a: MaxMinBuffers, params: MaxMinParams, near: np.ndarray, seed: int) -> list[Step]:
    """Build the steps that construct the tours, with one block per colony."""
    n, ants, up = int(a.n), params.colony_size(int(a.n)), cuda.to_device
    candidates = up(near.reshape(-1) if near.size else np.zeros(1, np.int32))
    seeds = up(np.uint64(seed) + np.uint64(COLONY_SEED_STEP) * np.arange(a.colonies, dtype=np.uint64))
    threads = walk.threads(n, ants, Limits.from_device().shared_per_block)
    return [
        Step(
            CONSTRUCTION, walk.build_colony_walk, (params.lists,), a.colonies, threads,
            (
                a.fitness, candidates, np.uint32(near.shape[1]), a.n, a.stride, np.uint32(ants), np.uint32(begin),
                np.uint32(end), seeds, a.counter, a.tours,
            ),
            walk.shared_bytes(n, threads),
        )
        for begin, end in walk.spans(n, ants, threads)
    ]  # fmt: skip
