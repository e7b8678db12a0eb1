"""Ant Colony System: ants mostly take the best edge, which loses pheromone; only the best tour is rewarded."""

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from solvers.algorithms.ants.acs.params import NAME, REPEATABLE, AntColonySystemParams
from solvers.algorithms.ants.acs.variants import CPU_VARIANTS, CUDA_VARIANTS, local_updates
from solvers.algorithms.ants.params import ColonyParams
from solvers.algorithms.ants.solver import AntSolver
from solvers.algorithms.ants.variants import AntVariant
from solvers.core.devices import cpu_text, cpu_threads
from solvers.core.params import Params
from solvers.core.solver import Job, Preset, Variant
from solvers.core.sources import QIN_HAN

if TYPE_CHECKING:
    from solvers.algorithms.ants.colony import AntColony
    from solvers.mpi.communicator import Communicator
    from solvers.mpi.rank_task import RankTask
_DORIGO = (
    'M. Dorigo and L. M. Gambardella, "Ant Colony System: A Cooperative Learning Approach to the Traveling Salesman '
    'Problem" (1997)'
)
#: The colony of Qin and Han: beta 2, q0 0.9, rho and alpha 0.1 (their section 3), 128 ants and 256 iterations (3.2.4),
#: one block per ant (2.2.1), which considers every city (2.2.2) and applies local updates by compare-and-swap (2.2.4).
_QIN_HAN = {
    "ants": 128, "iterations": 256, "beta": 2.0, "q0": 0.9, "rho": 0.1, "alpha": 0.1, "lists": False, "candidates": 0,
    "local_update": "compare-and-swap", "variant": "block",
}  # fmt: skip
#: Their 2-opt (2.2.5): all pairs of edges of the best ant's tour, one launch per change, until no change shortens it.
_TWO_OPT = {"local_search": "2-opt-of-best"}
#: Their ants on the CPU (2.4 and 2.6); figure 2 has 0.6 n ants (3.1.2).
_ON_CORES = {**_QIN_HAN, "local_search": "none", "local_update": "lockstep"}

#: Seconds per pair of cities before the first iteration, and per city of an ant's tour; see
#: `solvers.core.solver.Solver.first_row_seconds`: an iteration of 128 ants took 0.04 s for 1,000 cities, 0.29 s for
#: 5,000 and 2.2 s for 20,000, where the first one took 6.6 s.
_PAIR_SECONDS, _CITY_SECONDS = 1.1e-8, 6e-7


