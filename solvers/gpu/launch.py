"""Kernel launches as objects: compiled or loaded once, then launched repeatedly, alone or in a graph.

Imports Numba: for use inside `solve()`, with a GPU or Numba's simulator.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numba import cuda

from solvers.core.errors import DeviceUnavailable
from solvers.gpu.kernel_cache import cache_kernel
from solvers.gpu.limits import Limits, compile_kernel
from solvers.kernels.device_cuda import SIMULATED


def on_gpu(device: int) -> Any:
    """Return a context in which a GPU is current; in the simulator, its only GPU."""
    return cuda.gpus[0 if SIMULATED else device]


class Step:
    """A kernel with its grid and arguments, ready to be launched.

    Parameters
    ----------
    phase : int
        The phase of the work to which the step belongs, for measurements.
    factory : callable
        Builds the kernel.
    options : tuple of str, int, float and bool
        The factory's arguments. Together with the factory's name, these are the key of the compiled kernel on disk.
    grid, block : int or tuple of int
    arguments : sequence
        Device arrays and NumPy scalars.
    shared : int
        Dynamic shared memory per block in bytes.

    Raises
    ------
    DeviceUnavailable
        If a block needs more registers than the device has.
    """

    def __init__(
        self, phase: int, factory: Callable[..., Any], options: tuple, grid: Any, block: Any, arguments: Sequence[Any],
        shared: int = 0,
    ) -> None:  # fmt: skip
        self.phase, self.name = phase, factory.__name__
        self._arguments = tuple(arguments)
        self._kernel, self._shape = factory(*options), (grid, block, shared)
        cache_kernel(self._kernel, (f"{factory.__module__}:{factory.__name__}", *options))
        if not SIMULATED:
            self._compile()

    def _compile(self) -> None:
        _, block, shared = self._shape
        registers = compile_kernel(self._kernel, tuple(self._kernel.typeof_pyval(a) for a in self._arguments), shared)
        threads = int(np.prod(block))
        if registers * threads > Limits.from_device().registers:
            raise DeviceUnavailable(f"{self.name} needs more registers than a block has on this device.")

    def on(self, stream: Any) -> Callable[[], None]:
        """Return a function that launches the step on a stream without waiting."""
        grid, block, shared = self._shape
        bound, arguments = self._kernel[grid, block, stream, shared], self._arguments
        return lambda: bound(*arguments)


class PhaseTimer:
    """Measures each phase of a list of steps, by CUDA events between the phases."""

    def __init__(self, stream: Any, phases: int) -> None:
        self._stream, self._phases = stream, phases
        self._marks: list[tuple[int, Any]] = []

    def mark(self, phase: int) -> None:
        """Mark the start of a phase; -1 marks the end of the last phase."""
        if not SIMULATED:
            event = cuda.event()
            event.record(self._stream)
            self._marks.append((phase, event))

    def milliseconds(self) -> np.ndarray:
        """After the last mark, return each phase's milliseconds, (phases,) float64; NaN in the simulator."""
        spent = np.zeros(self._phases)
        if SIMULATED:
            return spent * np.nan
        self._marks[-1][1].synchronize()
        for (phase, start_time), (_, ended) in pairwise(self._marks):
            spent[phase] += cuda.event_elapsed_time(start_time, ended)
        return spent
