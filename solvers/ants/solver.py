"""Base class of ant algorithms: it runs a colony and yields its events."""

from abc import abstractmethod
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, ClassVar

from data.instance import Instance
from solvers.ants.memory import bytes_of_matrices, too_large
from solvers.ants.params import APART, ColonyParams
from solvers.ants.variants import AntVariant
from solvers.devices import cuda_devices
from solvers.errors import InvalidParams
from solvers.events import Compiling, Event, Started
from solvers.params import Params
from solvers.solver import Job, Solver, variant_that_runs

if TYPE_CHECKING:
    from solvers.ants.colony import AntColony
    from solvers.ants.islands_cuda import Islands
    from solvers.ants.shared_cuda import SharedColony

#: Seconds for each city that an ant considers, and for each city of a tour that local search shortens; see
#: `solvers.solver.Solver.first_row_seconds`. An iteration of Ant System took 0.26 s for 1,000 cities, 1.8 s for 2,000
#: and 33 s for 5,000; one of MAX-MIN Ant System 0.62, 3.7 and 34 s.
_CITY_SECONDS, _SEARCH_SECONDS = 2.6e-10, 4.0e-7


class AntSolver(Solver):
    """An algorithm that runs a colony; each iteration is a row of the table and a tour that can be replayed."""

    family: ClassVar[str] = "ant colony"
    iteration_unit: ClassVar[str] = "iteration"
    evaluation_unit: ClassVar[str] = "tour"
    views: ClassVar[tuple[str, ...]] = ("pheromone", "trails", "ants")
    comparison: ClassVar[str] = (
        "The same ants, computed in different ways: all variants draw a city with the same probabilities."
    )

    def solve(self, job: Job) -> Generator[Event, None, None]:
        """Run the colony; see `solvers.ants.run.events_of`.

        Raises
        ------
        DeviceUnavailable
            If the variant needs a GPU and there is none.
        InstanceTooLarge
            If the trails of all edges do not fit into memory, or the variant has a lower limit of cities.
        InvalidParams
            If the variant does not support the parameters.
        """
        from solvers.ants import final_local_search, heatmap
        from solvers.ants.run import events_of

        assert isinstance(job.params, ColonyParams)
        yield Compiling()
        variant = self._variant(job)
        began = perf_counter()
        colony, device, threads = self._colonies(job, variant)
        heatmap.load()
        final_local_search.load(job)
        with closing(colony):
            repeatable = self._is_repeatable(job, variant)
            yield Started(self.name, variant.name, device, threads, perf_counter() - began, repeatable)
            yield from events_of(job, colony, job.params.iterations)

    def replay(self, job: Job, climber: int) -> Iterator[Event]:
        """Yield the `Edges` of the best ant of one iteration, by repeating all iterations up to it."""
        from solvers.ants.run import replayed

        colony, _, _ = self._colonies(job, self._variant(job))
        with closing(colony):
            yield from replayed(job, colony, climber)

    def refusal(self, instance: Instance, params: Params, device: str) -> str:
        """See `solvers.solver.Solver`: local search of another device; on the CPU, too large colonies."""
        assert isinstance(params, ColonyParams)
        n, colonies = instance.n, getattr(params, "colonies", 1)
        if device != "cpu" or (why := params.search_refusal(n, "cpu")):
            return params.search_refusal(n, "cuda") if device != "cpu" else why
        matrices = self._matrices_bytes(n, params) + params.search_bytes(n)
        return too_large(instance.name, n, params.colony_size(n), matrices, colonies)

    def _matrices_bytes(self, n: int, params: ColonyParams) -> int:
        """Bytes of a colony on the CPU besides its tours."""
        return bytes_of_matrices(n, getattr(params, "selection", ""))

    def first_row_seconds(self, n: int, params: Params, threads: int) -> float:
        """See `solvers.solver.Solver`: an iteration, whose ants are divided among the threads."""
        assert isinstance(params, ColonyParams)
        cities = params.colony_size(n) * n  # that all ants visit
        search = _SEARCH_SECONDS if params.shortens_every_tour else 0.0
        return cities * (_CITY_SECONDS * n + search) / threads

    def _is_repeatable(self, job: Job, variant: AntVariant) -> bool:
        """Whether the same seed gives the same tours."""
        return True

    def _variant(self, job: Job) -> AntVariant:
        """The variant that runs: none of a GPU by itself, if local search needs the CPU."""
        assert isinstance(job.params, ColonyParams)
        on_gpu = job.params.search_refusal(job.instance.n, "cuda")
        variant = variant_that_runs(self, job, () if on_gpu else self._gpu_variants(job))
        assert isinstance(variant, AntVariant)
        if why := job.params.search_refusal(job.instance.n, variant.device):
            raise InvalidParams("local_search", job.params.moves, "another", why)
        return variant

    def _gpu_variants(self, job: Job) -> list[AntVariant] | None:
        """The variants of a GPU that can run a job, the best first; None for all."""
        return None

    def _colonies(self, job: Job, variant: AntVariant) -> "tuple[AntColony, str, int]":
        """The colony, or what several GPUs have of it; see `_colony`."""
        several = variant.device == "cuda" and getattr(job.params, "gpus", "one") == "all"
        count = len(cuda_devices()) if several else 1
        if count == 1:
            return self._colony(job, variant)
        colonies = self._on_several(job, variant, range(count))
        return colonies, colonies.device, 1

    def _on_several(self, job: Job, variant: AntVariant, devices: range) -> "SharedColony | Islands":
        """The colonies of a run on several GPUs: one on each, which exchange their best tours."""
        from solvers.ants.islands_cuda import Islands

        apart = APART * getattr(job.params, "colonies", 1)
        jobs = [replace(job, seed=job.seed + k * apart) for k in devices]
        return Islands(lambda k: self._colony(jobs[k], variant)[0], devices)

    @abstractmethod
    def _colony(self, job: Job, variant: AntVariant) -> "tuple[AntColony, str, int]":
        """Make the colony with all its kernels loaded; returns it, the device's description, and the thread count."""
