"""The solver interface: a description for the page, and a generator of events."""

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
    """Parameters as in a paper, or a choice named by an older release.

    Attributes
    ----------
    name : str
        kebab-case.
    title : str
        The paper's authors, as shown in a menu.
    params : dict
        Parameters that differ from the defaults.
    source : str
        Paper and section.
    listed : bool
        Whether menus offer the preset; the others are from older releases, and only the command line accepts them.
    """

    name: str
    title: str
    params: dict[str, Any]
    source: str
    listed: bool = True


#: Class of an algorithm's parameters, in its jobs and in its solver.
JobParams = TypeVar("JobParams", bound=Params, covariant=True)
SolverParams = TypeVar("SolverParams", bound=Params, contravariant=True)

#: Default variant for jobs without a plan.
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
        Stop rules, checked after every slice of work, and the run's clock.
    start : ndarray, shape (n,), int32, or None
        Best tour of the previous stage.
    pictures : bool
        Whether to report pictures besides tours and numbers, such as the pheromone.
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
    counted_from: ClassVar[int] = 1  #: the number of the first iteration; 0 if the number is itself a count
    chance: ClassVar[bool] = True  #: whether it uses random numbers; if not, every seed gives the same run
    listed: ClassVar[bool] = True  #: whether it is in menus; if not, it needs input that forms cannot provide
    exact: ClassVar[bool] = False  #: whether a completed run proves that its tour is optimal
    views: ClassVar[tuple[str, ...]] = ()  #: views besides tours: pheromone, trails, ants, layers
    makes_start: ClassVar[bool] = False  #: whether forms offer its tour as the start tour of another algorithm
    comparison: ClassVar[str] = ""  #: text above the table of its variants: what they have in common
    kernel_cities: ClassVar[tuple[int, ...]] = (16,)  #: instance sizes whose runs use all its kernels; () if none
    large: ClassVar[bool] = False  #: whether its packages are so large that only workers that run it load them
    needs_matrix_on_globe: ClassVar[bool] = False  #: whether it reads distances on the globe from a full matrix
    throughput: ClassVar[str] = ""  #: the file in `benchmarks/results` with the measured speeds of its variants

    def solve(self, job: Job[SolverParams]) -> Generator[Event, None, None]:
        """Solve the job; yield an event at least every 100 ms.

        Closing the generator cancels the run. `Compiling` comes first, then `Started`, then all other events, of which
        these may be some again; the caller adds `Finished`. Long loops between the first two go through
        `data.interruption.check_between`, which counts them towards the budget and may interrupt them.
        """
        ...

    def load_rare_kernels(self) -> None:
        """Compile or load the CPU kernels that are not needed for instances of `kernel_cities` cities."""
        return

    def replay(self, job: Job[SolverParams], climber: int) -> Iterator[Event]:
        """Reproduce a climber's `Moves` or `Edges` exactly from (seed, climber)."""
        ...

    def needs(self, instance: Instance, device: str, memory: int) -> str:
        """Describe the memory or time that a run needs and that is available; empty if it needs little.

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
        """Return the variants for ``auto``, best first; a run uses the first available one.

        The default is the first for a GPU, then the first for the CPU, among those that support directed instances if
        needed.

        Parameters
        ----------
        instance : Instance
        params : Params
            An instance of the solver's own class; already checked.
        machine : Machine
        """
        return first_of_each_device([variant for variant in self.variants if variant.directed or not instance.directed])

    def claims(self, instance: Instance, variant: Variant) -> int:
        """Return the device memory in bytes that a variant's run uses, if large and known in advance; otherwise 0."""
        return 0

    def refusal(self, instance: Instance, params: SolverParams, device: str) -> str:
        """Return a sentence saying why a run of an instance would fail, if known in advance; otherwise "".

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
        """Return a sentence saying why the solver cannot run here, such as a missing package; otherwise ""."""
        return ""

    def versions(self) -> dict[str, str]:
        """Return the versions of packages or own code that affect the results, by name."""
        return {}

    def first_row_seconds(self, n: int, params: SolverParams, threads: int) -> float:
        """Estimate the seconds until a CPU run's first row (a climber, a chain or an iteration); 0 if unknown.

        The costs in these estimates are processor times, measured once on one core of an Intel Xeon (Sapphire Rapids)
        by the variant ``sequential``, on uniform random cities (`data.generators`) of 500 to 20,000 cities. Another
        machine may take half or twice as long.

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
        """Return the parameter for the number of iterations, if any, named after the plural of their unit."""
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
    """Return a unit's plural, such as climbers, cities or tries."""
    if unit.endswith("y") and unit[-2:-1] not in "aeiou":
        return unit[:-1] + "ies"
    return unit + ("es" if unit.endswith(("s", "x", "ch", "sh")) else "s")


def is_exact(solver: Solver) -> bool:
    """Return whether a completed run proves that its tour is optimal.

    For solvers written before `Solver.exact` existed, the family decides.
    """
    return solver.exact or solver.family == "exact"
