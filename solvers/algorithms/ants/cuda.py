"""An ant colony on a GPU: it launches kernels, and returns the results of iterations in batches.

Imports Numba: for use inside `solve()`.
"""

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

import numpy as np
from numba import cuda

from solvers.algorithms.ants.arrays_cuda import RING, ColonyBuffers
from solvers.algorithms.ants.colony import Iterations
from solvers.algorithms.ants.explained_cuda import Explainer
from solvers.algorithms.ants.explanations import Explained, explain_none
from solvers.algorithms.ants.sparse_trails import SparseTrails
from solvers.core.devices import cuda_devices
from solvers.core.events import Explanation
from solvers.gpu.calibration import LAUNCH_SECONDS as _SECONDS
from solvers.gpu.calibration import LONG_ITERATION as _LONG
from solvers.gpu.calibration import MANY_LAUNCHES
from solvers.gpu.graph import Graph
from solvers.gpu.launch import PhaseTimer, Step
from solvers.gpu.limits import free_unused_memory
from solvers.kernels.device_cuda import SIMULATED

#: Phases of an iteration, as in `solvers.core.events.Phases`.
PHASES = ("choice", "construction", "update", "best")
CHOICE, CONSTRUCTION, UPDATE, BEST = range(4)
#: The phase for local search, which `solvers.core.events.Phases` lacks.
SHORTENING = 4
_PARTS = 5


class CudaColony:
    """A colony on one GPU; see `solvers.algorithms.ants.colony.AntColony`.

    Parameters
    ----------
    arrays : ColonyBuffers
    first : sequence of Step
        Launches before the first iteration.
    steps : sequence of Step
        The launches of an iteration.
    graph : bool
        Whether an iteration is launched as one CUDA graph.
    explainer : Explainer or None
        None if no iteration is to be explained.
    migrant : MigrantTour or None
        Receives a tour from another colony; None if trails do not depend on a best tour.
    one_by_one : bool
        Whether the host launches the steps one by one, because one of them returns whether it must be repeated.

    Attributes
    ----------
    ants : int
    done : int
        Number of finished iterations.
    device : str
        Description of the device.
    stream : stream
    launches : list of tuple
        The phase of each of an iteration's launches, and the function that launches it.
    """

    def __init__(
        self, arrays: ColonyBuffers, first: Sequence[Step], steps: Sequence[Step], graph: bool,
        explainer: Explainer | None = None, migrant: "MigrantTour | None" = None, one_by_one: bool = False,
    ) -> None:  # fmt: skip
        self.device = f"{cuda_devices()[0].name}, exact distances"
        self.arrays: Any = arrays
        self.ants, self._n, self.done = int(arrays.ants), int(arrays.n), 0
        self.stream: Any = cuda.stream()
        self.launches = [(step.phase, step.on(self.stream)) for step in steps]
        for step in first:
            step.on(self.stream)()
        self.stream.synchronize()
        self._graph: Graph | None = None
        self._wants_graph, self._pace = graph and not SIMULATED, 0.0
        self._long = self._n * self.ants > _LONG or len(steps) > MANY_LAUNCHES or one_by_one
        self._at, self._spent = 0, np.zeros(_PARTS)
        self._batch: tuple[int, PhaseTimer, float] | None = None
        self._measured = -np.inf
        self._explained: Explained = explain_none
        self._explainer: Any = explainer
        self._migrant = migrant
        self._explanations: tuple[Explanation, ...] = ()
        self._parts = _phase_bounds([step.phase for step in steps])
        self._shortens = any(step.phase == SHORTENING for step in steps)

    def advance(self, until: int) -> Iterations | None:
        """Run iterations for about 50 ms, or part of a longer iteration.

        See `solvers.algorithms.ants.colony.AntColony`.

        The next iterations, up to `until`, are launched before the results are returned, so that the device works while
        the host reports them.
        """
        if self._batch is None:
            if self._long or self._explained(self.done + 1):
                return self._run_piece()
            self._batch = self._launch_batch(until)
        (k, timer, start_time), self._batch = self._batch, None
        self.stream.synchronize()
        *phases, rest = timer.milliseconds()
        seconds = perf_counter() - start_time if SIMULATED else 1e-3 * (sum(phases) + rest)
        self._pace = seconds / k
        self.done += k
        measured = np.full((k, _PARTS), np.nan)
        measured[0] = phases if any(phases) else np.nan
        results = self._run_iterations(k, seconds, measured)
        if not SIMULATED and self.done < until and not self._explained(self.done + 1):
            self._batch = self._launch_batch(until)
        return results

    def _launch_batch(self, until: int) -> tuple[int, PhaseTimer, float]:
        """Enqueue iterations; return their number, their timer and the start time.

        The first of these iterations is measured kernel by kernel, unless a recent one was.
        """
        k = min(until - self.done, RING, max(1, int(_SECONDS / self._pace)) if self._pace else 1)
        k = next((j for j in range(1, k) if self._explained(self.done + 1 + j)), k)
        start_time, timer = perf_counter(), PhaseTimer(self.stream, _PARTS + 1)
        measures = start_time - self._measured > _SECONDS
        if measures:
            self._measured = start_time
            self._launch_measured(timer)
        timer.mark(_PARTS)
        for _ in range(k - measures):
            self.launch()
        timer.mark(-1)
        return k, timer, start_time

    def _run_piece(self) -> Iterations | None:
        """Run the next launches of an iteration for 50 ms, or until it ends."""
        start_time = perf_counter()
        explained = self._explained(self.done + 1)
        while self._at < len(self.launches):
            if explained:
                self._explain()
            phase, launch = self.launches[self._at]
            before = perf_counter()
            again = launch()
            self.stream.synchronize()
            self._spent[phase] += perf_counter() - before
            self._at += not again
            if perf_counter() - start_time > _SECONDS and self._at < len(self.launches):
                return None
        spent, self._spent, self._at = self._spent, np.zeros(_PARTS), 0
        self.done += 1
        return self._run_iterations(1, float(spent.sum()), 1e3 * spent[None])

    def _explain(self) -> None:
        """Prepare to explain the next iteration, if requested."""
        begin, built, before, after = self._parts
        if self._at == begin:
            self._explainer.begin()
        elif self._at == built:
            self._explainer.store_tours()
        elif self._at == before:
            self._explainer.store_trails(self.done)
        elif self._at == after:
            self._explanations = self._explainer.explain_update()

    def receive(self, order: np.ndarray, length: int) -> None:
        """Between iterations, take a tour from another colony as if one of this colony's ants had built it.

        Parameters
        ----------
        order : ndarray, shape (n,), int32
        length : int
        """
        if self._migrant is not None:
            self._migrant.take(order, length, self.stream)

    def launch(self) -> None:
        """Enqueue one iteration on the stream, as a CUDA graph if possible, otherwise kernel by kernel."""
        if not self._wants_graph:
            self._launch_all()
            return
        if self._graph is None:
            self._graph = Graph(self.stream, self._launch_all)
        self._graph.replay()

    def _launch_all(self) -> None:
        for _, launch in self.launches:
            launch()

    def _launch_measured(self, timer: PhaseTimer) -> None:
        """Enqueue one iteration kernel by kernel, with a timestamp before each phase."""
        last = None
        for phase, launch in self.launches:
            if phase != last:
                timer.mark(phase)
            last = phase
            launch()

    def _run_iterations(self, k: int, seconds: float, phases: np.ndarray) -> Iterations:
        arrays, ring = self.arrays, (self.done - k + np.arange(k)) % RING
        explanations, self._explanations = self._explanations, ()
        lengths = arrays.ring_lengths.copy_to_host()[ring]
        trails = arrays.ring_trails.copy_to_host()[ring]
        built = arrays.ring_built.copy_to_host()[ring] if self._shortens else np.full(k, np.nan)
        return Iterations(
            best=lengths[:, 0].copy(), worst=lengths[:, 1].copy(), mean=lengths[:, 2] / self.ants,
            entropy=trails[:, 0].copy(), branching=trails[:, 1].copy(),
            order=arrays.ring_tours.copy_to_host()[ring], seconds=np.full(k, seconds / k),
            trials=arrays.ring_trials.copy_to_host()[ring], phases=phases[:, : len(PHASES)], built=built,
            shortening=phases[:, SHORTENING] if self._shortens else built, lengths=arrays.lengths.copy_to_host(),
            explanations=explanations,
        )  # fmt: skip

    def explain(self, which: Explained) -> None:
        """See `solvers.algorithms.ants.colony.AntColony.explain`."""
        self._explained = which

    def trails(self) -> np.ndarray | SparseTrails:
        """See `solvers.algorithms.ants.colony.AntColony.trails`."""
        return self.arrays.trails()

    def find_unfinished(self) -> np.ndarray | None:
        """See `solvers.algorithms.ants.colony.AntColony.find_unfinished`; None until all tours are built."""
        built = 1 + max(k for k, (phase, _) in enumerate(self.launches) if phase == CONSTRUCTION)
        if self._at < built:
            return None
        self.launches[built][1]()  # compute the lengths
        self.stream.synchronize()
        ant = int(self.arrays.lengths.copy_to_host().argmin())
        return self.arrays.tours[ant * self._n : (ant + 1) * self._n].copy_to_host()

    def close(self) -> None:
        """Free the GPU's memory."""
        if self._batch is not None:
            self.stream.synchronize()
        if self._graph is not None:
            self._graph.close()
        self.launches = []
        self.arrays = self._explainer = self._migrant = self._graph = self.stream = None
        free_unused_memory()


