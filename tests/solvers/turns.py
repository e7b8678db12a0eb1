"""Numba's simulator of CUDA with threads that take turns: a plugin of pytest, see `simulated.run_cases`.

As it comes, the simulator makes a thread of the system for each thread of a block, asks without end whether all of them
stand at a barrier, and lets go of the interpreter only every 5 ms. Here the threads of a block are greenlets: each runs
to its next barrier or to its end, and then the next one does: by rising numbers, after the barrier by falling ones, and
so on. What needs a barrier and has none goes wrong each time alike.

Device functions are called as they are. The simulator would look through their modules at each call for the name `cuda`
and swap it; the kernels have a `cuda` of their own, which is never swapped (`device_cuda`).
"""

import importlib
import sys
import threading
from types import SimpleNamespace

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


def find_shared(memory: kernelapi.FakeCUDAShared, shape: int | tuple[int, ...], kind: type) -> np.ndarray:
    """Return a shared array of a block, known by the line that allocates it, or all that the launch allocated.

    The simulator would read the whole stack for that line.
    """
    if shape == 0:
        size = np.dtype(kind).itemsize
        return np.frombuffer(memory._dynshared.data, kind, memory._dynshared_size // size)
    caller = sys._getframe(1)
    place = caller.f_code, caller.f_lineno
    if place not in memory._allocations:
        memory._allocations[place] = np.empty(shape, kind)
    return memory._allocations[place]


#: ``int32(x)`` converts like NumPy's. Numba's own types, which ask whether x is a type too, took half of the time.
for name in ("int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"):
    setattr(numba, name, getattr(np, name))
kernel.BlockManager = TurnManager
#: Kernels are given NumPy's arrays: a wrapper of each access takes as long as the access.
kernel.FakeWithinKernelCUDAArray = lambda array: array._ary
api.FakeCUDAKernel = PlainKernel
kernelapi.threading = SimpleNamespace(current_thread=getcurrent, Lock=threading.Lock)
kernelapi.FakeCUDAShared.array = find_shared


def pytest_configure(config: pytest.Config) -> None:
    """Let Python run the kernels for cores: compiling them takes longer than a few cities."""
    for uses_intrinsics in ("held_karp.cpu", "ants.acs.kernels.lockstep_cpu"):  # which must be compiled
        importlib.import_module(f"solvers.algorithms.{uses_intrinsics}")
    numba.config.DISABLE_JIT = True
