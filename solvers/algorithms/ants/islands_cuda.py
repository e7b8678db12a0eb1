"""Ant colonies on several GPUs that exchange their best tours.

Imports Numba: for use inside `solve()`.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from typing import Any

import numpy as np

from solvers.algorithms.ants.colony import Iterations
from solvers.algorithms.ants.explanations import Explained, explain_none
from solvers.algorithms.ants.multi_colony import MultiColony
from solvers.algorithms.ants.sparse_trails import SparseTrails
from solvers.core.devices import gpu_text
from solvers.gpu.launch import on_gpu
from solvers.kernels.device_cuda import SIMULATED

#: Number of iterations between two exchanges.
EXCHANGE = 25
#: Maximum time in seconds that a call to `advance` waits for the colonies to finish a round.
_WAIT_SECONDS = 0.03


class Islands(MultiColony):
    """Colonies on several GPUs, one or more on each; see `solvers.algorithms.ants.colony.AntColony`.

    Each colony works independently, in its own thread, until all have done another `EXCHANGE` iterations. If a colony
    has then found a new best tour of all, the other colonies receive that tour, as if one of their own ants had just
    built it. So the tours depend on the number of GPUs, but not on which GPU is faster. M. Manfrin, M. Birattari,
    T. Stützle and M. Dorigo, "Parallel Ant Colony Optimization for the Traveling Salesman Problem" (ANTS 2006), compare
    whether to exchange tours, which ones and how often.

    Parameters
    ----------
    make : callable
        Creates the colony with a given index on the current device. The colony must have a method `receive`, see
        `solvers.algorithms.ants.cuda.CudaColony`.
    devices : sequence of int
        The GPUs' numbers.

    Attributes
    ----------
    device : str
        Description of the devices.
    """

    at_once = True

    def __init__(self, make: Callable[[int], Any], devices: Sequence[int]) -> None:
        self._devices = devices
        # While a thread captures a graph on a GPU, that GPU refuses copies by other threads; and the simulator runs
        # one kernel at a time.
        self._in_turn = SIMULATED or len(set(devices)) < len(devices)
        colonies: list[Any] = []
        self._pool = ThreadPoolExecutor(len(devices))
        with ExitStack() as stack:
            stack.callback(self._pool.shutdown)
            for k in range(len(devices)):
                with self._on_device(k):
                    colonies.append(make(k))
                stack.callback(self._close, k, colonies[-1])
            super().__init__(colonies)
            self._islands = colonies
            stack.pop_all()  # all colonies exist; from here on, the caller must close them
        self.device = f"{gpu_text(len(devices))}, exact distances"
        self._running: list[Future[None]] = []
        self._halted = False
        self._explained: Explained = explain_none
        self._news: np.ndarray | None = None

    def explain(self, which: Explained) -> None:
        """See `solvers.algorithms.ants.colony.AntColony.explain`."""
        self._explained = which
        super().explain(which)

    def trails(self) -> np.ndarray | SparseTrails:
        """See `solvers.algorithms.ants.multi_colony.MultiColony.trails`."""
        with self._on_device(self._leader):
            return super().trails()

    def find_unfinished(self) -> np.ndarray | None:
        """See `solvers.algorithms.ants.colony.AntColony.find_unfinished`."""
        self._halt()
        with self._on_device(0):
            return super().find_unfinished()

    def close(self) -> None:
        """See `solvers.algorithms.ants.colony.AntColony.close`."""
        self._halt()
        self._pool.shutdown()
        for k, colony in enumerate(self._colonies):
            self._close(k, colony)

    def _on_device(self, k: int) -> Any:
        return on_gpu(self._devices[k])

    def _close(self, k: int, colony: Any) -> None:
        with self._on_device(k):
            colony.close()

    def _next_goal(self, until: int) -> int:
        """Return where the next round ends: at the next exchange at the latest; an explained iteration is one round."""
        goal = min(super()._next_goal(until), (self._done // EXCHANGE + 1) * EXCHANGE)
        explained = (each for each in range(self._done + 1, goal + 1) if self._explained(each))
        return max(min(goal, next(explained, goal + 1) - 1), self._done + 1)

    def _work(self) -> None:
        if self._in_turn or self._explained(self._goal):  # explanations pause the run's clock
            for k in range(len(self._colonies)):
                self._advance_to_goal(k)
            return
        if not self._running:
            self._running = [self._pool.submit(self._advance_to_goal, k) for k in range(len(self._colonies))]
        if not wait(self._running, timeout=_WAIT_SECONDS).not_done:
            self._halt()

    def _advance_to_goal(self, k: int) -> None:
        """Advance a colony to the end of the round, in its own thread."""
        with self._on_device(k):
            while self._iterations_behind(k) and not self._halted:
                results = self._colonies[k].advance(self._goal)
                if results is not None:
                    self._parts[k].append(results)

    def _halt(self) -> None:
        """Stop all threads after their current step, and wait for them to end."""
        self._halted = True
        running, self._running = self._running, []
        wait(running)
        self._halted = False
        for each in running:
            each.result()

    def _merge(self) -> Iterations:
        before = self._best
        results = super()._merge()
        if self._best < before:
            self._news = results.order[results.best.argmin()]
        if self._done % EXCHANGE == 0 and self._news is not None:
            for k, colony in enumerate(self._islands):
                if k != self._leader:
                    with self._on_device(k):
                        colony.receive(self._news, int(self._best))
            self._news = None
        return results