class MigrantTour:
    """Adds another colony's tour by a trail update without evaporation.

    Parameters
    ----------
    n : int
    steps_for : callable
        Builds the steps, given arrays of tours, int32 (colonies * n,), and of their lengths, int64 (colonies,).
    colonies : int
        Number of colonies that receive the tour at once.
    """

    def __init__(self, n: int, steps_for: Callable[[Any, Any], Sequence[Step]], colonies: int = 1) -> None:
        self._n, self._steps_for, self._colonies = n, steps_for, colonies
        self._tours: Any = None
        self._lengths: Any = None
        self._launches: list[Callable[[], None]] = []

    def take(self, order: np.ndarray, length: int, stream: Any) -> None:
        """Copy a tour to the GPU and run the update's steps, which the first call builds."""
        if self._tours is None:
            self._tours = cuda.device_array(self._colonies * self._n, np.int32)
            self._lengths = cuda.device_array(self._colonies, np.int64)
            self._launches = [step.on(stream) for step in self._steps_for(self._tours, self._lengths)]
        self._tours.copy_to_device(np.tile(order.astype(np.int32), self._colonies))
        self._lengths.copy_to_device(np.full(self._colonies, length, np.int64))
        for launch in self._launches:
            launch()
        stream.synchronize()


def _phase_bounds(phases: Sequence[int]) -> tuple[int, int, int, int]:
    """Return the indices of the launches at which walks, local search, updates and the rest begin.

    If only the construction is measured, there are no launches for updates.
    """
    built = 1 + max(k for k, phase in enumerate(phases) if phase == CONSTRUCTION)
    updates = [k for k, phase in enumerate(phases) if phase == UPDATE]
    begin, end = (updates[0], updates[-1] + 1) if updates else (built, built)
    return phases.index(CONSTRUCTION), built, begin, end
