"""MAX-MIN Ant System: only the best ant deposits pheromone, and trails stay within limits."""

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, ClassVar

from solvers.algorithms.ants.max_min.params import MaxMinParams
from solvers.algorithms.ants.max_min.variants import CPU_VARIANTS, CUDA_VARIANTS
from solvers.algorithms.ants.solver import AntSolver
from solvers.algorithms.ants.variants import AntVariant
from solvers.core.devices import cpu_text, cpu_threads, split_climbers
from solvers.core.params import Params
from solvers.core.solver import Job, Preset, Variant
from solvers.core.sources import BAI
from solvers.presets.published import list_published_presets

if TYPE_CHECKING:
    from solvers.algorithms.ants.colony import AntColony
    from solvers.algorithms.ants.islands_cuda import Islands
    from solvers.algorithms.ants.shared_cuda import SharedColony
_STUTZLE = 'T. Stützle and H. H. Hoos, "MAX-MIN Ant System" (2000)'


class MaxMinAntSystem(AntSolver[MaxMinParams]):
    """MAX-MIN Ant System."""

    name: ClassVar[str] = "max-min-ant-system"
    title: ClassVar[str] = "MAX-MIN Ant System"
    source: ClassVar[str] = f"{_STUTZLE}; several colonies after {BAI}"
    summary: ClassVar[str] = (
        "As Ant System, but only the best ant deposits pheromone, within limits that keep the search diverse."
    )
    params: ClassVar[type[Params]] = MaxMinParams
    variants: ClassVar[tuple[Variant, ...]] = (*CPU_VARIANTS, *CUDA_VARIANTS)
    presets: ClassVar[tuple[Preset, ...]] = list_published_presets("max-min-ant-system")

    def _colony(self, job: Job[MaxMinParams], variant: AntVariant) -> "tuple[AntColony, str, int]":
        """Build the colony, or several colonies combined in one."""
        from solvers.algorithms.ants.multi_colony import MultiColony
        from solvers.worker.kernel_loading import load_kernels

        if variant.name == "bai":
            from solvers.algorithms.ants.max_min.colonies_cuda import build_colonies

            together = build_colonies(job, variant)
            return together, together.device, 1
        threads = cpu_threads() if variant.name == "cpu" else 1
        colonies = []
        with ExitStack() as stack:
            for stream in range(job.params.colonies):
                colonies.append(self._build_colony(job, variant, threads, stream))
                stack.callback(colonies[-1].close)
            stack.pop_all()  # all colonies exist; from here on, the caller must close them
        if variant.device == "cpu" and len(colonies) > 1:
            load_kernels(colonies[0].make_loaders())
        device = colonies[0].device if variant.device == "cuda" else cpu_text(threads)
        return (colonies[0] if len(colonies) == 1 else MultiColony(colonies)), device, threads

    def _split_across_gpus(
        self, job: Job[MaxMinParams], variant: AntVariant, devices: range
    ) -> "SharedColony | Islands":
        """See `AntSolver`; splits the ants of a single colony, for the variant with one warp per ant."""
        from solvers.algorithms.ants.max_min.cuda import build_colony
        from solvers.algorithms.ants.shared_cuda import SharedColony

        params = job.params
        if variant.name == "bai" or params.colonies > 1:
            return super()._split_across_gpus(job, variant, devices)
        own = [range(*share) for share in split_climbers(params.colony_size(job.instance.n), len(devices))]
        return SharedColony(lambda k: build_colony(job, own=own[k]), own, devices[: len(own)])

    def _build_colony(self, job: Job[MaxMinParams], variant: AntVariant, threads: int, stream: int) -> Any:
        """Build the colony with index `stream`."""
        if variant.device == "cuda":
            from solvers.algorithms.ants.max_min.cuda import build_colony

            return build_colony(job, stream)
        from solvers.algorithms.ants.max_min.cpu import MaxMinColony

        return MaxMinColony(job, threads, stream)
