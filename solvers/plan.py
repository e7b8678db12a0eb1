"""The plan of a run: each stage's variant on a machine, what it needs, and why it is refused.

A run is planned twice, where it is requested and where it executes, because the devices may differ.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from data.instance import Instance
from data.limits import MAX_CITIES
from solvers import SOLVERS, find
from solvers.core.errors import DeviceUnavailable, InstanceTooLarge
from solvers.core.machine import Machine
from solvers.core.params import Params, on_all_gpus
from solvers.core.solver import Job, Solver, Variant
from solvers.core.stop import Counter
from solvers.core.variant import large_sentence, matrix_sentence
from solvers.gpu.limits import BOUNDLESS
from solvers.spec import RunSpec

#: Number of algorithms that a refusal names, in the order of the menu.
_ALTERNATIVES = 3
#: Reasons to refuse a run: no device here can execute it, or it is known in advance not to fit.
Refusal = DeviceUnavailable | InstanceTooLarge


@dataclass(frozen=True, slots=True)
class Prepared:
    """A spec with valid algorithms and parameters."""

    spec: RunSpec
    stages: tuple[tuple[Solver, Params], ...]


class Claim(NamedTuple):
    """How much of a device's memory a run will use, if it is much and known in advance.

    Attributes
    ----------
    device : str
        ``cpu`` or ``cuda``.
    bytes : int
    """

    device: str = ""
    bytes: int = 0


@dataclass(frozen=True, slots=True)
class StagePlan:
    """The plan of a stage on a machine.

    Attributes
    ----------
    solver : Solver
    params : Params
    instance : Instance
    machine : Machine
    device : str
        The device in the spec: ``auto``, ``cpu`` or ``cuda``.
    variant : Variant
        The chosen variant.
    refusal : Refusal or None
        Why the stage cannot run; None if it can.
    """

    solver: Solver
    params: Params
    instance: Instance
    machine: Machine
    device: str
    variant: Variant
    refusal: Refusal | None

    @property
    def _device_memory_sizes(self) -> list[int]:
        return self.machine.memory_sizes(self.variant, on_all_gpus(self.params))

    def needs(self) -> str:
        """Return a sentence on what the stage needs and what is available; empty if it needs little."""
        if self.refusal:
            return ""
        memory_sizes = self._device_memory_sizes
        if len(memory_sizes) > 1:
            return self.variant.needed_of_each(self.instance, memory_sizes)
        sentence = self.variant.needed(self.instance, memory_sizes[0])
        return sentence or self.solver.needs(self.instance, self.variant.device, memory_sizes[0])

    def claim(self) -> Claim:
        """Return how much memory the stage claims."""
        shared = len(self._device_memory_sizes)
        return Claim(self.variant.device, self.solver.claims(self.instance, self.variant) // shared)

    def first_row_seconds(self) -> float:
        """Estimate the seconds until the stage's first row; 0 on a GPU, whose speed is unknown."""
        if self.variant.device != "cpu":
            return 0.0
        threads = 1 if self.variant.name == "sequential" else self.machine.threads
        return self.solver.first_row_seconds(self.instance.n, self.params, threads)

    def job(self, seed: int, stop: Counter, start: np.ndarray | None = None, pictures: bool = True) -> Job:
        """Return the input for the stage's solver."""
        return Job(self.instance, self.params, seed, self.device, stop, start, pictures, self.variant)


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of a run: spec, instance, and a plan for each stage."""

    spec: RunSpec
    instance: Instance
    stages: tuple[StagePlan, ...]

    @property
    def refusal(self) -> Refusal | None:
        """Why the run cannot start: the first stage's refusal, if any."""
        return next((stage.refusal for stage in self.stages if stage.refusal), None)

    @property
    def uses_gpu(self) -> bool:
        """Whether any stage runs on a GPU."""
        return any(stage.variant.device == "cuda" for stage in self.stages)

    def claim(self) -> Claim:
        """Return the largest of the stages' claims."""
        return max((stage.claim() for stage in self.stages), key=lambda claim: claim.bytes)

    def check(self) -> None:
        """Raise the refusal if there is one."""
        if self.refusal:
            raise self.refusal


def prepare(spec: RunSpec, solvers: Sequence[Solver] = SOLVERS) -> Prepared:
    """Find a spec's algorithms among `solvers`, and check parameters and device.

    Raises
    ------
    InvalidParams
        If an algorithm is unknown or a parameter is out of range.
    DeviceUnavailable
        If no variant of an algorithm runs on the requested device.
    """
    stages = []
    for stage in spec.stages:
        solver = find(stage.algorithm, solvers)
        params = solver.params.from_mapping(stage.params)
        select_variants(solver, params, spec.device)
        stages.append((solver, params))
    return Prepared(spec, tuple(stages))


def plan(prepared: Prepared, instance: Instance, machine: Machine) -> Plan:
    """Plan a run on a machine."""
    device = prepared.spec.device
    stages = (plan_stage(*stage, device, instance, machine) for stage in prepared.stages)
    return Plan(prepared.spec, instance, tuple(stages))


