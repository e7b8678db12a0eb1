"""The resources that a run of a study uses: cores, or a GPU."""

from collections.abc import Sequence
from dataclasses import dataclass

from solvers.errors import DeviceUnavailable
from solvers.params import Params
from solvers.run import Prepared
from solvers.solver import Solver, choose_variant, is_automatic


@dataclass(frozen=True, slots=True)
class Claim:
    """The resources of a run of an entry: a GPU, or a number of cores."""

    gpu: bool
    cores: int


def claims(entries: Sequence[Prepared], threads: int, cores: int, gpus: int) -> tuple[Claim, ...]:
    """The resources that a run of each entry uses.

    Parameters
    ----------
    entries : sequence of Prepared
    threads : int
        Threads that a run may use.
    cores, gpus : int
        Numbers of available cores and GPUs.

    Raises
    ------
    DeviceUnavailable
        If an entry requires a GPU and there is none, or a package that is not installed.
    """
    return tuple(_claim(entry, threads, cores, gpus) for entry in entries)


def _claim(entry: Prepared, threads: int, cores: int, gpus: int) -> Claim:
    widest, gpu = threads, False
    for solver, params in entry.stages:
        if why := solver.missing():
            raise DeviceUnavailable(why)
        variant = choose_variant(solver, params, entry.spec.device)
        if variant.device == "cuda" and not gpus:
            raise DeviceUnavailable(f"{solver.name} needs a CUDA GPU, and there is none here.")
        gpu |= gpus > 0 and (variant.device == "cuda" or _may_use_gpu(solver, params, entry.spec.device))
        if variant.needs == "mpi":
            widest = max(widest, solver.processes(params) or cores)
    return Claim(gpu, widest)


def _may_use_gpu(solver: Solver, params: Params, device: str) -> bool:
    """Whether ``auto`` chooses a GPU if there is one and the instance suits it."""
    return is_automatic(params, device) and any(variant.device == "cuda" for variant in solver.variants)
