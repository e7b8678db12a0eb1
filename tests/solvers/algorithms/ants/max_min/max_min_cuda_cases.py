"""MAX-MIN Ant System on CUDA against the CPU: elections, and several colonies reported as one.

Not collected with the other tests: see `simulated.run_cases`.
"""

import numpy as np
import pytest

from data.collection.resolve import load
from data.generators import uniform
from solvers.algorithms.ants.max_min.deposit_schedule import DepositSchedule
from solvers.algorithms.ants.max_min.kernels import update_cuda as electing
from solvers.algorithms.ants.max_min.params import MaxMinParams
from solvers.algorithms.ants.max_min.solver import MaxMinAntSystem
from solvers.algorithms.ants.max_min.variants import CUDA_VARIANTS
from solvers.algorithms.ants.params import COLONY_SEED_STEP
from solvers.core.solver import Job
from solvers.core.stop import Budget
from solvers.kernels.device_cuda import SIMULATED, cuda

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::numba.core.errors.NumbaWarning")
PLAIN = {"local_search": "none", "rho": 0.02}
N, ANTS = 9, 5
INSTANCE = uniform(11, 3) if SIMULATED else load("kroA100")
ITERATIONS = 2 if SIMULATED else 40


class OnGpu:
    """The memory of a colony on the device."""

    def __init__(self, params):
        self._params, up = params, cuda.to_device
        self._kernel = electing.build_choice(4, params.local_search != "none")
        self._memory = up(np.array([np.iinfo(np.int64).max] * 2 + [0] * (electing.FIELDS - 2), np.int64))
        self._best, self._since, self._chosen = (up(np.zeros(N, np.int32)) for _ in range(3))
        self._length, self._bounds = up(np.ones(1, np.int64)), up(np.zeros(2, np.float32))

    def elect(self, iteration, tours, lengths, branches):
        """The chosen tour, its length, and the limits, as lists."""
        params, up = self._params, cuda.to_device
        self._kernel[1, 4](
            up(tours.reshape(-1)), up(lengths), np.uint32(ANTS), np.uint32(N), up(np.full(N, branches, np.float32)),
            up(np.array([iteration - 1])), self._memory, self._best, self._since, self._chosen, self._length,
            self._bounds, np.float32(params.rho), np.float32(params.min_share(N)), np.int64(params.patience),
        )  # fmt: skip
        return [array.copy_to_host().tolist() for array in (self._chosen, self._length, self._bounds)]


@pytest.mark.smoke
@pytest.mark.parametrize("params", [{"patience": 20}, {**PLAIN, "patience": 30}, {"patience": 0}])
def test_gpu_and_cpu_choose_the_same_depositor(params):
    params, random, restarts = MaxMinParams(**params), np.random.default_rng(1), 0
    card, cpu = OnGpu(params), DepositSchedule(params, N)
    for t in range(1, 100 if SIMULATED else 400):
        tours = np.array([random.permutation(N) for _ in range(ANTS)], np.int32)
        # The best so far gets rarer, and branches often say that the colony has converged.
        lengths = random.integers(1000, 1000 + max(5, 4000 // t), ANTS)
        branches = random.choice([2.0, 2.0, 3.0])
        ant = int(lengths.argmin())
        deposit = cpu.choose(t, tours[ant], int(lengths[ant]), branches * N)
        restarts += deposit.minimum == deposit.maximum
        limits = [float(deposit.minimum), float(deposit.maximum)]
        assert card.elect(t, tours, lengths, branches) == [deposit.order.tolist(), [deposit.length], limits]
    assert (restarts > 0) == (params.patience > 0)


@pytest.mark.parametrize("params", [{}, PLAIN])
def test_colonies_are_runs_with_seeds_far_apart(params):
    solver, row, params = MaxMinAntSystem(), CUDA_VARIANTS[0], {"ants": 3, "variant": "warp", **params}

    def told(seed, colonies):
        job = Job(INSTANCE, MaxMinParams(colonies=colonies, **params), seed, "cuda", Budget().start())
        colony, done, best = solver._colony(job, row)[0], 0, []
        while done < ITERATIONS:
            if (found := colony.advance(ITERATIONS)) is not None:
                done += found.best.size
                best += found.best.tolist()
        lengths, trails = found.lengths.tolist(), colony.trails()
        colony.close()
        return best, lengths, trails

    alone = [told(1, 1), told(1 + COLONY_SEED_STEP, 1)]
    best, lengths, trails = told(1, 2)
    assert best == [min(pair) for pair in zip(alone[0][0], alone[1][0], strict=True)]
    assert lengths == alone[0][1] + alone[1][1]
    assert (trails == alone[min(alone[1][0]) < min(alone[0][0])][2]).all()
