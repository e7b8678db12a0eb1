"""Parameters of Held-Karp."""

from dataclasses import dataclass

from solvers.held_karp.variants import VARIANTS
from solvers.params import Params, param


@dataclass(frozen=True)
class HeldKarpParams(Params):
    """Parameters of `HeldKarp`."""

    ranks: int = param(
        0, label="Ranks", help="Processes of the variant mpi; 0 for one per core.",
        low=0, high=256, step=1, advanced=True,
    )  # fmt: skip
    variant: str = param(
        "auto", label="Variant",
        help="What computes: all cores, one thread, MPI processes, or a GPU; auto takes a GPU that has enough memory.",
        choices=("auto", *(row.name for row in VARIANTS)),
    )  # fmt: skip
