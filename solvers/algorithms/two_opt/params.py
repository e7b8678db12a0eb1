"""Parameters of 2-opt with random restarts."""

from dataclasses import dataclass

from solvers.algorithms.two_opt.variants import CUDA_VARIANTS
from solvers.core.params import Params, gpus_param, param, variant_param


@dataclass(frozen=True)
class TwoOptParams(Params):
    """Parameters of `TwoOpt`."""

    climbers: int = param(
        1000, label="Climbers", help="How many random tours are improved by 2-opt.",
        low=1, high=10_000_000, step=1, scale="log", symbol="k",
    )  # fmt: skip
    variant: str = variant_param(
        ("cpu", "sequential", *(variant.name for variant in CUDA_VARIANTS)),
        "Where it runs: on a GPU by one of many kernels, on all cores, or in one thread.",
    )
    exact: bool = param(
        True, label="Exact distances",
        help=(
            "Whether strip and multi-move use TSPLIB's distances. If off, they are faster, but a few float32 "
            "distances differ from TSPLIB's."
        ),
        gpu=True,
    )  # fmt: skip
    scan_rows: str = param(
        "one", label="Rows scanned at once",
        help=(
            "For matr_s, matr_g, matr_g_ro and calc. With one row, as in their paper, a move reads three distances. "
            "With two rows, two moves read five, and matr_s stores tours as bytes in shared memory. The moves are "
            "the same."
        ),
        choices=("one", "two"), gpu=True, advanced=True,
    )  # fmt: skip
    block_threads: str = param(
        "trial", label="Threads of tuned",
        help="How the block size of tuned is chosen: by a trial on the GPU, or by the rule on slide 38 alone.",
        choices=("trial", "rule"), gpu=True, advanced=True,
    )  # fmt: skip
    published: str = param(
        "no", label="As published",
        help=(
            "For original, hundred-cities and calculated. paper: blocks of up to 1,024 threads, and tours in 16 "
            "bits. program: also its authors' start tours, and their reduction, which can lose the best move if two "
            "are equal, so that a climb ends too early. Climbs on the CPU are the same."
        ),
        choices=("no", "paper", "program"), advanced=True,
    )  # fmt: skip
    gpus: str = gpus_param("Whether one GPU climbs, or all of them share the climbers.", former=("devices",))
