"""A 2-opt variant on a GPU: what it requires, and its limits on a given GPU. Plain Python: pages may import it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from solvers.core.solver import Variant
from solvers.gpu.limits import Limits

#: Kinds of distances that can be computed from coordinates in float32.
PLANAR = ("EUC_2D", "CEIL_2D")
_NEEDS_POINTS = "It measures distances from coordinates in single precision, which {kind} distances do not allow."


def no_words(n: int) -> int:
    """Return 0: no memory is needed."""
    return 0


def no_bytes(n: int, threads: int, limits: Limits) -> int:
    """Return 0: no dynamic shared memory is needed."""
    return 0


def tour_words(n: int) -> int:
    """Return the number of words of a tour."""
    return n


def no_options(n: int, threads: int, limits: Limits) -> dict[str, Any]:
    """Return no options: the function that builds the kernel needs only the kind of distance, n and the block size."""
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoOptVariant(Variant):
    """A 2-opt variant on a GPU.

    Attributes
    ----------
    per : str
        What runs one climber: a ``thread``, a ``block``, or the ``host`` by array operations.
    kinds : tuple of str
        Supported kinds of distances.
    reads_matrix : bool
    reads_table : bool
        Whether the kernel reads i and j from a table of all moves.
    move_bytes : int
        Number of bytes that a scan reads per move from the matrix and the move table, without tours, as in Utne and
        Hansen (2023), section 7.7.1.
    threads : callable
        ``threads(n, limits)``: number of threads per block; if `shares_out`, ``threads(n, limits, climbers)`` with the
        device's number of climbers; with one climber per thread, ``threads(n, limits, registers)`` with a thread's
        number of registers, if known.
    shared_bytes : callable
        ``shared_bytes(n, threads, limits)``: bytes of dynamic shared memory per block.
    scratch_words : callable
        ``scratch_words(n)``: number of 32-bit words of global memory per running climber, besides its tour.
    order_words : callable
        ``order_words(n)``: number of 32-bit words of a climber's tour in global memory.
    max_n : callable
        ``max_n(limits)``: the maximum number of cities on a device.
    options : callable
        ``options(n, threads, limits)``: further arguments of the function that builds the kernel.
    min_n : int
        The minimum number of cities.
    switch : bool
        Whether the variant can also use exact distances, which are slower.
    shares_out : bool
        Whether climbers get more threads if there are only a few climbers.
    spills : bool
        Whether a climber that is too large for shared memory is stored in global memory instead.
    threads_decide : bool
        Whether the moves depend on the number of threads, so that a climb must be replayed with as many threads as in
        its run.
    tried : bool
        Whether a trial on the device chooses the number of threads; `threads` gives one candidate.
    two_rows : TwoOptVariant, optional
        The variant that scans two rows of moves at once, if there is one.
    published : mapping of str to TwoOptVariant
        The variants of the ``paper`` and of the authors' ``program``, if these differ from this one.
    """

    per: str = "block"
    kinds: tuple[str, ...] = PLANAR
    reads_matrix: bool = False
    reads_table: bool = False
    move_bytes: int = 0
    threads: Callable[..., int]
    shared_bytes: Callable[[int, int, Limits], int] = no_bytes
    scratch_words: Callable[[int], int] = no_words
    order_words: Callable[[int], int] = tour_words
    max_n: Callable[[Limits], int]
    options: Callable[[int, int, Limits], dict[str, Any]] = no_options
    min_n: int = 1
    switch: bool = False
    shares_out: bool = False
    spills: bool = False
    threads_decide: bool = False
    tried: bool = False
    two_rows: "TwoOptVariant | None" = None
    published: "Mapping[str, TwoOptVariant]" = field(default_factory=dict, hash=False)

    def unavailable_reason(self, kind: str, n: int, limits: Limits, memory: int = 0) -> str:
        """See `solvers.core.variant.Variant`."""
        if kind not in self.kinds:
            return f"{self.name} cannot run this instance. {_NEEDS_POINTS.format(kind=kind)}"
        if n < self.min_n:
            return f"{self.name} takes {self.min_n} cities or more."
        return Variant.unavailable_reason(
            self, kind, n, limits, memory
        )  # in a class with slots, `super` needs its arguments

    def max_cities(self, limits: Limits) -> int | None:
        """See `solvers.core.variant.Variant`."""
        return self.max_n(limits)

    def resolve(self, scan_rows: str = "one", published: str = "no", block_threads: str = "trial") -> "TwoOptVariant":
        """Return the variant for these values of `solvers.algorithms.two_opt.params.TwoOptParams`."""
        if scan_rows == "two" and self.two_rows is not None:
            return self.two_rows
        if self.tried and block_threads == "rule":
            return replace(self, tried=False)
        return self.published.get(published, self)
