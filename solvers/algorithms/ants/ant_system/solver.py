"""Ant System: ants choose each next city by its distance and by the pheromone that all ants deposit."""

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from data.instance import Instance
from solvers.algorithms.ants.ant_system.params import AntSystemParams
from solvers.algorithms.ants.ant_system.variants import CPU_VARIANTS, CUDA_VARIANTS
from solvers.algorithms.ants.solver import AntSolver
from solvers.algorithms.ants.variants import AntVariant
from solvers.core.devices import cpu_text, cpu_threads
from solvers.core.params import Params
from solvers.core.solver import Job, Preset, Variant
from solvers.core.sources import BITNER, UCHIDA
from solvers.presets.published import list_published_presets

if TYPE_CHECKING:
    from solvers.algorithms.ants.colony import AntColony

#: How many times as long i-roulette takes as other selections, since it draws a random number for each city.
_DRAWS = 2.2
#: The reason for refusing a GPU.
_NEEDS_CORES = "The rules utne-hansen and a minimum weight are computed on cores: use the variant cpu or sequential."


class AntSystem(AntSolver[AntSystemParams]):
    """Ant System, the first of the ant algorithms."""

    name: ClassVar[str] = "ant-system"
    title: ClassVar[str] = "Ant System"
    source: ClassVar[str] = (
        'M. Dorigo, V. Maniezzo and A. Colorni, "Ant System: Optimization by a Colony of Cooperating Agents" (1996); '
        'rank-based after B. Bullnheimer, R. F. Hartl and C. Strauss, "A New Rank Based Version of the Ant System" '
        "(1999); "
        f"as {UCHIDA}, and {BITNER}"
    )
    summary: ClassVar[str] = (
        "Ants build tours city by city, by distance and pheromone; shorter tours deposit more pheromone."
    )
    comparison: ClassVar[str] = (
        "The same ants, computed in different ways: with every selection but i-roulette, all variants draw a city with "
        "the same probabilities."
    )
    params: ClassVar[type[Params]] = AntSystemParams
    variants: ClassVar[tuple[Variant, ...]] = (*CPU_VARIANTS, *CUDA_VARIANTS)
    presets: ClassVar[tuple[Preset, ...]] = list_published_presets("ant-system")

    def first_row_seconds(self, n: int, params: AntSystemParams, threads: int) -> float:
        """See `solvers.core.solver.Solver`."""
        draws = _DRAWS if params.selection == "i-roulette" else 1.0
        return draws * super().first_row_seconds(n, params, threads)

    def refusal(self, instance: Instance, params: AntSystemParams, device: str) -> str:
        """See `solvers.core.solver.Solver`; also refuses rules that a GPU does not support."""
        if device == "cuda" and params.needs_cores:
            return _NEEDS_CORES
        return super().refusal(instance, params, device)

    def _is_repeatable(self, job: Job[AntSystemParams], variant: AntVariant) -> bool:
        return variant.device == "cpu" or job.params.deposit != "float-atomic"

    def _special_choice(self, params: AntSystemParams) -> str:
        return params.selection

    def _supporting_variants(self, params: AntSystemParams) -> list[AntVariant]:
        able = [
            variant
            for variant in super()._supporting_variants(params)
            if not params.needs_cores or variant.device == "cpu"
        ]
        return [variant for variant in able if params.selection in ("auto", *variant.selections)]

    def _colony(self, job: Job[AntSystemParams], variant: AntVariant) -> "tuple[AntColony, str, int]":
        if job.params.scaled_deposit:
            from data.distances import distance_matrix

            longest = int(distance_matrix(job.instance).max(initial=0))
            job = replace(job, params=job.params.scaled(longest))
        if variant.device == "cuda":
            from solvers.algorithms.ants.ant_system.cuda import build_colony

            colony = build_colony(job, variant)
            return colony, colony.device, 1
        from solvers.algorithms.ants.ant_system.cpu import AntSystemColony

        threads = cpu_threads() if variant.name == "cpu" else 1
        return AntSystemColony(job, variant, threads), cpu_text(threads), threads
