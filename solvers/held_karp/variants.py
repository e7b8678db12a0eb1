"""Variants of Held-Karp. Plain Python: pages may import it."""

from dataclasses import dataclass

from solvers.gpu.capability import WARP_REDUCTIONS
from solvers.held_karp.plan import LEAST_CITIES, too_large
from solvers.solver import Variant
from solvers.sources import QIN_HAN


@dataclass(frozen=True, slots=True)
class HeldKarpVariant(Variant):
    """A variant of Held-Karp."""

    def unavailable_reason(self, kind: str, n: int, shared: int, memory: int = 0) -> str:
        """See `solvers.solver.Variant.unavailable_reason`: more cities than fit whatever their distances are."""
        return too_large(n, 2, memory) if n >= LEAST_CITIES else ""


_KERNEL = "solvers.held_karp.kernels.layer_cpu:advance"
_TABLES = "Two layers of lengths, 2 or 4 bytes each; which city came before is found again at the end."
CPU_VARIANTS = (
    HeldKarpVariant(
        "cpu", "cpu", _KERNEL, "All cores share the sets of a layer.", f"This program; {QIN_HAN}, section 2.3",
        _TABLES, "Sets of as many cities need nothing of each other: a layer is shared without a lock.",
        directed=True,
    ),
    HeldKarpVariant(
        "sequential", "cpu", _KERNEL, "One set after the other, on one thread.", "This program", _TABLES,
        "The baseline of the parallel variants.", directed=True,
    ),
    HeldKarpVariant(
        "mpi", "cpu", _KERNEL, "Processes share the sets of a layer, and its memory.", f"{QIN_HAN}, section 2.5",
        "The same, once for all processes of a machine.",
        "Processes of a machine need not send each other what they all can see.", needs="mpi",
    ),
)  # fmt: skip
CUDA_VARIANTS = (
    HeldKarpVariant(
        "cuda", "cuda", "solvers.held_karp.kernels.layer_cuda:layers", "A warp per set of outer cities.",
        f"This program; {QIN_HAN}, section 2.3",
        f"{_TABLES} Shared: a set's rows, and the distances from their cities to those that it lacks.",
        "What a warp reads lies side by side, if what is common to many sets is in its lanes.",
        capability=WARP_REDUCTIONS,
    ),
)  # fmt: skip
VARIANTS = CPU_VARIANTS + CUDA_VARIANTS
