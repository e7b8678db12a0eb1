"""The record of an ascent to a bound: a few dozen 1-trees with their node prices, each of which proves a bound."""

from itertools import pairwise
from time import process_time
from typing import TYPE_CHECKING

import numpy as np

from data.instance import Instance
from solvers.worker.frames import decode, encode

if TYPE_CHECKING:  # it imports Numba
    from solvers.bounds.lower_bound import LowerBound

#: Maximum number of steps of a record; beyond that, every second step is dropped.
MAX_STEPS = 40
#: Maximum size of a record's arrays in bytes: instances with more cities get fewer steps.
MAX_BYTES = 4 << 20
#: Bytes per city in a step: an edge and a price.
_EACH = 12
#: The first steps matter most. Each is proven, up to this many 1-trees or seconds of processor time.
FIRST_TREES, FIRST_SECONDS = 300, 3.0


class AscentRecord:
    """Collects the steps of an ascent.

    Parameters
    ----------
    n : int
        Number of cities.

    Attributes
    ----------
    result : LowerBound or None
        The highest bound of the ascent, which is the last step.
    """

    def __init__(self, n: int) -> None:
        self._n, self._most = n, max(2, min(MAX_STEPS, MAX_BYTES // (_EACH * max(1, n))))
        self._steps: list[LowerBound] = []
        self.result: LowerBound | None = None

    def add(self, bound: "LowerBound") -> None:
        """Add a bound that is higher than all earlier ones; if there are too many, drop every second inner one."""
        self._steps.append(bound)
        if len(self._steps) >= self._most:
            self._steps = [*self._steps[:-1:2], self._steps[-1]]

    def frame(self) -> bytes:
        """Encode the ``ascent`` frame; see `docs/server.md` for its arrays."""
        last = self.result
        bounds: list[LowerBound] = []
        if last is not None:
            before = (step for step in self._steps if step.length < last.length and step.iterations < last.iterations)
            bounds = [*before, last]
        arrays: dict[str, np.ndarray] = {
            "tree": np.array([bound.iterations for bound in bounds], np.int64),
            "bound": np.array([bound.length for bound in bounds], np.int64),
            "edges": np.array([bound.edges for bound in bounds], np.int32).reshape(-1, 2 * self._n),
            "prices": np.array([bound.prices for bound in bounds], np.float32).reshape(-1, self._n),
        }
        return encode("ascent", {}, arrays)


def add_first_steps(record: AscentRecord, instance: Instance, device: str = "cpu") -> None:
    """Repeat and prove the ascent's first steps; the computation itself proves only a few of them.

    Parameters
    ----------
    record : AscentRecord
    instance : Instance
    device : str
        ``cpu`` or ``cuda``.
    """
    from solvers.bounds.lower_bound import compute_lower_bounds

    began, highest = process_time(), None
    for bound in compute_lower_bounds(instance, proof_every=1, device=device):
        if bound is None:
            continue
        if highest is None or bound.length > highest:
            highest = bound.length
            record.add(bound)
        is_last = bound.iterations >= FIRST_TREES or process_time() - began >= FIRST_SECONDS
        if is_last or (record.result is not None and bound.length >= record.result.length):
            return


def is_record(raw: bytes, n: int, length: int) -> bool:
    """Return whether these bytes are a record of an instance with `n` cities that ends at this bound."""
    try:
        frame = decode(raw)
        shapes = {name: array.shape for name, array in frame.arrays.items()}
        rows, edges = frame.arrays["bound"].tolist(), frame.arrays["edges"]
    except (ValueError, LookupError, TypeError):
        return False
    steps = len(rows)
    if frame.kind != "ascent" or not rows or rows[-1] != length:
        return False
    if shapes != {"tree": (steps,), "bound": (steps,), "edges": (steps, 2 * n), "prices": (steps, n)}:
        return False
    return bool((edges >= 0).all() and (edges < n).all()) and all(one < other for one, other in pairwise(rows))
