"""An ant colony on several GPUs; each has all trails and some of the ants.

Imports Numba: for use inside `solve()`.
"""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any

import numpy as np
from numba import cuda

from solvers.algorithms.ants.colony import Iterations
from solvers.algorithms.ants.cuda import BEST, UPDATE, CudaColony
from solvers.algorithms.ants.sparse_trails import SparseTrails
from solvers.core.devices import gpu_text
from solvers.core.events import Explanation
from solvers.gpu.calibration import LONG_ITERATION, MANY_LAUNCHES
from solvers.gpu.graph import Graph
from solvers.gpu.launch import on_gpu
from solvers.kernels.device_cuda import SIMULATED


class SharedColony(CudaColony):
    """A colony whose ants are divided among GPUs; see `solvers.algorithms.ants.colony.AntColony`.

    In each iteration every GPU constructs the tours of its own ants. Then every GPU receives the lengths of all tours
    and the best tour, which is enough for the update if only one tour deposits. So all GPUs update the same trails in
    the same way, and the tours are the same as on one GPU. T. Stützle, "Parallelization Strategies for Ant Colony
    Optimization" (1998), distinguishes this strategy from independent colonies, one per processor.

    Parameters
    ----------
    make : callable
        Creates the current device's colony, given the index of its GPU; it launches only the steps of its own ants.
    own : sequence of range
        The ants of each device, in order.
    devices : sequence of int
        The GPUs' numbers.

    Attributes
    ----------
    device : str
        Description of the devices.
    """

    def __init__(self, make: Callable[[int], CudaColony], own: Sequence[range], devices: Sequence[int]) -> None:
        self._own, self._devices, self._members = own, devices, list[CudaColony]()
        with ExitStack() as stack:
            for k in range(len(devices)):
                with self._on(k):
                    self._members.append(make(k))
                stack.callback(self._close_member, k)
            begin = self._members[0]
            steps: Any = self._pair_steps()
            explainer: Any = _Explainers(self, self._members)
            with self._on(0):
                super().__init__(begin.arrays, (), steps, graph=False, explainer=explainer)
                self._lengths = [cuda.pinned_array(self.ants, np.int64) for _ in range(2)]
                self._tour = cuda.pinned_array(self._n, np.int32)
            stack.pop_all()  # all colonies exist; from here on, the caller must close them
        self.stream = begin.stream
        self.device = f"{gpu_text(len(devices))}, exact distances"
        self._long = self._n * max(map(len, own)) > LONG_ITERATION or len(steps) > MANY_LAUNCHES
        self._graphs: list[tuple[Graph, Graph]] = []

    def advance(self, until: int) -> Iterations | None:
        """See `solvers.algorithms.ants.colony.AntColony.advance`."""
        with self._on(0):
            return super().advance(until)

    def launch(self) -> None:
        """Run one iteration; each GPU runs one CUDA graph before the exchange of tours and one after it."""
        if SIMULATED:
            self._launch_all()
            return
        if not self._graphs:
            self._graphs = [self._capture_graph(k) for k in range(len(self._members))]
        for k, (before, _) in enumerate(self._graphs):
            with self._on(k):
                before.replay()
        self._share_lengths()
        for k, (_, after) in enumerate(self._graphs):
            with self._on(k):
                after.replay()

    def trails(self) -> np.ndarray | SparseTrails:
        """See `solvers.algorithms.ants.colony.AntColony.trails`."""
        with self._on(0):
            return super().trails()

    def find_unfinished(self) -> np.ndarray | None:
        """See `solvers.algorithms.ants.colony.AntColony.find_unfinished`."""
        with self._on(0):
            if super().find_unfinished() is None:
                return None
        best, owner = self._find_best()
        with self._on(owner):
            return self._find_ant_tour(owner, best).copy_to_host()

    def close(self) -> None:
        """See `solvers.algorithms.ants.colony.AntColony.close`."""
        for k, graphs in enumerate(self._graphs):
            with self._on(k):
                for graph in graphs:
                    graph.close()
        self._graphs = []
        for k in range(len(self._members)):
            self._close_member(k)
        with self._on(0):
            super().close()

    def find_owner(self, ant: int) -> int:
        """Return the index of the GPU on which an ant runs."""
        return next(k for k, own in enumerate(self._own) if ant in own)

    def _on(self, k: int) -> Any:
        return on_gpu(self._devices[k])

    def _close_member(self, k: int) -> None:
        with self._on(k):
            self._members[k].close()

    def _pair_steps(self) -> list["_JointStep"]:
        """Join the corresponding steps of all GPUs, and insert the exchange before the first update step."""
        update_at = [_first_update(member) for member in self._members]
        before, after = max(update_at), len(self._members[0].launches) - update_at[0]
        phases = {at: phase for member in self._members for at, (phase, _) in enumerate(member.launches[:before])}
        joint = [_JointStep(phases[at], partial(self._launch_each, at, update_at)) for at in range(before)]
        joint.append(_JointStep(BEST, self._share_lengths))
        ends = [len(member.launches) for member in self._members]
        for at in range(after):
            phase, _ = self._members[0].launches[update_at[0] + at]
            joint.append(_JointStep(phase, partial(self._launch_each, at, ends, update_at)))
        return joint

    def _launch_each(self, at: int, ends: Sequence[int], begins: Sequence[int] | None = None) -> None:
        """Launch the `at`-th of each GPU's steps, where there is one."""
        for k, member in enumerate(self._members):
            place = at + (begins[k] if begins else 0)
            if place < ends[k]:
                with self._on(k):
                    member.launches[place][1]()

    def _capture_graph(self, k: int) -> tuple[Graph, Graph]:
        member = self._members[k]
        update_at = _first_update(member)

        def launch(part: slice) -> None:
            for _, each in member.launches[part]:
                each()

        with self._on(k):
            stream = member.stream
            return Graph(stream, lambda: launch(slice(update_at))), Graph(
                stream, lambda: launch(slice(update_at, None))
            )

    def _find_best(self) -> tuple[int, int]:
        """Return the best ant on all GPUs and the index of its GPU; ties go to the lowest ant.

        Two buffers of lengths alternate, because devices may still be reading the previous iteration's lengths.
        """
        self._lengths.reverse()
        lengths = self._lengths[0]
        for k, (member, own) in enumerate(zip(self._members, self._own, strict=True)):
            with self._on(k):
                member.arrays.lengths[own.start : own.stop].copy_to_host(lengths[own.start : own.stop], member.stream)
        for k, member in enumerate(self._members):
            with self._on(k):
                member.stream.synchronize()
        best = int(lengths.argmin())
        return best, self.find_owner(best)

    def _find_ant_tour(self, k: int, ant: int) -> Any:
        return self._members[k].arrays.tours[ant * self._n : (ant + 1) * self._n]

    def _share_lengths(self) -> None:
        """Copy all tour lengths and the best tour to each GPU."""
        best, owner = self._find_best()
        with self._on(owner):
            self._find_ant_tour(owner, best).copy_to_host(self._tour, self._members[owner].stream)
            self._members[owner].stream.synchronize()
        for k, member in enumerate(self._members):
            with self._on(k):
                member.arrays.lengths.copy_to_device(self._lengths[0], member.stream)
                if k != owner:
                    self._find_ant_tour(k, best).copy_to_device(self._tour, member.stream)

    def _run_iterations(self, k: int, seconds: float, phases: np.ndarray) -> Iterations:
        results = super()._run_iterations(k, seconds, phases)
        if self._shortens:
            results.built[:] = self._mean_built(k)
        return results

    def _mean_built(self, k: int) -> np.ndarray:
        """Return the last `k` iterations' mean lengths before local search, over the ants of all GPUs."""
        means = []
        for at, member in enumerate(self._members):
            with self._on(at):
                member.stream.synchronize()
                ring = member.arrays.ring_built.copy_to_host()
                means.append(ring[(self.done - k + np.arange(k)) % ring.size])
        return np.average(means, axis=0, weights=[len(own) for own in self._own])


