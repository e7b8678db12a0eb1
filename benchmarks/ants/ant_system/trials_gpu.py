"""Stochastic trials on a CUDA device: figures 8 and 9 of A. Uchida, Y. Ito and K. Nakano (2012), section V.A."""

from contextlib import closing
from functools import partial
from typing import Any

import numpy as np
from numba import cuda

from benchmarks.ants.colonies import Plan, create_ant_system, find_variant, take_samples
from benchmarks.ants.pace import time_colony
from data.collection.resolve import load
from solvers.algorithms.ants.ant_system.kernels import walk_block_cuda as block
from solvers.algorithms.ants.cuda import CONSTRUCTION, CudaColony
from solvers.gpu.launch import Step

#: Figure 8: maximum number of trials per selection; the number of decided cities is shown for each trial.
MAX_TRIALS = 64
#: Figure 9: the numbers of trials, and the percentages of visited cities at which ants switch to reading only the
#: unvisited ones.
TRIALS = (1, 2, 4, 8, 16, 32)
SWITCHES = (40.0, 60.0, 80.0, 85.0, 90.0, 95.0, 100.0)
_SAMPLES = 10


def measure_trials(plan: Plan, seed: int) -> list[int]:
    """Return the number of cities that the ants decide by their first, second, ... trial in an iteration."""
    with closing(create_ant_system(load(plan.studied), find_variant("block, stochastic-trial"), seed, ants=plan.ants,
                            trials=MAX_TRIALS)) as colony:  # fmt: skip
        results: Any = None
        while colony.done <= plan.iterations:
            results = colony.advance(plan.iterations + (colony.done == plan.iterations)) or results
        return results.trials[-1].tolist()


def measure_switch(plan: Plan) -> dict[tuple[float, int], list[float]]:
    """Measure the construction by the hybrid selection over the switch and the number of trials, in milliseconds."""
    with closing(create_ant_system(load(plan.studied), find_variant("block, hybrid"), ants=plan.ants)) as colony:
        time_colony(colony, max(1, plan.iterations - 1))
        return {
            (switch, trials): _time_construction(plan, colony.arrays, trials, switch)
            for trials in TRIALS
            # If switched at once, all are the same.
            for switch in ((0.0, *SWITCHES) if trials == TRIALS[0] else SWITCHES)
        }


def _time_construction(plan: Plan, arrays: Any, trials: int, switch: float) -> list[float]:
    """Return the milliseconds of construction on a colony's arrays, with other trials and another switch."""
    n, ants, tally = int(arrays.n), int(arrays.ants), cuda.to_device(np.zeros(1, np.int64))
    threads = block.threads(n)
    steps = [
        Step(
            CONSTRUCTION, block.build_block, ("hybrid", trials, switch), blocks, threads,
            (arrays.fitness, arrays.prefix, arrays.n, arrays.stride, arrays.ants, *extra, arrays.seed, arrays.counter,
             tally, arrays.tours),
            block.shared_bytes(n, threads),
        )
        for blocks, extra in block.launches(n, ants)
    ]  # fmt: skip
    with closing(CudaColony(arrays, (), steps, graph=True)) as walking:
        return take_samples(partial(time_colony, walking), _SAMPLES, plan.seconds)
