"""Held-Karp: finds the shortest path through every set of cities, and so the shortest tour."""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from data.instance import Instance
from solvers.algorithms.held_karp.division import compute_divided_memory
from solvers.algorithms.held_karp.layers import LayerPlan
from solvers.algorithms.held_karp.params import HeldKarpParams
from solvers.algorithms.held_karp.plan import (
    LAYERS_VERSION,
    MAX_CITIES,
    MIN_CITIES,
    Plan,
    cached_plan,
    describe_memory,
    nonnegative_distances,
    plan_for,
    too_large_reason,
)
from solvers.algorithms.held_karp.qin_han import plan as qin_han
from solvers.algorithms.held_karp.variants import CPU_VARIANTS, CUDA_VARIANTS, VARIANTS, QinHanVariant
from solvers.core.devices import cpu_text, cpu_threads, cuda_devices, gpu_text
from solvers.core.errors import InstanceTooLarge
from solvers.core.events import Compiling, Event, Started
from solvers.core.memory import available_bytes
from solvers.core.params import Params, on_all_gpus
from solvers.core.solver import Job, Solver, Variant
from solvers.core.sources import QIN_HAN

if TYPE_CHECKING:
    from solvers.algorithms.held_karp.layers import LayerTable
    from solvers.core.machine import Machine
    from solvers.mpi.communicator import Communicator
    from solvers.mpi.rank_task import RankTask

_HELD_KARP = (
    'M. Held and R. M. Karp, "A Dynamic Programming Approach to Sequencing Problems" (1962); R. Bellman, "Dynamic '
    'Programming Treatment of the Travelling Salesman Problem" (1962)'
)


class HeldKarp(Solver[HeldKarpParams]):
    """Held-Karp."""

    name: ClassVar[str] = "held-karp"
    title: ClassVar[str] = "Held-Karp"
    family: ClassVar[str] = "exact"
    source: ClassVar[str] = f"{_HELD_KARP}; in parallel after {QIN_HAN}"
    summary: ClassVar[str] = (
        "Finds a proven shortest tour, by the shortest path through every set of cities: each further city doubles "
        "the work."
    )
    params: ClassVar[type[Params]] = HeldKarpParams
    variants: ClassVar[tuple[Variant, ...]] = VARIANTS
    iteration_unit: ClassVar[str] = "layer"
    evaluation_unit: ClassVar[str] = "transition"
    counted_from: ClassVar[int] = 0
    chance: ClassVar[bool] = False
    exact: ClassVar[bool] = True
    views: ClassVar[tuple[str, ...]] = ("layers",)
    comparison: ClassVar[str] = (
        "The same layers, computed in different ways: all variants find the same lengths and the same tour."
    )

    def versions(self) -> dict[str, str]:
        """The version of the layers, by which readers decide whether to trust a proof.

        See `solvers.core.solver.Solver.versions`.
        """
        return {self.name: str(LAYERS_VERSION)}

    def needs(self, instance: Instance, device: str, memory: int) -> str:
        """See `solvers.core.solver.Solver.needs`."""
        if instance.n < MIN_CITIES:
            return ""
        directed = instance.directed
        item = 2 if instance.n > MAX_CITIES else plan_for(nonnegative_distances(instance)).item
        reason = too_large_reason(instance.n, item, memory, directed)
        return reason or describe_memory(cached_plan(instance.n, item, directed), memory)

    def claims(self, instance: Instance, variant: Variant) -> int:
        """See `solvers.core.solver.Solver.claims`."""
        if instance.n < MIN_CITIES:
            return 0
        try:
            return make_plan(instance, 0, variant)[0].peak_bytes
        except InstanceTooLarge:  # the run itself will report this
            return 0

    def solve(self, job: Job) -> Generator[Event, None, None]:
        """Compute the layers; see `solvers.algorithms.held_karp.run.run_layers`.

        Raises
        ------
        DeviceUnavailable
            If the variant ``mpi`` is requested and MPI is missing.
        InstanceTooLarge
            If two layers do not fit into the available memory.
        """
        from solvers.algorithms.held_karp.reconstruct import load
        from solvers.algorithms.held_karp.run import report_only_tour, run_layers

        yield Compiling()
        if job.instance.n < MIN_CITIES:
            yield Started(self.name, "sequential", cpu_text(1), 1, 0.0)
            yield from report_only_tour(job)
            return
        start_time = perf_counter()
        variant, memory = job.variant, _find_memory(job)
        plan, distances = make_plan(job.instance, memory, variant)
        load(plan)
        layers, device, threads = self.layers(job, variant, plan, distances)
        with closing(layers):
            yield Started(self.name, variant.name, device, threads, perf_counter() - start_time)
            yield from run_layers(job, plan, distances, layers, memory)

    def load_rare_kernels(self) -> None:
        """See `solvers.core.solver.Solver`; loads kernels for other state sizes and directed instances."""
        from solvers.algorithms.held_karp.reconstruct import load_all

        load_all()

    def replay(self, job: Job, climber: int) -> Iterator[Event]:
        """Yield the `Edges` of a layer's tour, by computing all layers up to that one again."""
        from solvers.algorithms.held_karp.run import replay, report_only_tour

        if job.instance.n < MIN_CITIES:
            yield from report_only_tour(job)
            return
        variant, memory = job.variant, _find_memory(job)
        plan, distances = make_plan(job.instance, memory, variant)
        with closing(self.layers(job, variant, plan, distances)[0]) as layers:
            yield from replay(job, plan, distances, layers, climber)

    def layers(
        self, job: Job[HeldKarpParams], variant: Variant, plan: LayerPlan, distances: np.ndarray
    ) -> "tuple[LayerTable, str, int]":
        """Build a variant's layers; return them, the device's description, and the number of threads or processes."""
        if variant.device == "cuda":
            devices = choose_gpus(job, variant)
            return _build_on_gpus(plan, distances, devices), gpu_text(len(devices)), 1
        make = make_layer_factory(plan, distances)
        if variant.needs != "mpi":
            threads = 1 if variant.name.endswith("sequential") else cpu_threads()
            return make(threads, None), cpu_text(threads), threads
        from solvers.algorithms.held_karp.mpi import MpiLayers
        from solvers.mpi.world import create_in_processes

        return create_in_processes(job.params.ranks, partial(make, 1), partial(MpiLayers, job))

    def preferred(self, instance: Instance, params: Params, machine: "Machine") -> Sequence[Variant]:
        """See `solvers.core.solver.Solver`; prefer a GPU only if the layers fit into its free memory."""
        gpu, cpu = CUDA_VARIANTS[0], CPU_VARIANTS[0]
        if machine.lacks(self.name, gpu) or _exceeds_memory(
            instance, gpu.table_capacity(machine.free_memory(gpu, on_all_gpus(params)))
        ):
            return [cpu]
        return [gpu, cpu]

    def part(self, job: Job, ranks: "Communicator") -> "RankTask":
        """See `solvers.core.solver.Solver.part`."""
        from solvers.algorithms.held_karp.mpi import HeldKarpRankTask, IdleRankTask

        if job.instance.n < MIN_CITIES:
            return IdleRankTask()
        plan, distances = make_plan(job.instance, agree_on_memory(ranks, job.variant.shares), job.variant)
        return HeldKarpRankTask(plan, partial(make_layer_factory(plan, distances), 1, ranks))


