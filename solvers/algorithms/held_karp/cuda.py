"""Held-Karp's layers on one GPU, or split across several GPUs.

Imports Numba: for use inside `solve()`, with a GPU or Numba's CUDA simulator.
"""

from collections import deque
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from itertools import accumulate, permutations

import numpy as np
from numba.cuda.cudadrv.driver import CudaAPIError

from solvers.algorithms.held_karp.division import Division
from solvers.algorithms.held_karp.layers import Ends, LayerProgress
from solvers.algorithms.held_karp.part_cuda import MARKS, CudaPart, enable_peer_access, list_addresses
from solvers.algorithms.held_karp.plan import Plan, format_bytes
from solvers.core.errors import InstanceTooLarge
from solvers.gpu.calibration import LAUNCH_SUMS, SHARED_LAUNCH_SUMS

#: With several GPUs, the work of a launch that computes several layers is divided by this: the first GPU does it alone.
_SOLO_DIVISOR = 8


@dataclass(frozen=True, slots=True)
class _Step:
    """Launches for layers `first` to `last` - 1 that are waited for together; then `share` of their work is done."""

    first: int
    last: int
    share: float
    mark: int


class CudaLayers:
    """Held-Karp's layers on GPUs; see `solvers.algorithms.held_karp.layers.LayerTable`.

    Each GPU stores some of each layer's sets (`solvers.algorithms.held_karp.division`). The GPU that stores a set's
    rows extends them, and writes each new row to the GPU that stores the new row's set. After each layer the GPUs wait
    for each other. The host never waits for the newest launches, so that there is always work ahead.

    Parameters
    ----------
    plan : Plan
    distances : ndarray, shape (n, n), int32
        Symmetric distances, not negative.
    devices : sequence of int
        The GPUs' numbers; a GPU may occur several times.

    Raises
    ------
    DeviceUnavailable
        If a block does not fit onto a device, or a GPU cannot reach another's memory.
    InstanceTooLarge
        If the tables do not fit into the GPUs' memory.
    """

    def __init__(self, plan: Plan, distances: np.ndarray, devices: Sequence[int] = (0,)) -> None:
        self._plan, self._division = plan, Division(plan, len(devices))
        enable_peer_access(devices)
        self._parts = [CudaPart(self._division, distances, k, device) for k, device in enumerate(devices)]
        multiprocessors = self._parts[0].limits.multiprocessors
        #: Maximum number of sums in a launch of one layer, and in a launch of several layers.
        self.piece, self.few = LAUNCH_SUMS * multiprocessors * len(devices), SHARED_LAUNCH_SUMS * multiprocessors
        if len(devices) > 1:
            self.few //= _SOLO_DIVISOR
        if not self._try_upload():
            self._free()
            needed = format_bytes(plan.peak_bytes)
            raise InstanceTooLarge(
                f"{plan.n} cities need {needed} of the GPU's memory, which something else has taken."
            )
        self._work = self._compute_all()

    def advance(self) -> LayerProgress:
        """See `solvers.algorithms.held_karp.layers.LayerTable.advance`."""
        return next(self._work)

    def close(self) -> None:
        """See `solvers.algorithms.held_karp.layers.LayerTable.close`."""
        self._work.close()
        self._free()

    def _free(self) -> None:
        for part in self._parts:  # wait for all parts first, because each may still be writing to another's memory
            part.finish()
        for part in self._parts:
            part.free()

    def _try_upload(self) -> bool:
        """Upload all data; return whether there was enough memory.

        A `CudaAPIError` is not passed on: while it is handled, it keeps alive the arrays allocated so far.
        """
        try:
            for part in self._parts:
                part.allocate()
            offsets = list_addresses(self._parts)
            for part in self._parts:
                part.upload(offsets)
        except CudaAPIError:
            return False
        return True

    def _compute_all(self) -> Generator[LayerProgress, None, None]:
        """Launch work ahead, and report what has finished."""
        waiting: deque[_Step] = deque()
        for step in self._launch_layers():
            waiting.append(step)
            if len(waiting) == MARKS:
                yield from self._report_progress(waiting.popleft())
        while waiting:
            yield from self._report_progress(waiting.popleft())

    def _launch_layers(self) -> Generator[_Step, None, None]:
        """Launch several layers at a time while they are small, and later each layer in several launches.

        Blocks on different GPUs have no common barrier, so the first GPU computes the small layers alone.
        """
        plan, layer, mark = self._plan, 0, 0
        while layer < plan.layers:
            sums = accumulate(map(plan.transitions, range(layer, plan.layers)))
            together = max(1, sum(done <= self.few for done in sums))
            if together > 1:
                self._parts[0].launch(layer, layer + together - 1, 0, 0)
                yield self._mark_end(_Step(layer, layer + together, 1.0, mark))
                mark = (mark + 1) % MARKS
            else:
                pieces = max(1, -(-plan.transitions(layer) // self.piece))
                cut = [self._division.pieces(layer, k, pieces) for k in range(len(self._parts))]
                for piece in range(pieces):
                    for part, own in zip(self._parts, cut, strict=True):
                        for first, last in own[piece]:
                            part.launch(layer, layer, first, last)
                    yield self._mark_end(_Step(layer, layer + 1, (piece + 1) / pieces, mark))
                    mark = (mark + 1) % MARKS
            layer += together

    def _mark_end(self, step: _Step) -> _Step:
        """Mark the end of a step on all GPUs; at the end of a layer, make each GPU wait for the others."""
        for part in self._parts:
            if step.share == 1.0:
                part.read(step.first, step.last)
            part.mark(step.mark)
        if step.share == 1.0:
            for part, other in permutations(self._parts, 2):
                part.follow(other, step.mark)
        return step

    def _report_progress(self, step: _Step) -> Generator[LayerProgress, None, None]:
        """Wait for a step, and report it, with the best path or tour of each layer that it finished."""
        for part in self._parts:
            part.wait(step.mark)
        if step.share < 1.0:
            yield LayerProgress(step.first, step.share, None)
            return
        for layer in range(step.first, step.last):
            lengths, ends = np.concatenate([part.bests(layer) for part in self._parts]).T
            minimum = lengths.min()
            path = int(ends[lengths == minimum].min())
            yield LayerProgress(layer, 1.0, Ends(int(minimum), path >> 32, path >> 8 & 0xFFFFFF, path & 0xFF))
