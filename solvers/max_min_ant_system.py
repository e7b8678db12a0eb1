"""MAX-MIN Ant System: only the best ant leaves pheromone, and no trail leaves its limits."""

from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from solvers.ant_params import AntParams
from solvers.ant_rows import MMAS_CPU_ROWS, MMAS_CUDA_ROWS, AntRow, ant_row
from solvers.ant_solver import AntSolver
from solvers.devices import cpu_text, cpu_threads
from solvers.params import Params, param
from solvers.solver import Job, Preset, Variant

if TYPE_CHECKING:
    from solvers.colony import AntColony

#: Nearest cities that local search looks at.
SEARCHED = 10
#: Between the seeds of two colonies.
APART = 2**53
_STUTZLE = 'T. Stützle and H. H. Hoos, "MAX-MIN Ant System" (2000)'


@dataclass(frozen=True)
class MaxMinParams(AntParams):
    """Parameters of `MaxMinAntSystem`."""

    # 0.5 was the best of those measured for 100 iterations with local search.
    rho: float = param(
        0.5, label="Evaporation", help="The share of every trail that is lost in each iteration.",
        low=0.001, high=1.0, step=0.001, symbol="ρ",
    )  # fmt: skip
    local_search: str = param(
        "2-opt", label="Local search",
        help="Whether every ant's tour is shortened, by 2-opt and by moving up to three cities, before trails change.",
        choices=("2-opt", "none"),
    )  # fmt: skip
    lists: bool = param(
        True, label="Candidate lists",
        help="Whether an ant goes to a candidate as long as one is unvisited; if not, every city has its share.",
    )  # fmt: skip
    p_best: float = param(
        0.05, label="Chance of the best tour",
        help="Sets the lower limit: how likely a colony that has converged builds its best tour once more.",
        low=0.001, high=0.999, step=0.001, symbol="p", advanced=True,
    )  # fmt: skip
    patience: int = param(
        250, label="Restart after",
        help="Iterations without a better tour after which a colony that has converged begins anew; 0: never.",
        low=0, high=1_000_000, step=1, advanced=True,
    )  # fmt: skip
    colonies: int = param(
        1, label="Colonies", help="How many colonies work side by side, each with its own trails.",
        low=1, high=32, step=1, advanced=True,
    )  # fmt: skip
    variant: str = param(
        "auto", label="Variant", help="What computes: a graphics card, all cores, or one thread.",
        choices=("auto", *(row.name for row in (*MMAS_CPU_ROWS, *MMAS_CUDA_ROWS))),
    )  # fmt: skip

    def least_share(self, n: int) -> float:
        """The lower limit of the trails as a share of the upper one.

        Stützle and Hoos (2000), eq. 11, with the mean number of choices that an ant has at a step: half the candidates
        or, without lists, half the cities. With local search 1 / 2n, as in their section 5.
        """
        if self.local_search != "none":
            return 1.0 / (2 * max(n, 1))
        root = self.p_best ** (1.0 / max(n, 1))
        choices = (self.candidates if self.lists else n) / 2
        return min(1.0, (1.0 - root) / (max(choices - 1.0, 1.0) * root))


class MaxMinAntSystem(AntSolver):
    """MAX-MIN Ant System."""

    name: ClassVar[str] = "max-min-ant-system"
    title: ClassVar[str] = "MAX-MIN Ant System"
    source: ClassVar[str] = (
        f'{_STUTZLE}; several colonies after H. Bai, D. OuYang, X. Li, L. He and H. Yu, "MAX-MIN Ant System on GPU '
        'with CUDA" (2009)'
    )
    summary: ClassVar[str] = (
        "As Ant System, but only the best ant leaves pheromone, and trails stay within limits: so it keeps looking."
    )
    params: ClassVar[type[Params]] = MaxMinParams
    variants: ClassVar[tuple[Variant, ...]] = (*MMAS_CPU_ROWS, *MMAS_CUDA_ROWS)
    presets: ClassVar[tuple[Preset, ...]] = (
        Preset("local-search", "With 2-opt", {}, f"{_STUTZLE}, section 5"),
        Preset(
            "plain", "Ants alone", {"local_search": "none", "rho": 0.02, "iterations": 1000}, f"{_STUTZLE}, section 4"
        ),
    )  # fmt: skip

    def _row(self, job: Job) -> AntRow:
        return ant_row(self, job, MMAS_CUDA_ROWS)

    def _colony(self, job: Job, row: AntRow) -> "tuple[AntColony, str, int]":
        """The colony, or several told as one."""
        from solvers.colonies import Colonies
        from solvers.sketch import load

        load()
        assert isinstance(job.params, MaxMinParams)
        threads = cpu_threads() if row.name == "cpu" else 1
        colonies = []
        with ExitStack() as stack:
            for stream in range(job.params.colonies):
                colonies.append(self._one(job, row, threads, stream))
                stack.callback(colonies[-1].close)
            stack.pop_all()  # all are there: who is given them closes them
        device = colonies[0].device if row.device == "cuda" else cpu_text(threads)
        return (colonies[0] if len(colonies) == 1 else Colonies(colonies)), device, threads

    def _one(self, job: Job, row: AntRow, threads: int, stream: int):
        """Colony number `stream`."""
        if row.device == "cuda":
            from solvers.max_min_cuda import max_min_colony

            return max_min_colony(job, stream)
        from solvers.max_min_cpu import MaxMinColony

        return MaxMinColony(job, threads, stream)
