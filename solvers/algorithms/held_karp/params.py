"""Parameters of Held-Karp."""

from dataclasses import dataclass

from solvers.algorithms.held_karp.variants import VARIANTS
from solvers.core.params import Params, gpus_param, ranks_param, variant_param


@dataclass(frozen=True)
class HeldKarpParams(Params):
    """Parameters of `HeldKarp`."""

    ranks: int = ranks_param()
    variant: str = variant_param(
        (variant.name for variant in VARIANTS),
        (
            "Where it runs: on all cores, in one thread, in MPI processes, or on a GPU; auto uses a GPU with enough "
            "memory."
        ),
    )
    gpus: str = gpus_param("Whether one GPU computes the layers of the variant cuda, or all GPUs share them.")
