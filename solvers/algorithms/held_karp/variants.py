"""Variants of Held-Karp. Plain Python: pages may import it."""

from collections.abc import Sequence
from dataclasses import dataclass

from data.instance import Instance
from solvers.algorithms.held_karp.division import compute_divided_memory, describe_gpu_memory
from solvers.algorithms.held_karp.plan import MAX_CITIES, MIN_CITIES, nonnegative_distances, plan_for, too_large_reason
from solvers.algorithms.held_karp.qin_han import plan as qin_han
from solvers.core.solver import Variant
from solvers.core.sources import QIN_HAN
from solvers.gpu.capability import WARP_REDUCTIONS
from solvers.gpu.limits import BOUNDLESS, Limits


@dataclass(frozen=True, slots=True)
class HeldKarpVariant(Variant):
    """A variant of Held-Karp."""

    def unavailable_reason(self, kind: str, n: int, limits: Limits, memory: int = 0) -> str:
        """See `solvers.core.variant.Variant.unavailable_reason`; refuses what is too large whatever the distances."""
        return too_large_reason(n, 2, memory) if n >= MIN_CITIES else ""

    def table_capacity(self, memory_sizes: Sequence[int]) -> int:
        """See `solvers.core.variant.Variant.table_capacity`."""
        return compute_divided_memory(memory_sizes)

    def needed_of_each(self, instance: Instance, memory_sizes: Sequence[int]) -> str:
        """See `solvers.core.variant.Variant.needed_of_each`."""
        if instance.n < MIN_CITIES:
            return ""
        item = 2 if instance.n > MAX_CITIES else plan_for(nonnegative_distances(instance)).item
        return describe_gpu_memory(instance.n, item, memory_sizes)


@dataclass(frozen=True, slots=True)
class QinHanVariant(HeldKarpVariant):
    """A variant of Qin and Han (2022); see `solvers.algorithms.held_karp.qin_han.plan.QinHanPlan` for `maps`."""

    maps: bool = True

    def unavailable_reason(self, kind: str, n: int, limits: Limits, memory: int = 0) -> str:
        """See `solvers.core.variant.Variant.unavailable_reason`."""
        return qin_han.too_large_reason(n, self.maps, memory) if n >= MIN_CITIES else ""

    def needed(self, instance: Instance, memory: int) -> str:
        """See `solvers.core.variant.Variant.needed`."""
        if instance.n < MIN_CITIES:
            return ""
        return (
            self.unavailable_reason(instance.kind, instance.n, BOUNDLESS, memory)
            or qin_han.too_long_reason(nonnegative_distances(instance))
            or qin_han.describe_memory(instance.n, self.maps, memory, self.needs == "mpi")
        )


_KERNEL = "solvers.algorithms.held_karp.kernels.layer_cpu:advance"
_TABLES = "Two layers of lengths, 2 or 4 bytes each; which city came before is found again at the end."
_MAPS = "solvers.algorithms.held_karp.qin_han.kernels.maps_cpu:combine"
_IN_MAPS = "Lists of all sets; maps of the lengths of all states, by last city, number of cities and set."
CPU_VARIANTS = (
    HeldKarpVariant(
        "cpu", "cpu", _KERNEL, "All cores share the sets of a layer.", f"This program; {QIN_HAN}, section 2.3",
        _TABLES, "Sets of equally many cities are independent: a layer is shared without a lock.",
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
    QinHanVariant(
        "qin-han-openmp", "cpu", _MAPS, "Threads share the listed sets of a layer, each as many.",
        f"{QIN_HAN}, section 2.3", _IN_MAPS,
        "All sets are listed beforehand and all states stored: threads need no lock, but memory ends at few cities.",
    ),
    QinHanVariant(
        "qin-han-sequential", "cpu", _MAPS, "The same on one thread.", f"{QIN_HAN}, table 1", _IN_MAPS,
        "The baseline of the paper's speedups.",
    ),
    QinHanVariant(
        "qin-han-mpi", "cpu", _MAPS, "Processes share the sets of a layer; one gathers all states and broadcasts them.",
        f"{QIN_HAN}, section 2.5", f"{_IN_MAPS} Each process has all of it.",
        "Every process needs every state, so what one saves by sharing work goes into sending results.",
        needs="mpi", shares=False,
    ),
)  # fmt: skip
CUDA_VARIANTS = (
    HeldKarpVariant(
        "cuda", "cuda", "solvers.algorithms.held_karp.kernels.layer_cuda:build_layers",
        "A warp per set of outer cities.",
        f"This program; {QIN_HAN}, section 2.3",
        f"{_TABLES} Shared: a set's rows, and the distances from their cities to those that it lacks.",
        "What a warp reads lies side by side, if what is common to many sets is in its lanes.",
        capability=WARP_REDUCTIONS, splits_across_gpus=True,
    ),
    QinHanVariant(
        "qin-han", "cuda", "solvers.algorithms.held_karp.qin_han.kernels.batch_cuda:build_batch",
        "A thread per last city and set.",
        f"{QIN_HAN}, section 2.1", "One array of all states, 4 bytes each, with a row of 2ⁿ⁻¹ for each last city.",
        "A thread computes its set from its number, so the sets of a layer need not be listed.", maps=False,
    ),
)  # fmt: skip
VARIANTS = CPU_VARIANTS + CUDA_VARIANTS
