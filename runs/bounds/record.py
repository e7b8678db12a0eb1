"""A sample of the ascent to a bound: some tens of 1-trees with their prices, each of which proves a length."""

from itertools import pairwise
from time import process_time
from typing import TYPE_CHECKING

import numpy as np

from data.instance import Instance
from solvers.worker.frames import decode, encode

if TYPE_CHECKING:  # it imports Numba
    from solvers.bounds.lower_bound import LowerBound

#: Most steps of a record; every second of more is left out.
MOST_STEPS = 40
#: Most bytes of a record's arrays, for which there are fewer steps of more cities.
MOST_BYTES = 4 << 20
#: Bytes of a step for each city: an edge and a price.
_EACH = 12
#: The first steps matter most: each of them is proven, up to this many 1-trees, or seconds of processor time.
FIRST_TREES, FIRST_SECONDS = 300, 3.0


class AscentRecord:
    """Collects the steps of one ascent.

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
        self._n, self._most = n, max(2, min(MOST_STEPS, MOST_BYTES // (_EACH * max(1, n))))
        self._steps: list[LowerBound] = []
        self.result: LowerBound | None = None

    def add(self, bound: "LowerBound") -> None:
        """Add a bound that is higher than all before; of too many the first and the last stay."""
        self._steps.append(bound)
        if len(self._steps) >= self._most:
            self._steps = [*self._steps[:-1:2], self._steps[-1]]

    def frame(self) -> bytes:
        """The ``ascent`` frame: `docs/server.md` has its arrays."""
        last = self.result
        bounds: list[LowerBound] = []
        if last is not None:
            before = (one for one in self._steps if one.length < last.length and one.iterations < last.iterations)
            bounds = [*before, last]
        arrays: dict[str, np.ndarray] = {
            "tree": np.array([bound.iterations for bound in bounds], np.int64),
            "bound": np.array([bound.length for bound in bounds], np.int64),
            "edges": np.array([bound.edges for bound in bounds], np.int32).reshape(-1, 2 * self._n),
            "prices": np.array([bound.prices for bound in bounds], np.float32).reshape(-1, self._n),
        }
        return encode("ascent", {}, arrays)


def add_first_steps(record: AscentRecord, instance: Instance, device: str = "cpu") -> None:
    """Go the first steps of the ascent again, and prove each: while a bound is computed, few of them are.

    Parameters
    ----------
    record : AscentRecord
    instance : Instance
    device : str
        ``cpu`` or ``cuda``.
    """
    from solvers.bounds.lower_bound import lower_bounds

    began, highest = process_time(), None
    for bound in lower_bounds(instance, proof_every=1, device=device):
        if bound is None:
            continue
        if highest is None or bound.length > highest:
            highest = bound.length
            record.add(bound)
        late = bound.iterations >= FIRST_TREES or process_time() - began >= FIRST_SECONDS
        if late or (record.result is not None and bound.length >= record.result.length):
            return


def is_record(raw: bytes, n: int, length: int) -> bool:
    """Whether bytes are a record of n cities that ends at a bound."""
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
