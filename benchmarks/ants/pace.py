"""Times the launches of a colony on a CUDA device, on the device's clock. Imports Numba."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numba import cuda

from solvers.algorithms.ants.cuda import CudaColony
from solvers.gpu.graph import Graph
from solvers.kernels.device_cuda import SIMULATED


def time_colony(colony: CudaColony, iterations: int) -> np.ndarray:
    """Run iterations without reporting them; return their milliseconds on the device, (iterations,) float64."""
    colony.done += iterations + 1
    return _time_launches(colony.stream, colony.launch, iterations)


def measure_phase(colony: CudaColony, phase: int, times: int) -> np.ndarray:
    """Return the milliseconds of a phase, repeated on the same tours after a warm-up, (times,) float64.

    The phase is launched as a separate graph. Repeating the update leaves pheromone that no run would produce.
    """
    launches = [launch for own, launch in colony.launches if own == phase]

    def launch_phase() -> None:
        for launch in launches:
            launch()

    if SIMULATED:
        return _time_launches(colony.stream, launch_phase, times)
    graph = Graph(colony.stream, launch_phase)
    samples = _time_launches(colony.stream, graph.replay, times)
    graph.close()
    return samples


def _time_launches(stream, launch: Callable[[], None], times: int) -> np.ndarray:
    """Return the milliseconds of each of `times` launches after a warm-up, (times,) float64."""
    launch()
    stream.synchronize()
    events = [cuda.event() for _ in range(times + 1)]
    events[0].record(stream)
    for event in events[1:]:
        launch()
        event.record(stream)
    stream.synchronize()
    return np.array([a.elapsed_time(b) for a, b in pairwise(events)])
