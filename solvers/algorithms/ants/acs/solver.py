"""Ant Colony System: ants mostly take the best edge and lower its trail; only the best tour receives pheromone."""

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from solvers.algorithms.ants.acs.params import NAME, REPEATABLE, AntColonySystemParams
from solvers.algorithms.ants.acs.variants import CPU_VARIANTS, CUDA_VARIANTS, local_updates
from solvers.algorithms.ants.solver import AntSolver
from solvers.algorithms.ants.variants import AntVariant
from solvers.core.devices import cpu_text, cpu_threads
from solvers.core.params import Params
from solvers.core.solver import Job, Preset, Variant
from solvers.core.sources import QIN_HAN
from solvers.presets.published import list_published_presets

if TYPE_CHECKING:
    from solvers.algorithms.ants.colony import AntColony
    from solvers.mpi.communicator import Communicator
    from solvers.mpi.rank_task import RankTask
_DORIGO = (
    'M. Dorigo and L. M. Gambardella, "Ant Colony System: A Cooperative Learning Approach to the Traveling Salesman '
    'Problem" (1997)'
)
#: Seconds per pair of cities before the first iteration, and per city of an ant's tour, for
#: `solvers.core.solver.Solver.first_row_seconds`: an iteration of 128 ants took 0.04 s for 1,000 cities, 0.29 s for
#: 5,000 and 2.2 s for 20,000; for 20,000, the first iteration took 6.6 s.
_PAIR_SECONDS, _CITY_SECONDS = 1.1e-8, 6e-7


class AntColonySystem(AntSolver[AntColonySystemParams]):
    """Ant Colony System."""

    name: ClassVar[str] = NAME
    title: ClassVar[str] = "Ant Colony System"
    source: ClassVar[str] = f"{_DORIGO}; as {QIN_HAN}"
    summary: ClassVar[str] = (
        "Ants mostly take the best edge, which loses pheromone as they use it; only the best tour so far is rewarded."
    )
    params: ClassVar[type[Params]] = AntColonySystemParams
    variants: ClassVar[tuple[Variant, ...]] = (*CPU_VARIANTS, *CUDA_VARIANTS)
    presets: ClassVar[tuple[Preset, ...]] = list_published_presets("ant-colony-system")

    def _matrices_bytes(self, n: int, params: AntColonySystemParams) -> int:
        return 8 * n * n  # distances and weights; only the trails of raised edges are stored

    def first_row_seconds(self, n: int, params: AntColonySystemParams, threads: int) -> float:
        """See `solvers.core.solver.Solver`; the time of computing the matrices and of one iteration."""
        return _PAIR_SECONDS * n * n + _CITY_SECONDS * params.colony_size(n) * n / threads

    def _is_repeatable(self, job: Job[AntColonySystemParams], variant: AntVariant) -> bool:
        return job.params.local_update in REPEATABLE or variant.name == "sequential"

    def _special_choice(self, params: AntColonySystemParams) -> str:
        return params.local_update

    def _unsupported_reason(self, params: AntColonySystemParams, device: str) -> str:
        return f"{self._special_choice(params)} needs a GPU; on the CPU use lockstep, deferred or racy."

    def _supporting_variants(self, params: AntColonySystemParams) -> list[AntVariant]:
        return [
            variant
            for variant in super()._supporting_variants(params)
            if self._special_choice(params) in local_updates(variant)
        ]

    def _colony(self, job: Job[AntColonySystemParams], variant: AntVariant) -> "tuple[AntColony, str, int]":
        if variant.device == "cuda":
            from solvers.algorithms.ants.acs.cuda import build_colony

            colony = build_colony(job, variant)
            return colony, colony.device, 1
        if variant.needs == "mpi":
            return self._build_mpi_colony(job)
        from solvers.algorithms.ants.acs.cpu import AntColonySystemColony

        threads = 1 if variant.name == "sequential" else cpu_threads()
        return AntColonySystemColony(job, threads), cpu_text(threads), threads

    def _build_mpi_colony(self, job: Job[AntColonySystemParams]) -> "tuple[AntColony, str, int]":
        """Return the colony of this process's MPI group, or of MPI processes that it starts if there is no group."""
        from solvers.algorithms.ants.acs.cpu import AntColonySystemColony
        from solvers.algorithms.ants.acs.mpi_colony import MpiColony
        from solvers.mpi.world import create_in_processes

        return create_in_processes(job.params.ranks, partial(AntColonySystemColony, job, 1), partial(MpiColony, job))

    def part(self, job: Job[AntColonySystemParams], ranks: "Communicator") -> "RankTask":
        """See `solvers.core.solver.Solver.part`."""
        from solvers.algorithms.ants.acs.mpi import AntColonySystemRankTask

        return AntColonySystemRankTask(job, ranks)
