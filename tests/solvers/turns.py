"""Numba's simulator of CUDA with threads that take turns: a plugin of pytest, see `simulated.run_cases`.

As it comes, the simulator asks without end whether all threads stand at a barrier, and lets go of the interpreter only
every 5 ms. Here each thread of a block runs to its next barrier or to its end, and then the next one does: by rising
numbers, after the barrier by falling ones, and so on. What needs a barrier and has none goes wrong each time alike.

Device functions are called as they are. The simulator would look through their modules at each call for the name `cuda`
and swap it; the kernels have a `cuda` of their own, which is never swapped (`device_cuda`).
"""

from threading import Semaphore

import numpy as np
from numba.cuda.simulator import api, kernel


class TurnThread(kernel.BlockThread):
    """A thread of a block, which runs when it is told to."""

    def __init__(self, *given):
        super().__init__(*given)
        self._go, self._stands = Semaphore(0), Semaphore(0)
        self.over = False

    def turn(self) -> None:
        """Run to the next barrier or to the end."""
        self._go.release()
        self._stands.acquire()

    def run(self) -> None:
        self._go.acquire()
        super().run()
        self.over = True
        self._stands.release()

    def syncthreads(self) -> None:
        self._stands.release()
        self._go.acquire()
        if self.abort:
            raise RuntimeError("another thread of the block has failed")


class TurnManager(kernel.BlockManager):
    """A block whose threads take turns."""

    def run(self, grid_point: tuple[int, ...], *args) -> None:
        points = np.ndindex(*self._block_dim)
        threads = [TurnThread(lambda: self._f(*args), self, grid_point, point, self._debug) for point in points]
        for thread in threads:
            thread.start()
        while threads:
            for thread in threads:
                thread.turn()
            failed = next((thread for thread in threads if thread.exception), None)
            if failed:
                self._end(threads, failed)
            threads = [thread for thread in reversed(threads) if not thread.over]

    def _end(self, threads: list[TurnThread], failed: TurnThread) -> None:
        for thread in threads:
            thread.abort = True
            while not thread.over:
                thread.turn()
        error, trace = failed.exception
        raise error.with_traceback(trace)


class PlainKernel(kernel.FakeCUDAKernel):
    """A kernel, or a device function that is no more than a function."""

    def __new__(cls, fn, device, *given, **named):
        return fn if device else super().__new__(cls)


kernel.BlockManager = TurnManager
api.FakeCUDAKernel = PlainKernel
