"""MAX-MIN Ant System: only the best ant deposits pheromone, and trails stay within limits."""

from contextlib import ExitStack
from typing import TYPE_CHECKING, ClassVar

from solvers.ants.max_min.params import MaxMinParams
from solvers.ants.max_min.variants import CPU_VARIANTS, CUDA_VARIANTS
from solvers.ants.solver import AntSolver
from solvers.ants.variants import AntVariant
from solvers.devices import cpu_text, cpu_threads
from solvers.params import Params
from solvers.solver import Job, Preset, Variant
from solvers.sources import BAI

if TYPE_CHECKING:
    from solvers.ants.colony import AntColony
_STUTZLE = 'T. Stützle and H. H. Hoos, "MAX-MIN Ant System" (2000)'


class MaxMinAntSystem(AntSolver):
    """MAX-MIN Ant System."""

    name: ClassVar[str] = "max-min-ant-system"
    title: ClassVar[str] = "MAX-MIN Ant System"
    source: ClassVar[str] = f"{_STUTZLE}; several colonies after {BAI}"
    summary: ClassVar[str] = (
        "As Ant System, but only the best ant deposits pheromone, within limits that keep the search diverse."
    )
    params: ClassVar[type[Params]] = MaxMinParams
    variants: ClassVar[tuple[Variant, ...]] = (*CPU_VARIANTS, *CUDA_VARIANTS)
    presets: ClassVar[tuple[Preset, ...]] = (
        Preset("local-search", "With 2-opt", {}, f"{_STUTZLE}, section 5"),
        Preset(
            "plain", "Ants alone", {"local_search": "none", "rho": 0.02, "iterations": 1000}, f"{_STUTZLE}, section 4"
        ),
    )  # fmt: skip

    def _colony(self, job: Job, variant: AntVariant) -> "tuple[AntColony, str, int]":
        """The colony, or several combined into one."""
        from solvers.ants.multi_colony import MultiColony

        assert isinstance(job.params, MaxMinParams)
        if variant.name == "bai":
            from solvers.ants.max_min.colonies_cuda import max_min_colonies

            together = max_min_colonies(job, variant)
            return together, together.device, 1
        threads = cpu_threads() if variant.name == "cpu" else 1
        colonies = []
        with ExitStack() as stack:
            for stream in range(job.params.colonies):
                colonies.append(self._one(job, variant, threads, stream))
                stack.callback(colonies[-1].close)
            stack.pop_all()  # all exist: the caller closes them
        device = colonies[0].device if variant.device == "cuda" else cpu_text(threads)
        return (colonies[0] if len(colonies) == 1 else MultiColony(colonies)), device, threads

    def _one(self, job: Job, variant: AntVariant, threads: int, stream: int):
        """Colony number `stream`."""
        if variant.device == "cuda":
            from solvers.ants.max_min.cuda import max_min_colony

            return max_min_colony(job, stream)
        from solvers.ants.max_min.cpu import MaxMinColony

        return MaxMinColony(job, threads, stream)
