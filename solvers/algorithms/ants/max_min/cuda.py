"""MAX-MIN Ant System on a GPU: the kernel launches of an iteration.

Imports Numba: for use inside `solve()`.
"""

from typing import Any

import numpy as np
from numba import cuda

from solvers.algorithms.ants.arrays_cuda import NEAR, DenseBuffers, Shape, build_matrix
from solvers.algorithms.ants.cuda import UPDATE, CudaColony, MigrantTour
from solvers.algorithms.ants.explained_cuda import make_race_walk
from solvers.algorithms.ants.kernels.retrace_cpu import Walk
from solvers.algorithms.ants.launches_cuda import (
    ALL_THREADS,
    TOUR_THREADS,
    build_construction,
    build_local_search,
    build_measuring,
    build_recording,
    build_row_summary,
    check,
)
from solvers.algorithms.ants.max_min.explained_cuda import MaxMinExplainer
from solvers.algorithms.ants.max_min.kernels import update_cuda as kernels
from solvers.algorithms.ants.max_min.params import MaxMinParams
from solvers.algorithms.ants.max_min.variants import CUDA_VARIANTS
from solvers.algorithms.ants.params import COLONY_SEED_STEP
from solvers.core.neighbours import nearest_neighbour_length, neighbours
from solvers.core.solver import Job
from solvers.gpu.launch import Step


class MaxMinBuffers(DenseBuffers):
    """Arrays of one or more colonies, and their best tours.

    Attributes
    ----------
    memory : array, int64 (colonies * FIELDS,)
        See `solvers.algorithms.ants.max_min.kernels.update_cuda.build_choice`.
    """

    def __init__(self, job: Job[MaxMinParams], matrix: np.ndarray, shape: Shape, seed: int, colonies: int = 1) -> None:
        maximum = 1.0 / (job.params.rho * max(1, nearest_neighbour_length(matrix)))
        bounds = maximum * job.params.min_share(len(matrix)), maximum
        super().__init__(job.instance, job.params, seed, shape, matrix, maximum, bounds, maximum, colonies)
        first = np.array([np.iinfo(np.int64).max] * 2 + [0] * (kernels.FIELDS - 2), np.int64)
        self.memory = cuda.to_device(np.tile(first, colonies))

    def trails(self) -> np.ndarray:
        """Return the trails of the colony with the best tour (the first such), (n, n) float32."""
        n = int(self.n)
        leader = int(self.memory.copy_to_host().reshape(-1, kernels.FIELDS)[:, kernels.BEST].argmin())
        return np.ascontiguousarray(self.tau.copy_to_host().reshape(self.colonies, n, -1)[leader, :, :n])


def build_colony(job: Job[MaxMinParams], stream: int = 0, own: range | None = None) -> CudaColony:
    """Build the colony of a run on the current GPU.

    Parameters
    ----------
    job : Job
    stream : int
        Index of the colony; each has its own random numbers.
    own : range, optional
        The ants whose tours this device constructs; all by default. See
        `solvers.algorithms.ants.shared_cuda.SharedColony`.

    Raises
    ------
    DeviceUnavailable
        If there is no CUDA device.
    InstanceTooLarge
        If the trails do not fit into its memory.
    """
    params = job.params
    check(CUDA_VARIANTS[0], job.instance)
    matrix = build_matrix(job.instance)
    shape = Shape(
        candidates=min(params.candidates, NEAR if params.lists else NEAR - 1), others=not params.lists, sums=None
    )
    a = MaxMinBuffers(job, matrix, shape, job.seed + stream * COLONY_SEED_STEP)
    construction = build_construction(a, "greatest" if params.lists else "roulette", own)
    walk = make_race_walk(a.nearest.copy_to_host(), params.lists)
    return join_steps(job, a, matrix, construction, walk, stream, own)


def join_steps(
    job: Job[MaxMinParams], a: MaxMinBuffers, matrix: np.ndarray, construction: list[Step], walk: Walk, stream: int = 0,
    own: range | None = None,
) -> CudaColony:  # fmt: skip
    """Build a colony, or several combined in one, from the steps that construct its tours.

    Parameters
    ----------
    job : Job
    a : MaxMinBuffers
    matrix : ndarray, shape (n, n), int32
        Distances.
    construction : list of Step
    walk : Walk
        How an ant constructs a tour, for explanations.
    stream, own
        See `build_colony`.
    """
    params = job.params
    near = neighbours(matrix, params.search_neighbours(len(matrix))) if params.shortens_every_tour else matrix[:, :0]
    search = build_local_search(a, matrix, near, params.moves, own)
    choices = [build_row_summary(a)]
    update, chosen, length, migrant = build_update_steps(a, params)
    steps = [*construction, *search, build_measuring(a, own), *update, *choices, build_recording(a)]
    explainer = MaxMinExplainer(job, a, walk, chosen, length, stream)
    first = [build_evaporation(a, np.float32(1.0)), *choices]
    return CudaColony(a, first, steps, graph=True, explainer=explainer, migrant=migrant)


def build_update_steps(a: MaxMinBuffers, params: MaxMinParams) -> tuple[list[Step], Any, Any, MigrantTour]:
    """Build the steps that choose each colony's depositing tour, evaporate, and deposit.

    Returns the steps; the chosen tours, int32 (colonies * n,); their lengths, int64 (colonies,); and the receiver of
    tours from other colonies. A received tour that is shorter than a colony's best becomes its best, and sets the
    limits of its trails.
    """
    n, full, colonies = int(a.n), cuda.to_device, a.colonies
    best, since, chosen = (full(np.tile(np.arange(n, dtype=np.int32), colonies)) for _ in range(3))
    length = full(np.ones(colonies, np.int64))

    def elect(tours: Any, lengths: Any, ants: int) -> Step:
        return Step(
            UPDATE, kernels.build_choice, (ALL_THREADS, params.shortens_every_tour), colonies, ALL_THREADS,
            (
                tours, lengths, np.uint32(ants), a.n, a.branching, a.counter, a.memory, best, since, chosen, length,
                a.bounds, np.float32(params.rho), np.float32(params.min_share(n)), np.int64(params.patience),
            ),
        )  # fmt: skip

    steps = [
        elect(a.tours, a.lengths, int(a.ants) // colonies),
        build_evaporation(a, a.keep),
        Step(
            UPDATE, kernels.build_reinforce, (ALL_THREADS, *a.power), colonies, ALL_THREADS,
            (chosen, length, a.tau, a.eta, a.n, a.stride, a.bounds, a.fitness),
        ),
    ]  # fmt: skip

    def admit(tours: Any, lengths: Any) -> list[Step]:
        return [elect(tours, lengths, 1), build_evaporation(a, np.float32(1.0)), build_row_summary(a)]

    return steps, chosen, length, MigrantTour(n, admit, colonies)


def build_evaporation(a: DenseBuffers, keep: np.float32) -> Step:
    """Build the step that multiplies all trails by `keep`, within limits."""
    return Step(
        UPDATE, kernels.build_evaporate, (TOUR_THREADS, *a.power), (int(a.n), a.colonies), TOUR_THREADS,
        (a.tau, a.eta, a.n, a.stride, keep, a.bounds, a.fitness),
    )  # fmt: skip
