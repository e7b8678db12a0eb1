"""The interface of solvers: a description for the page, and a generator of events."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

import numpy as np

from data.instance import Instance
from solvers.core.errors import DeviceUnavailable
from solvers.core.events import Event
from solvers.core.params import Param, Params
from solvers.core.stop import Counter
from solvers.core.variant import Variant as Variant

if TYPE_CHECKING:
    from solvers.core.machine import Machine
    from solvers.mpi.communicator import Communicator
    from solvers.mpi.rank_task import RankTask


@dataclass(frozen=True, slots=True)
class Preset:
    """Parameters as in a paper, or a choice that an older release named.

    Attributes
    ----------
    name : str
        The name in kebab-case.
    title : str
        The paper's authors, as shown in a menu.
    params : dict
        Parameters that differ from the defaults.
    source : str
        Paper and section.
    listed : bool
        Whether menus offer the preset; other presets are from older releases, and only the command line accepts them.
    """

    name: str
    title: str
    params: dict[str, Any]
    source: str
    listed: bool = True


#: The class of an algorithm's parameters, in its jobs and in its solver.
JobParams = TypeVar("JobParams", bound=Params, covariant=True)
SolverParams = TypeVar("SolverParams", bound=Params, contravariant=True)

#: The variant of jobs without a plan.
ONE_THREAD = Variant("sequential", "cpu", "", "")


@dataclass(frozen=True, slots=True, eq=False)
class Job(Generic[JobParams]):
    """The input of one stage of a run.

    Attributes
    ----------
    instance : Instance
    params : Params
        An instance of the solver's own class; already checked.
    seed : int
        0 <= seed < 2**63. Climber c draws from a stream that is a pure function of (seed, c).
    device : str
        ``auto``, ``cpu`` or ``cuda``.
    stop : Counter
        The stop rules, which are checked after every slice of work, and the run's clock.
    start : ndarray, shape (n,), int32, or None
        The best tour of the previous stage.
    pictures : bool
        Whether to report pictures, for example of the pheromone, besides tours and numbers.
    variant : Variant
        The variant to run, as chosen by the plan (`solvers.plan`).
    """

    instance: Instance
    params: JobParams
    seed: int
    device: str
    stop: Counter
    start: np.ndarray | None = None
    pictures: bool = True
    variant: Variant = ONE_THREAD


class Solver(Protocol[SolverParams]):
    """The interface of every algorithm, including users' own."""

    name: ClassVar[str]  #: kebab-case
    title: ClassVar[str]
    family: ClassVar[str]
    source: ClassVar[str]  #: authors, year, title
    summary: ClassVar[str]  #: one sentence for a beginner
    params: ClassVar[type[Params]]
    variants: ClassVar[tuple[Variant, ...]]
    iteration_unit: ClassVar[str]  #: singular, "climber"
    evaluation_unit: ClassVar[str]  #: singular, "move"
    step_unit: ClassVar[str] = "edge"  #: one step of the animation, singular: "move", "edge" or "step"
    presets: ClassVar[tuple[Preset, ...]] = ()
    counted_from: ClassVar[int] = 1  #: the first iteration's number; 0 if the number counts something, such as cities
    chance: ClassVar[bool] = True  #: whether it uses random numbers; if not, every seed gives the same run
    listed: ClassVar[bool] = True  #: whether it is in menus; if not, it needs input that forms cannot provide
    exact: ClassVar[bool] = False  #: whether a completed run proves its tour optimal
    views: ClassVar[tuple[str, ...]] = ()  #: views besides tours: pheromone, trails, ants, layers
    makes_start: ClassVar[bool] = False  #: whether forms offer its tour as the start tour of another algorithm
    comparison: ClassVar[str] = ""  #: text above the table of its variants: what these have in common
    kernel_cities: ClassVar[tuple[int, ...]] = (16,)  #: instance sizes whose runs use all its kernels; () if none
    large: ClassVar[bool] = False  #: whether its packages are so large that only workers that run the solver load them
    needs_matrix_on_globe: ClassVar[bool] = False  #: whether it reads distances on the globe from a full matrix
    throughput: ClassVar[str] = ""  #: the file in `benchmarks/results` with the measured speeds of its variants

    def solve(self, job: Job[SolverParams]) -> Generator[Event, None, None]:
        """Solve the job; yield an event at least every 100 ms.

        Closing the generator cancels the run. `Compiling` comes first, then `Started`, then all other events. Later,
        `Compiling` and `Started` may come again. The caller adds `Finished`. Long loops before `Started` go through
        `data.interruption.check_between`, which counts their time towards the budget and may interrupt them.
        """
        ...

    def load_rare_kernels(self) -> None:
        """Compile or load the CPU kernels that are not needed for instances of `kernel_cities` cities."""
        return

    def replay(self, job: Job[SolverParams], climber: int) -> Iterator[Event]:
        """Reproduce a climber's `Moves` or `Edges` exactly from (seed, climber)."""
        ...

    def needs(self, instance: Instance, device: str, memory: int) -> str:
        """Describe how much memory or time a run needs, and how much is available; empty if it needs little.

        Parameters
        ----------
        instance : Instance
        device : str
            ``cpu`` or ``cuda``.
        memory : int
            Bytes that the device has; 0 if unknown.
        """
        return ""

    def preferred(self, instance: Instance, params: SolverParams, machine: "Machine") -> Sequence[Variant]:
        """Return the variants for ``auto``, the best first; a run uses the first one that is available.

        By default these are the first for a GPU and the first for the CPU; for a directed instance, among the variants
        that support one.

        Parameters
        ----------
        instance : Instance
        params : Params
            An instance of the solver's own class; already checked.
        machine : Machine
        """
        return first_of_each_device([variant for variant in self.variants if variant.directed or not instance.directed])

    def claims(self, instance: Instance, variant: Variant) -> int:
        """Return how many bytes of the device's memory a run will use, if it is much and known in advance; else 0."""
        return 0

    def refusal(self, instance: Instance, params: SolverParams, device: str) -> str:
        """Return a sentence that says why a run of an instance would fail, if that is known in advance; otherwise "".

        Parameters
        ----------
        instance : Instance
        params : Params
            An instance of the solver's own class; already checked.
        device : str
            ``cpu`` or ``cuda``.
        """
        return ""

    def missing(self) -> str:
        """Return a sentence that says why the solver cannot run here, such as a missing package; otherwise ""."""
        return ""

    def versions(self) -> dict[str, str]:
        """Return the versions, by name, of the packages and the parts of the solver that affect results."""
        return {}

    def first_row_seconds(self, n: int, params: SolverParams, threads: int) -> float:
        """Estimate the seconds until a CPU run's first row (a climber, a chain or an iteration); 0 if unknown.

        The costs in these estimates are processor times of the variant ``sequential``, measured once on one core of an
        Intel Xeon (Sapphire Rapids), with 500 to 20,000 uniform random cities (`data.generators`). Another machine may
        take half or twice as long.

        Parameters
        ----------
        n : int
            Number of cities.
        params : Params
            An instance of the solver's own class; already checked.
        threads : int
            Number of threads.
        """
        return 0.0

    def iterations_param(self) -> Param | None:
        """Return the parameter for the number of iterations, if any: the one named after the plural of their unit."""
        param_name = plural(self.iteration_unit)
        return next((declared for declared in self.params.schema() if declared.name == param_name), None)

    def processes(self, params: SolverParams) -> int:
        """Return the number of processes of an MPI variant; 0 for one per core."""
        return getattr(params, "ranks", 0)

    def part(self, job: Job[SolverParams], ranks: "Communicator") -> "RankTask":
        """Return this process's task in a run of several `ranks`, for algorithms with a variant ``mpi``.

        Raises
        ------
        DeviceUnavailable
            If the algorithm does not run in several processes.
        InstanceTooLarge, RunFailed
            Raised in all processes.
        """
        raise DeviceUnavailable(f"{self.name} does not run in several processes.")


def first_of_each_device(variants: Sequence[Variant]) -> list[Variant]:
    """Return the first variant for a GPU and the first for the CPU, if any."""
    first = {variant.device: variant for variant in reversed(variants)}
    return [first[device] for device in ("cuda", "cpu") if device in first]


def plural(unit: str) -> str:
    """Return a unit's plural, for example climbers, cities or tries."""
    if unit.endswith("y") and unit[-2:-1] not in "aeiou":
        return unit[:-1] + "ies"
    return unit + ("es" if unit.endswith(("s", "x", "ch", "sh")) else "s")


def is_exact(solver: Solver) -> bool:
    """Return whether a completed run proves its tour optimal.

    If a solver was written before `Solver.exact` existed, its family decides.
    """
    return solver.exact or solver.family == "exact"