class AntColonySystem(AntSolver):
    """Ant Colony System."""

    name: ClassVar[str] = NAME
    title: ClassVar[str] = "Ant Colony System"
    source: ClassVar[str] = f"{_DORIGO}; as {QIN_HAN}"
    summary: ClassVar[str] = (
        "Ants mostly take the best edge, which loses pheromone as they use it; only the best tour so far is rewarded."
    )
    params: ClassVar[type[Params]] = AntColonySystemParams
    variants: ClassVar[tuple[Variant, ...]] = (*CPU_VARIANTS, *CUDA_VARIANTS)
    presets: ClassVar[tuple[Preset, ...]] = (
        Preset(
            "qin-han-none", "Qin and Han 2022, no 2-opt", {**_QIN_HAN, "local_search": "none"},
            f"{QIN_HAN}, sections 2.2, 3 and 3.2.4, figures 8 to 10",
        ),
        Preset(
            "qin-han-last", "Qin and Han 2022, last 2-opt", {**_QIN_HAN, **_TWO_OPT, "local_search_when": "last"},
            f"{QIN_HAN}, sections 2.2, 3, 3.2.4 and 3.2.5, figures 8 to 10",
        ),
        Preset(
            "qin-han-every", "Qin and Han 2022, every 2-opt", {**_QIN_HAN, **_TWO_OPT, "local_search_when": "every"},
            f"{QIN_HAN}, sections 2.2, 3, 3.2.4 and 3.2.5, figures 8 to 10",
        ),
        Preset(
            "qin-han-openmp", "Qin and Han 2022, OpenMP", {**_ON_CORES, "variant": "qin-han-openmp"},
            f"{QIN_HAN}, sections 2.4 and 3, figure 2",
        ),
        Preset(
            "qin-han-mpi", "Qin and Han 2022, MPI", {**_ON_CORES, "variant": "qin-han-mpi"},
            f"{QIN_HAN}, sections 2.6 and 3, figure 2",
        ),
        Preset(
            "dorigo-gambardella", "Dorigo and Gambardella 1997",
            {"ants": 10, "iterations": 2500, "local_search": "none", "local_update": "lockstep"},
            f"{_DORIGO}, section V",
        ),
        Preset("with-2-opt", "With 2-opt and Or-opt", {}, "This program", listed=False),
        Preset(
            "qin-han", "Qin and Han 2022",
            {
                "iterations": 256, "local_search": "2-opt+or-opt", "local_search_when": "last", "local_update": "racy",
                "lists": False, "candidates": 32,
            },
            f"{QIN_HAN}, section 3.2, with Or-opt", listed=False,
        ),
    )  # fmt: skip

    def _matrices_bytes(self, n: int, params: ColonyParams) -> int:
        return 8 * n * n  # distances and weights; only the trails of raised edges are stored

    def first_row_seconds(self, n: int, params: Params, threads: int) -> float:
        """See `solvers.core.solver.Solver`: the time for the matrices of all pairs, and for one iteration."""
        assert isinstance(params, ColonyParams)
        return _PAIR_SECONDS * n * n + _CITY_SECONDS * params.colony_size(n) * n / threads

    def _is_repeatable(self, job: Job, variant: AntVariant) -> bool:
        assert isinstance(job.params, AntColonySystemParams)
        return job.params.local_update in REPEATABLE or variant.name == "sequential"

    def _special_choice(self, params: Params) -> str:
        assert isinstance(params, AntColonySystemParams)
        return params.local_update

    def _unsupported_reason(self, params: Params, device: str) -> str:
        return f"{self._special_choice(params)} needs a GPU; on cores take lockstep, deferred or racy."

    def _supporting_variants(self, params: Params) -> list[AntVariant]:
        return [
            variant
            for variant in super()._supporting_variants(params)
            if self._special_choice(params) in local_updates(variant)
        ]

    def _colony(self, job: Job, variant: AntVariant) -> "tuple[AntColony, str, int]":
        assert isinstance(job.params, AntColonySystemParams)
        if variant.device == "cuda":
            from solvers.algorithms.ants.acs.cuda import ant_colony_system_colony

            colony = ant_colony_system_colony(job, variant)
            return colony, colony.device, 1
        if variant.needs == "mpi":
            return self._build_mpi_colony(job)
        from solvers.algorithms.ants.acs.cpu import AntColonySystemColony

        threads = 1 if variant.name == "sequential" else cpu_threads()
        return AntColonySystemColony(job, threads), cpu_text(threads), threads

    def _build_mpi_colony(self, job: Job) -> "tuple[AntColony, str, int]":
        """Return the colony of this process's MPI group; start MPI processes if there is none."""
        from solvers.algorithms.ants.acs.cpu import AntColonySystemColony
        from solvers.algorithms.ants.acs.mpi_colony import MpiColony
        from solvers.mpi.world import in_processes

        assert isinstance(job.params, AntColonySystemParams)
        return in_processes(job.params.ranks, partial(AntColonySystemColony, job, 1), partial(MpiColony, job))

    def part(self, job: Job, ranks: "Communicator") -> "RankTask":
        """See `solvers.core.solver.Solver.part`."""
        from solvers.algorithms.ants.acs.mpi import AntColonySystemRankTask

        return AntColonySystemRankTask(job, ranks)
