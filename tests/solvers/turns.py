"""Numba's simulator of CUDA with threads that take turns: a plugin of pytest, see `simulated.run_cases`.

As it comes, the simulator makes a thread of the system for each thread of a block, asks without end whether all of them
stand at a barrier, and lets go of the interpreter only every 5 ms. Here the threads of a block are greenlets: each runs
to its next barrier or to its end, and then the next one does: by rising numbers, after the barrier by falling ones, and
so on. What needs a barrier and has none goes wrong each time alike.

Device functions are called as they are. The simulator would look through their modules at each call for the name `cuda`
and swap it; the kernels have a `cuda` of their own, which is never swapped (`device_cuda`).
"""

import importlib
import threading
from types import FrameType, SimpleNamespace

import numba
import numpy as np
import pytest
from greenlet import getcurrent, greenlet
from numba.cuda.simulator import api, kernel, kernelapi


class Turn(greenlet):
    """A thread of a block, which runs to the next barrier or to the end when it is resumed."""

    def __init__(self, work, manager, block: tuple[int, ...], place: tuple[int, ...]):
        super().__init__(work)
        self._manager = manager
        self.blockIdx, self.threadIdx = kernel.Dim3(*block), kernel.Dim3(*place)
        self.thread_id = int(np.ravel_multi_index(place, manager._block_dim, order="F"))

    def syncthreads(self) -> None:
        self.parent.switch()

    syncthreads_count = kernel.BlockThread.syncthreads_count
    syncthreads_and = kernel.BlockThread.syncthreads_and
    syncthreads_or = kernel.BlockThread.syncthreads_or


class TurnManager(kernel.BlockManager):
    """A block whose threads take turns."""

    def run(self, grid_point: tuple[int, ...], *args) -> None:
        points = np.ndindex(*self._block_dim)
        turns = [Turn(lambda: self._f(*args), self, grid_point, point) for point in points]
        while turns:
            for turn in turns:
                turn.switch()
            turns = [turn for turn in reversed(turns) if not turn.dead]


class PlainKernel(kernel.FakeCUDAKernel):
    """A kernel, or a device function without further attributes."""

    def __new__(cls, fn, device, *arguments, **named):
        return fn if device else super().__new__(cls)

    def __call__(self, *arguments):
        hosts = [k for k, argument in enumerate(arguments) if isinstance(argument, np.ndarray)]
        if hosts:
            raise TypeError(f"{self.fn.__name__} is given arrays of the host: arguments {hosts}")
        super().__call__(*arguments)


def stack_end(frame: FrameType) -> list[tuple]:
    """The end of a stack as in `traceback.extract_stack`, with file and line only.

    By these the simulator knows a shared array again. It would read the lines of the whole stack each time: half of the
    time of kernels that share many.
    """
    back = frame.f_back
    return [(back.f_code.co_filename, back.f_lineno) if back else (), ()]


kernel.BlockManager = TurnManager
#: Kernels are given NumPy's arrays: a wrapper of each access takes as long as the access.
kernel.FakeWithinKernelCUDAArray = lambda array: array._ary
api.FakeCUDAKernel = PlainKernel
kernelapi.threading = SimpleNamespace(current_thread=getcurrent, Lock=threading.Lock)
kernelapi.traceback = SimpleNamespace(extract_stack=stack_end)


def pytest_configure(config: pytest.Config) -> None:
    """In the short part, let Python run the kernels for cores: compiling them takes longer than a few cities."""
    if config.option.markexpr == "smoke":
        importlib.import_module("solvers.algorithms.held_karp.cpu")  # uses intrinsics, which must be compiled
        numba.config.DISABLE_JIT = True