def plan_stage(solver: Solver, params: Params, device: str, instance: Instance, machine: Machine) -> StagePlan:
    """Plan a stage on a machine: choose the requested variant, or the first preferred one that can run.

    Raises
    ------
    DeviceUnavailable
        If no variant runs on the requested device.
    """
    candidates = select_variants(solver, params, device)
    if _find_requested_variant(params) == "auto":
        names = {variant.name for variant in candidates}
        preferred = [variant for variant in solver.preferred(instance, params, machine) if variant.name in names]
        # a missing GPU is no reason to refuse the run, since another variant may be able to run
        candidates = (
            [variant for variant in preferred if not machine.lacks(solver.name, variant)] or preferred or candidates[:1]
        )
    refusals = []
    for variant in candidates:
        refusal = _find_refusal(solver, params, variant, instance, machine)
        if refusal is None:
            return StagePlan(solver, params, instance, machine, device, variant, None)
        refusals.append(refusal)
    return StagePlan(solver, params, instance, machine, device, candidates[0], refusals[0])


def _find_refusal(
    solver: Solver, params: Params, variant: Variant, instance: Instance, machine: Machine
) -> Refusal | None:
    if instance.n > MAX_CITIES and not variant.supports_large:
        return DeviceUnavailable(large_sentence(solver.title))
    if solver.needs_matrix_on_globe and instance.is_on_globe and (reason := matrix_sentence(instance)):
        return InstanceTooLarge(reason)
    several = on_all_gpus(params)
    return explain_unavailable(solver, variant, instance.kind, instance.n, instance.directed, machine, several) or (
        InstanceTooLarge(reason) if (reason := solver.refusal(instance, params, variant.device)) else None
    )


def explain_unavailable(
    solver: Solver, variant: Variant, kind: str, n: int, directed: bool, machine: Machine, several: bool = False
) -> Refusal | None:
    """Return why a variant cannot run instances of a given kind and size on a machine; None if it can.

    Parameters
    ----------
    solver : Solver
    variant : Variant
    kind : str
        The type of distances, as TSPLIB names it.
    n : int
        Number of cities; 0 if it is not yet known.
    directed : bool
    machine : Machine
    several : bool
        Whether all of the machine's GPUs are used.
    """
    if directed and not variant.directed:
        return DeviceUnavailable(describe_directed_limit(solver, variant))
    if machine.is_known and (reason := solver.missing() or machine.lacks(solver.name, variant)):
        return DeviceUnavailable(reason)
    if not n:
        return None
    memory = variant.table_capacity(machine.memory_sizes(variant, several))
    limits = machine.limits if variant.device == "cuda" else BOUNDLESS
    reason = variant.unavailable_reason(kind, n, limits, memory)
    if reason and len(solver.variants) == 1:  # it was not the user who chose the variant
        reason = reason.replace(variant.name, solver.title, 1)
    return InstanceTooLarge(reason) if reason else None


def select_variants(solver: Solver, params: Params, device: str) -> list[Variant]:
    """Return the variants that `params` and `device` allow; for ``auto``, the device's variants, or all.

    Raises
    ------
    DeviceUnavailable
        If there is no such variant.
    """
    requested = _find_requested_variant(params)
    candidates = [variant for variant in solver.variants if requested in ("auto", variant.name)]
    fitting = [variant for variant in candidates if device in ("auto", variant.device)]
    if not fitting:
        variant_name = solver.name if requested == "auto" else f"{solver.name} {requested}"
        has = ", ".join(sorted({variant.device for variant in candidates}))
        raise DeviceUnavailable(f"{variant_name} does not run on {device}; it runs on {has}.")
    return fitting


def may_use_gpu(spec: RunSpec) -> bool:
    """Return whether a run could use a suitable GPU; parameters need not be valid."""
    requested = {stage.algorithm: stage.params.get("variant", "auto") for stage in spec.stages}
    return spec.device != "cpu" and any(
        variant.device == "cuda" and requested[solver.name] in ("auto", variant.name)
        for solver in SOLVERS
        if solver.name in requested
        for variant in solver.variants
    )


def _find_requested_variant(params: Params) -> str:
    """Return the requested variant; ``auto`` if an algorithm with only one variant lacks the parameter."""
    return getattr(params, "variant", "auto")


def supports_directed(solver: Solver) -> bool:
    """Return whether any variant of the algorithm supports directed instances."""
    return any(variant.directed for variant in solver.variants)


def describe_directed_limit(solver: Solver, variant: Variant) -> str:
    """Return the sentence that refuses directed instances for a variant, and names alternatives."""
    own = [variant.name for variant in solver.variants if variant.directed]
    others = own or [solver.title for solver in SOLVERS if solver.listed and supports_directed(solver)][:_ALTERNATIVES]
    *first, last = others
    instead = f"{', '.join(first)} or {last}" if first else last
    name = variant.name if own else solver.title
    return f"{name} needs the same distance in both directions; for a directed instance use {instead}."
