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

    card: bool
    cores: int


def claims(entries: Sequence[Prepared], threads: int, cores: int, cards: int) -> tuple[Claim, ...]:
    """The resources that a run of each entry uses.

    Parameters
    ----------
    entries : sequence of Prepared
    threads : int
        Threads that a run may use.
    cores, cards : int
        Numbers of available cores and GPUs.

    Raises
    ------
    DeviceUnavailable
        If an entry requires a GPU and there is none.
    """
    return tuple(_claim(entry, threads, cores, cards) for entry in entries)


def _claim(entry: Prepared, threads: int, cores: int, cards: int) -> Claim:
    widest, card = threads, False
    for solver, params in entry.stages:
        row = choose_variant(solver, params, entry.spec.device)
        if row.device == "cuda" and not cards:
            raise DeviceUnavailable(f"{solver.name} needs a CUDA GPU, and there is none here.")
        card |= cards > 0 and (row.device == "cuda" or _may_take_a_card(solver, params, entry.spec.device))
        if row.needs == "mpi":
            widest = max(widest, solver.processes(params) or cores)
    return Claim(card, widest)


def _may_take_a_card(solver: Solver, params: Params, device: str) -> bool:
    """Whether ``auto`` chooses a GPU if there is one and the instance suits it."""
    return is_automatic(params, device) and any(row.device == "cuda" for row in solver.variants)
