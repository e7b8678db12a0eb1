"""Held-Karp's layers on one CUDA device, or split over several. Each has a part of both tables.

Imports Numba: for use inside `solve()`, with a GPU or Numba's CUDA simulator.
"""

from collections.abc import Generator, Sequence
from itertools import accumulate

import numpy as np
from numba.cuda.cudadrv.driver import CudaAPIError

from solvers.errors import InstanceTooLarge
from solvers.gpu.calibration import LAUNCH_SUMS, SHARED_LAUNCH_SUMS
from solvers.held_karp.layers import Ends, LayerProgress
from solvers.held_karp.part_cuda import CudaPart, addresses, bounds, reach
from solvers.held_karp.plan import Plan, size_in_words


class CudaLayers:
    """See `solvers.held_karp.layers.LayerTable`.

    Of each layer's sets, in their order, every GPU stores as many. A set's rows are extended by the GPU that has them,
    which writes each of the new rows where its set is stored; of two neighbouring sets, most extensions are neighbours
    too, so that most rows stay on their GPU. After each layer the GPUs wait for each other.

    Parameters
    ----------
    plan : Plan
    distances : ndarray, shape (n, n), int32
        Symmetric, not negative.
    devices : sequence of int
        The GPUs; one may have several parts.

    Raises
    ------
    DeviceUnavailable
        If a block does not fit a device, or a GPU cannot reach the memory of another.
    InstanceTooLarge
        If the tables do not fit into the GPUs' memory.
    """

    def __init__(self, plan: Plan, distances: np.ndarray, devices: Sequence[int] = (0,)) -> None:
        self._plan = plan
        reach(devices)
        self._parts = [CudaPart(plan, distances, k, len(devices), device) for k, device in enumerate(devices)]
        multiprocessors = self._parts[0].limits.multiprocessors
        #: Maximum sums of a launch, and of one that computes several layers.
        self.piece, self.few = LAUNCH_SUMS * multiprocessors * len(devices), SHARED_LAUNCH_SUMS * multiprocessors
        if not self._try_upload():
            self._free()
            needed = size_in_words(plan.most_bytes)
            raise InstanceTooLarge(
                f"{plan.n} cities need {needed} of the GPU's memory, which something else has taken."
            )
        self._work = self._all()

    def advance(self) -> LayerProgress:
        """See `solvers.held_karp.layers.LayerTable.advance`."""
        return next(self._work)

    def close(self) -> None:
        """See `solvers.held_karp.layers.LayerTable.close`."""
        self._work.close()
        self._free()

    def _free(self) -> None:
        for part in self._parts:
            part.free()

    def _try_upload(self) -> bool:
        """Upload, and return whether there was enough memory.

        A `CudaAPIError` is not passed on: while it is handled, it references what was already allocated.
        """
        try:
            for part in self._parts:
                part.allocate()
            places = addresses(self._parts)
            for part in self._parts:
                part.upload(places)
        except CudaAPIError:
            return False
        return True

    def _all(self) -> Generator[LayerProgress, None, None]:
        """Compute several layers per launch while they are small, then one layer in several launches.

        Several GPUs have no barrier among their blocks: they compute one layer per launch.
        """
        plan, layer = self._plan, 0
        while layer < plan.layers:
            sums = accumulate(map(plan.transitions, range(layer, plan.layers)))
            together = max(1, sum(done <= self.few for done in sums)) if len(self._parts) == 1 else 1
            if together == 1:
                yield from self._pieces(layer)
            else:
                self._parts[0].launch(layer, layer + together - 1, 0, 0)
            yield from self._progress(layer, layer + together)
            layer += together

    def _pieces(self, layer: int) -> Generator[LayerProgress, None, None]:
        """Compute one layer, in launches of about `piece` sums."""
        shares = bounds(self._plan.visited(layer), len(self._parts))
        pieces = max(1, -(-self._plan.transitions(layer) // self.piece))
        for piece in range(pieces):
            for k, part in enumerate(self._parts):
                first, sets = shares[k], shares[k + 1] - shares[k]
                part.launch(layer, layer, first + sets * piece // pieces, first + sets * (piece + 1) // pieces)
            for part in self._parts:
                part.synchronize()
            if piece + 1 < pieces:
                yield LayerProgress(layer, (piece + 1) / pieces, None)

    def _progress(self, first: int, last: int) -> Generator[LayerProgress, None, None]:
        """Report finished layers, and the best path or tour of each."""
        found = np.concatenate([part.bests() for part in self._parts], axis=1)
        for layer in range(first, last):
            lengths, ends = found[layer].T
            least = lengths.min()
            which = int(ends[lengths == least].min())
            yield LayerProgress(layer, 1.0, Ends(int(least), which >> 32, which >> 8 & 0xFFFFFF, which & 0xFF))
