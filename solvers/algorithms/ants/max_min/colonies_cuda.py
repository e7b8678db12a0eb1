"""Several MAX-MIN Ant System colonies on a GPU at once, one block each.

Imports Numba: for use inside `solve()`.
"""

import numpy as np
from numba import cuda

from solvers.algorithms.ants.arrays_cuda import DenseBuffers, Shape, build_matrix
from solvers.algorithms.ants.cuda import CONSTRUCTION, CudaColony
from solvers.algorithms.ants.kernels.retrace_cpu import CANDIDATES, WHOLE
from solvers.algorithms.ants.launches_cuda import (
    build_local_search,
    build_measuring,
    build_recording,
    build_row_summary,
    check,
)
from solvers.algorithms.ants.max_min.cuda import build_evaporation, build_update_steps, make_first_memory
from solvers.algorithms.ants.max_min.explained_cuda import MaxMinExplainer
from solvers.algorithms.ants.max_min.kernels import walk_colony_cuda as walk
from solvers.algorithms.ants.max_min.kernels.update_cuda import BEST, FIELDS
from solvers.algorithms.ants.max_min.params import MaxMinParams
from solvers.algorithms.ants.params import COLONY_SEED_STEP
from solvers.algorithms.ants.retracing import make_wheel_walk
from solvers.algorithms.ants.variants import AntVariant
from solvers.core.neighbours import nearest_neighbour_length, neighbours
from solvers.core.solver import Job
from solvers.gpu.launch import Step
from solvers.gpu.limits import Limits


class ColoniesBuffers(DenseBuffers):
    """Arrays of several colonies and their best tours.

    Attributes
    ----------
    memory : array, int64 (colonies * FIELDS,)
        See `solvers.algorithms.ants.max_min.kernels.update_cuda.build_choice`.
    """

    def __init__(self, job: Job, params: MaxMinParams, matrix: np.ndarray) -> None:
        maximum = 1.0 / (params.rho * max(1, nearest_neighbour_length(matrix)))
        bounds = maximum * params.min_share(len(matrix)), maximum
        shape = Shape(candidates=0, others=False, sums=None)
        super().__init__(job.instance, params, job.seed, shape, matrix, maximum, bounds, maximum, params.colonies)
        self.memory = cuda.to_device(make_first_memory(self.colonies))

    def trails(self) -> np.ndarray:
        """Return the trails of the first colony that has the best tour, (n, n) float32."""
        n = int(self.n)
        leader = int(self.memory.copy_to_host().reshape(-1, FIELDS)[:, BEST].argmin())
        return np.ascontiguousarray(self.tau.copy_to_host().reshape(self.colonies, n, -1)[leader, :, :n])


def build_colonies(job: Job[MaxMinParams], variant: AntVariant) -> CudaColony:
    """Build a run's colonies on the current GPU, as one; each equals a run with its own seed.

    Parameters
    ----------
    job : Job
    variant : AntVariant

    Raises
    ------
    DeviceUnavailable
        If there is no CUDA device.
    InstanceTooLarge
        If there are too many cities for the variant, or the trails do not fit into the device's memory.
    """
    params = job.params
    check(variant, job.instance)
    matrix = build_matrix(job.instance)
    a = ColoniesBuffers(job, params, matrix)
    near = neighbours(matrix, params.search_neighbours(len(matrix))) if params.shortens_every_tour else matrix[:, :0]
    search = build_local_search(a, matrix, near, params.moves)
    choices = [build_row_summary(a)]
    candidates = neighbours(matrix, params.candidates if params.lists else 0)
    update, chosen, length, migrant = build_update_steps(a, params, a.memory)
    steps = [
        *_build_construction(a, params, candidates, job.seed), *search, build_measuring(a), *update, *choices,
        build_recording(a),
    ]  # fmt: skip
    walk_of_ant = make_wheel_walk(len(matrix), CANDIDATES if params.lists else WHOLE, width=1)._replace(near=candidates)
    explainer = MaxMinExplainer(job, a, walk_of_ant, chosen, length)
    first = [build_evaporation(a, np.float32(1.0)), *choices]
    return CudaColony(a, first, steps, graph=True, explainer=explainer, migrant=migrant)


def _build_construction(a: ColoniesBuffers, params: MaxMinParams, near: np.ndarray, seed: int) -> list[Step]:
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
