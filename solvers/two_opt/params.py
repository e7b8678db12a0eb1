"""Parameters of 2-opt with random restarts."""

from dataclasses import dataclass

from solvers.params import Params, param, variant_param
from solvers.two_opt.variants import CUDA_VARIANTS


@dataclass(frozen=True)
class TwoOptParams(Params):
    """Parameters of `TwoOpt`."""

    climbers: int = param(
        1000, label="Climbers", help="How many random tours are improved by 2-opt.",
        low=1, high=10_000_000, step=1, scale="log", symbol="k",
    )  # fmt: skip
    variant: str = variant_param(
        ("cpu", "sequential", *(variant.name for variant in CUDA_VARIANTS)),
        "What computes: a GPU by one of many kernels, all cores, or one thread.",
    )
    exact: bool = param(
        True, label="Exact distances",
        help="Whether strip and multi-move use TSPLIB's distances. If off, faster, but a few "
        "float32 distances differ from TSPLIB's.",
        gpu=True,
    )  # fmt: skip
    gpus: str = param(
        "one", label="GPUs", help="Whether one GPU climbs, or all of them share the climbers.",
        choices=("one", "all"), gpu=True, former=("devices",),
    )  # fmt: skip
