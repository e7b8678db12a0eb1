"""Base class of ant algorithms: it runs a colony and yields its events."""

from abc import abstractmethod
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from data.instance import Instance
from solvers.algorithms.ants.memory import matrices_size, too_large_reason
from solvers.algorithms.ants.params import COLONY_SEED_STEP, ColonyParams
from solvers.algorithms.ants.variants import AntVariant
from solvers.core.devices import cuda_devices
from solvers.core.events import Compiling, Event, Started
from solvers.core.params import on_all_gpus
from solvers.core.solver import Job, Solver, Variant, first_of_each_device

if TYPE_CHECKING:
    from solvers.algorithms.ants.colony import AntColony
    from solvers.algorithms.ants.islands_cuda import Islands
    from solvers.algorithms.ants.shared_cuda import SharedColony
    from solvers.core.machine import Machine

#: Seconds per city that an ant considers, and per city of a tour in local search, for
#: `solvers.core.solver.Solver.first_row_seconds`. An iteration of Ant System took 0.26 s for 1,000 cities, 1.8 s for
#: 2,000 and 33 s for 5,000; one of MAX-MIN Ant System took 0.62, 3.7 and 34 s.
_CITY_SECONDS, _SEARCH_SECONDS = 2.6e-10, 4.0e-7

#: The class of an ant algorithm's parameters.
AntSolverParams = TypeVar("AntSolverParams", bound=ColonyParams, contravariant=True)


