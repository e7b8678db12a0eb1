"""Variants of Held-Karp for benchmarks, by name: time of the layers alone and of complete runs.

Imports Numba only when layers are created.
"""

from contextlib import closing
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

from benchmarks.runs import run_to_end
from data.distances import distance_matrix
from data.instance import Instance
from solvers.algorithms.held_karp.layers import LayerPlan
from solvers.algorithms.held_karp.params import HeldKarpParams
from solvers.algorithms.held_karp.plan import plan_for
from solvers.algorithms.held_karp.qin_han.plan import QinHanPlan
from solvers.algorithms.held_karp.solver import HeldKarp, make_layer_factory, make_plan
from solvers.algorithms.held_karp.variants import VARIANTS, QinHanVariant
from solvers.core.devices import cuda_devices
from solvers.core.memory import available_bytes
from solvers.core.solver import Job, Variant
from solvers.core.stop import Budget
from solvers.plan import select_variants

if TYPE_CHECKING:
    from solvers.algorithms.held_karp.layers import LayerTable


class TooLong(Exception):
    """A variant exceeds the time limit."""


@dataclass(frozen=True, slots=True)
class TimedVariant:
    """A variant with its number of threads or processes; 0 for the default."""

    row: str
    count: int = 0

    @property
    def by_mpi(self) -> bool:
        """Whether it uses processes."""
        return bool(find_variant(self.row).needs)

    def params(self) -> dict[str, Any]:
        """Return the parameters of the algorithm for this variant."""
        return {"variant": self.row, "ranks": self.count if self.by_mpi else 0}


def list_variants(device: str) -> list[TimedVariant]:
    """Return every variant of a device except multi-process ones."""
    return [TimedVariant(row.name) for row in VARIANTS if row.device == device and not row.needs]


def find_variant(name: str) -> Variant:
    """Find a variant by name."""
    return next(row for row in VARIANTS if row.name == name)


def make_layer_plan(instance: Instance, variant: TimedVariant) -> LayerPlan:
    """Return the size of an instance's layers in the layout of a variant, even if there is not enough memory."""
    row = find_variant(variant.row)
    return QinHanPlan(instance.n, row.maps) if isinstance(row, QinHanVariant) else plan_for(distance_matrix(instance))


def make_table(instance: Instance, variant: TimedVariant) -> tuple["LayerTable", int, int]:
    """Create an instance's layers before the first one; also return how many layers and workers there are."""
    params = HeldKarpParams.from_mapping(variant.params())
    row, *_ = select_variants(HeldKarp(), params, "auto")
    memory = cuda_devices()[0].memory if row.device == "cuda" else available_bytes()
    plan, distances = make_plan(instance, memory, row)
    if not row.needs and variant.count:
        return make_layer_factory(plan, distances)(variant.count, None), plan.layers, variant.count
    layers, _, threads = HeldKarp().layers(
        Job(instance, params, 1, "auto", Budget().start(), variant=row), row, plan, distances
    )
    return layers, plan.layers, threads


def time_layers(instance: Instance, variant: TimedVariant, patience: float) -> tuple[float, int, int]:
    """Return the seconds of all layers without set-up, the length of the tour, and the number of threads or processes.

    Raises
    ------
    TooLong
    """
    layers, count, threads = make_table(instance, variant)
    return *compute_layers(layers, count, patience), threads


def compute_layers(layers: "LayerTable", count: int, patience: float) -> tuple[float, int]:
    """Compute layers and close them; return the seconds and the length of the tour.

    Raises
    ------
    TooLong
    """
    with closing(layers):
        start_time = perf_counter()
        while (done := layers.advance()).layer < count - 1 or done.best is None:
            if perf_counter() - start_time > patience:
                raise TooLong
        return perf_counter() - start_time, done.best.length


def time_run(instance: Instance, variant: TimedVariant, patience: float) -> tuple[float, int]:
    """Return the seconds of a complete run on its clock, including reporting, and the length of its tour.

    Raises
    ------
    TooLong
    """
    end = run_to_end(instance, "held-karp", variant.params(), pictures=False, seconds=patience)
    if end.stop_reason != "completed":
        raise TooLong
    return end.seconds, end.length
