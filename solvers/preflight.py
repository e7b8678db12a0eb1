"""The resources that a run would need on this machine, checked before it starts."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from data.instance import Instance
from solvers import SOLVERS
from solvers.devices import cuda_devices
from solvers.errors import DeviceUnavailable
from solvers.gpu.limits import BOUNDLESS
from solvers.memory import available_bytes, shared_bytes
from solvers.params import Params
from solvers.refusal import takes_directed
from solvers.run import Prepared
from solvers.solver import Solver, Variant, choose_variant, is_automatic
from solvers.spec import RunSpec


def requirements(solver: Solver, params: Params, device: str, instance: Instance) -> str:
    """Return what the run needs, in one sentence; empty if the solver reports nothing or the instance does not fit.

    Where a resource does not suffice, the run itself fails with its own message.

    Raises
    ------
    DeviceUnavailable
        If no variant fits `params` and `device`.
    """
    directed = instance.directed
    if directed and not takes_directed(solver):
        return ""
    variant = choose_variant(solver, params, device, directed)
    memory = memory_now(variant)
    gpu_variants = [each for each in solver.variants if each.device == "cuda" and (each.directed or not directed)]
    if variant in gpu_variants or (gpu_variants and is_automatic(params, device)):
        variant, memories = _on_gpus(variant, gpu_variants, memory, getattr(params, "gpus", "one") == "all")
        if len(memories) > 1:
            return variant.needed_of_each(instance, memories)
        (memory,) = memories
    if variant.unavailable_reason(instance.kind, instance.n, BOUNDLESS, memory):
        return ""
    return variant.needed(instance, memory) or solver.needs(instance, variant.device, memory)


class Claim(NamedTuple):
    """What a run takes of a device's memory, known before it starts; of few bytes none is made.

    Attributes
    ----------
    device : str
        ``cpu`` or ``cuda``.
    bytes : int
    """

    device: str = ""
    bytes: int = 0


def claim_of(prepared: Prepared, instance: Instance, devices: Sequence[Mapping[str, Any]]) -> Claim:
    """The largest claim of a run's stages.

    Parameters
    ----------
    prepared : Prepared
    instance : Instance
    devices : sequence of mapping
        Those of the machine, as JSON; see `solvers.devices.Device`.
    """
    cards = [each.get("memory", 0) for each in devices if each["kind"] == "cuda" and each["available"]]
    claims = [_claim(*stage, prepared.spec.device, instance, cards) for stage in prepared.stages]
    return max(claims, key=lambda claim: claim.bytes)


def _claim(solver: Solver, params: Params, device: str, instance: Instance, cards: Sequence[int]) -> Claim:
    try:
        variant = choose_variant(solver, params, device, instance.directed)
    except DeviceUnavailable:
        return Claim()
    on_gpu = [each for each in solver.variants if each.device == "cuda" and (each.directed or not instance.directed)]
    if cards and on_gpu and is_automatic(params, device):
        needed = solver.claims(instance, on_gpu[0])
        variant = variant if needed > cards[0] else on_gpu[0]
    shared = len(cards) if variant.divides and getattr(params, "gpus", "one") == "all" else 1
    return Claim(variant.device, solver.claims(instance, variant) // max(1, shared))


def may_use_gpu(spec: RunSpec, solvers: Sequence[Solver] = SOLVERS) -> bool:
    """Whether a run could have a stage on a GPU, if there is one that can run it; its parameters need not be valid."""
    if spec.device not in ("auto", "cuda"):
        return False
    wanted = {stage.algorithm: stage.params.get("variant", "auto") for stage in spec.stages}
    return any(
        variant.device == "cuda" and wanted[solver.name] in ("auto", variant.name)
        for solver in solvers
        if solver.name in wanted
        for variant in solver.variants
    )


def quicker(instance: Instance, seconds: float, threads: int, solvers: Sequence[Solver] = SOLVERS) -> list[Solver]:
    """Return the listed algorithms whose first row takes at most so many seconds on a CPU, by their default parameters.

    Those that do not estimate it (`Solver.first_row_seconds`) are left out.
    """
    found = []
    for solver in solvers:
        params = solver.params.from_mapping({})
        expected = solver.first_row_seconds(instance.n, params, threads)
        if solver.missing() or (instance.directed and not takes_directed(solver)):
            continue
        if solver.listed and 0 < expected <= seconds and not solver.refusal(instance, params, "cpu"):
            found.append(solver)
    return found


def memory_now(variant: Variant) -> int:
    """Bytes that a variant on the CPU can have at this moment, at least 1; 0 if unknown.

    MPI processes that share their tables keep them in shared memory, which may be less than all memory.
    """
    free = available_bytes()
    if variant.needs != "mpi" or not variant.shares:
        return free
    return min((known for known in (free, shared_bytes()) if known), default=0)


def _on_gpus(variant: Variant, gpu_variants: list[Variant], memory: int, several: bool) -> tuple[Variant, list[int]]:
    """The variant and the memory of a run that may or must use a GPU: those of a GPU if there is one, of each of
    `several` if the variant divides its tables among them."""
    try:
        variant_there = variant if variant in gpu_variants else gpu_variants[0]
        devices = cuda_devices() if several and variant_there.divides else cuda_devices()[:1]
        return variant_there, [device.memory for device in devices]
    except DeviceUnavailable:
        return variant, [0 if variant in gpu_variants else memory]