def _exceeds_memory(instance: Instance, memory: int) -> bool:
    """Return whether an instance's layers exceed `memory` bytes."""
    if instance.n < MIN_CITIES:
        return False
    if too_large_reason(instance.n, 2, memory):
        return True
    return bool(too_large_reason(instance.n, plan_for(nonnegative_distances(instance)).item, memory))


def _find_memory(job: Job[HeldKarpParams]) -> int:
    """Return how many bytes a run may use: on the GPU, in this process, or in each MPI process."""
    variant = job.variant
    if variant.device == "cuda":
        from solvers.gpu.limits import find_free_memory

        return compute_divided_memory([find_free_memory(device) for device in choose_gpus(job, variant)])
    if variant.needs != "mpi":
        return available_bytes()
    from solvers.mpi.world import joined_communicator

    if (ranks := joined_communicator()) is not None:
        return agree_on_memory(ranks, variant.shares)
    return available_bytes() // (1 if variant.shares else job.params.ranks or cpu_threads())


def agree_on_memory(ranks: "Communicator", shares: bool) -> int:
    """Return how many bytes each MPI process may use; all processes must call this, and get the same result.

    Parameters
    ----------
    ranks : Communicator
    shares : bool
        Whether the processes on a machine share tables, if they can.
    """
    minimum = int(ranks.minimum(np.array([available_bytes()], np.int64))[0])
    return minimum // (ranks.copies if shares else ranks.per_machine)


def make_plan(instance: Instance, memory: int, variant: Variant | None = None) -> tuple[LayerPlan, np.ndarray]:
    """Return the plan for an instance, and its nonnegative distances (n, n); by default for this program's own variant.

    Raises
    ------
    InstanceTooLarge
        If there are too many cities for `memory` bytes.
    """
    maps = variant.maps if isinstance(variant, QinHanVariant) else None
    few = (
        too_large_reason(instance.n, 2, memory) if maps is None else qin_han.too_large_reason(instance.n, maps, memory)
    )
    if few:  # refuse very many cities before their matrix is computed
        raise InstanceTooLarge(few)
    distances = nonnegative_distances(instance)
    if maps is not None:
        return qin_han.make_plan(distances, maps, memory), distances
    plan = plan_for(distances)
    if sentence := too_large_reason(instance.n, plan.item, memory, plan.directed):
        raise InstanceTooLarge(sentence)
    return plan, distances


def make_layer_factory(plan: LayerPlan, distances: np.ndarray) -> "Callable[[int, Communicator | None], LayerTable]":
    """Return a function that builds layers on the CPU, given a number of threads and, if any, the run's processes."""
    if isinstance(plan, qin_han.QinHanPlan):
        from solvers.algorithms.held_karp.qin_han.cpu import QinHanLayers

        return partial(QinHanLayers, plan, distances)
    from solvers.algorithms.held_karp.directed import build_cpu_layers

    assert isinstance(plan, Plan)
    return partial(build_cpu_layers, plan, distances)


def choose_gpus(job: Job[HeldKarpParams], variant: Variant) -> range:
    """Return the GPUs on which a run computes the layers."""
    return range(len(cuda_devices()) if on_all_gpus(job.params) and variant.splits_across_gpus else 1)


def _build_on_gpus(plan: LayerPlan, distances: np.ndarray, devices: Sequence[int]) -> "LayerTable":
    """Build a plan's layers on GPUs."""
    if isinstance(plan, qin_han.QinHanPlan):
        from solvers.algorithms.held_karp.qin_han.cuda import QinHanCudaLayers

        return QinHanCudaLayers(plan, distances)
    from solvers.algorithms.held_karp.cuda import CudaLayers

    assert isinstance(plan, Plan)
    return CudaLayers(plan, distances, devices)