class AntSolver(Solver[AntSolverParams], Generic[AntSolverParams]):
    """Base class of ant algorithms; each iteration is a table row and a tour that can be replayed."""

    family: ClassVar[str] = "ant colony"
    iteration_unit: ClassVar[str] = "iteration"
    evaluation_unit: ClassVar[str] = "tour"
    views: ClassVar[tuple[str, ...]] = ("pheromone", "trails", "ants")
    comparison: ClassVar[str] = (
        "The same ants, computed in different ways: all variants draw a city with the same probabilities."
    )

    def solve(self, job: Job[AntSolverParams]) -> Generator[Event, None, None]:
        """Run the colony; see `solvers.algorithms.ants.run.run_colony`.

        Raises
        ------
        DeviceUnavailable
            If the variant needs a GPU and there is none.
        InstanceTooLarge
            If the trails of all edges do not fit into memory, or the variant does not support this many cities.
        """
        from solvers.algorithms.ants import final_local_search, heatmap
        from solvers.algorithms.ants.cpu import CpuColony
        from solvers.algorithms.ants.run import run_colony
        from solvers.worker.kernel_loading import load_and_begin

        yield Compiling()
        variant, start_time = job.variant, perf_counter()
        assert isinstance(variant, AntVariant)
        colony, device, threads = self._colonies(job, variant)

        def start() -> Started:
            repeatable = self._is_repeatable(job, variant)
            return Started(self.name, variant.name, device, threads, perf_counter() - start_time, repeatable)

        with closing(colony):
            if isinstance(colony, CpuColony):
                loads: list[Callable[[], object]] = [*colony.make_loaders(), partial(final_local_search.load, job)]
                first = len(colony.make_walk_loaders())
                yield from load_and_begin(job, loads, first, start, colony.make_first_tour)
            else:
                if job.pictures:
                    heatmap.load()
                final_local_search.load(job)
                yield start()
            yield from run_colony(job, colony, job.params.iterations)

    def replay(self, job: Job[AntSolverParams], climber: int) -> Iterator[Event]:
        """Yield the `Edges` of one iteration's best ant, by repeating all iterations up to that one."""
        from solvers.algorithms.ants.cpu import CpuColony
        from solvers.algorithms.ants.run import replay
        from solvers.worker.kernel_loading import load_kernels

        assert isinstance(job.variant, AntVariant)
        colony, _, _ = self._colonies(job, job.variant)
        with closing(colony):
            if isinstance(colony, CpuColony):
                load_kernels(colony.make_loaders())
            yield from replay(job, colony, climber)

    def preferred(self, instance: Instance, params: AntSolverParams, machine: "Machine") -> Sequence[Variant]:
        """See `solvers.core.solver.Solver`; on a GPU, prefer the first variant that supports the parameters."""
        able = self._supporting_variants(params)
        variants = [variant for variant in self.variants if variant.directed or not instance.directed]
        return first_of_each_device([variant for variant in variants if variant.device == "cpu" or variant in able])

    def refusal(self, instance: Instance, params: AntSolverParams, device: str) -> str:
        """Refuse unsupported parameters and, on the CPU, colonies that are too large.

        See `solvers.core.solver.Solver`.
        """
        n, colonies = instance.n, getattr(params, "colonies", 1)
        has = [variant.name for variant in self.variants if variant.device == device]
        able = [variant.name for variant in self._supporting_variants(params) if variant.device == device]
        if not able:
            return self._unsupported_reason(params, device)
        if (requested := getattr(params, "variant", "auto")) not in ("auto", *able) and requested in has:
            return f"{self._special_choice(params)} needs the variant {' or '.join(able)}."
        if device != "cpu" or (reason := params.search_refusal(n, "cpu")):
            return params.search_refusal(n, "cuda") if device != "cpu" else reason
        matrices = self._matrices_bytes(n, params) + params.search_bytes(n)
        return too_large_reason(instance.name, n, params.colony_size(n), matrices, colonies)

    def _special_choice(self, params: AntSolverParams) -> str:
        """Return the parameter value that some variants do not support; empty if there is none."""
        return ""

    def _unsupported_reason(self, params: AntSolverParams, device: str) -> str:
        """Return a sentence that says that no variant on the device supports the parameters."""
        return f"{self._special_choice(params)} needs a GPU."

    def _supporting_variants(self, params: AntSolverParams) -> list[AntVariant]:
        """Return the variants that support the parameters."""
        return [variant for variant in self.variants if isinstance(variant, AntVariant)]

    def _matrices_bytes(self, n: int, params: AntSolverParams) -> int:
        """Return the bytes of a colony's matrices on the CPU."""
        return matrices_size(n, getattr(params, "selection", ""))

    def first_row_seconds(self, n: int, params: AntSolverParams, threads: int) -> float:
        """See `solvers.core.solver.Solver`; the time of one iteration, whose ants are divided among the threads."""
        cities = params.colony_size(n) * n  # number of cities that all ants together visit
        search = _SEARCH_SECONDS if params.shortens_every_tour else 0.0
        return cities * (_CITY_SECONDS * n + search) / threads

    def _is_repeatable(self, job: Job[AntSolverParams], variant: AntVariant) -> bool:
        """Return whether the same seed gives the same tours."""
        return True

    def _colonies(self, job: Job[AntSolverParams], variant: AntVariant) -> "tuple[AntColony, str, int]":
        """Build the colony on one or several devices; see `_colony`."""
        several = variant.device == "cuda" and on_all_gpus(job.params)
        count = len(cuda_devices()) if several else 1
        if count == 1:
            return self._colony(job, variant)
        colonies = self._split_across_gpus(job, variant, range(count))
        return colonies, colonies.device, 1

    def _split_across_gpus(
        self, job: Job[AntSolverParams], variant: AntVariant, devices: range
    ) -> "SharedColony | Islands":
        """Build one colony on each GPU; the colonies exchange their best tours."""
        from solvers.algorithms.ants.islands_cuda import Islands

        seed_distance = COLONY_SEED_STEP * getattr(job.params, "colonies", 1)
        jobs = [replace(job, seed=job.seed + k * seed_distance) for k in devices]
        return Islands(lambda k: self._colony(jobs[k], variant)[0], devices)

    @abstractmethod
    def _colony(self, job: Job[AntSolverParams], variant: AntVariant) -> "tuple[AntColony, str, int]":
        """Build the colony and load its kernels; return it, the device's description and the number of threads."""