class _JointStep:
    """A step that runs on several GPUs; see `solvers.gpu.launch.Step`."""

    def __init__(self, phase: int, launch: Callable[[], None]) -> None:
        self.phase, self._launch = phase, launch

    def on(self, _stream: Any) -> Callable[[], None]:
        """Return a function that launches the step on each GPU's own stream."""
        return self._launch


class _Explainers:
    """The explainers of all GPUs: only at the end of an iteration is it known which GPU had the best ant."""

    def __init__(self, colony: SharedColony, members: Sequence[CudaColony]) -> None:
        self._colony, self._members, self._owner = colony, members, 0

    def begin(self) -> None:
        """Store the weights; called before the walks."""
        for k, member in enumerate(self._members):
            with self._colony._on(k):
                member._explainer.begin()

    def store_tours(self) -> None:
        """Store the tours; called once all tours are built."""
        for k, member in enumerate(self._members):
            with self._colony._on(k):
                member.stream.synchronize()
                member._explainer.store_tours()

    def store_trails(self, iteration: int) -> None:
        """Store the trails; called between the exchange and the update."""
        with self._colony._on(0):
            self._members[0].stream.synchronize()
            self._owner = self._colony.find_owner(int(self._members[0].arrays.lengths.copy_to_host().argmin()))
        with self._colony._on(self._owner):
            self._members[self._owner].stream.synchronize()
            self._members[self._owner]._explainer.store_trails(iteration)

    def explain_update(self) -> tuple[Explanation, ...]:
        """After the update, return the explanations."""
        with self._colony._on(self._owner):
            self._members[self._owner].stream.synchronize()
            return self._members[self._owner]._explainer.explain_update()


def _first_update(colony: CudaColony) -> int:
    """Return the index of the update's first launch."""
    return next(at for at, (phase, _) in enumerate(colony.launches) if phase == UPDATE)
