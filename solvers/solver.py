"""The interface of a solver: a description that the page can read, and a generator of events."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

from data.instance import Instance
from solvers.errors import DeviceUnavailable
from solvers.events import Event
from solvers.params import Param, Params
from solvers.stop import Counter
from solvers.variant import Variant as Variant

if TYPE_CHECKING:
    from solvers.machine import Machine
    from solvers.mpi.communicator import Communicator
    from solvers.mpi.rank_task import RankTask


@dataclass(frozen=True, slots=True)
class Preset:
    """Parameters as in a paper, or by a name of an older release.

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
        Whether menus offer it; the command line reads the others too, which are of older releases.
    """

    name: str
    title: str
    params: dict[str, Any]
    source: str
    listed: bool = True


#: What a job has that nobody has planned.
ONE_THREAD = Variant("sequential", "cpu", "", "")


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """The input of one stage of a run.

    Attributes
    ----------
    instance : Instance
    params : Params
        Of the solver's own class; already checked.
    seed : int
        0 <= seed < 2**63. Climber c draws from a stream that is a pure function of (seed, c).
    device : str
        ``auto``, ``cpu`` or ``cuda``.
    stop : Counter
        Checked after every slice of work; also has the run's clock.
    start : ndarray, shape (n,), int32, or None
        Best tour of the previous stage.
    pictures : bool
        Whether to report what solvers show besides tours and numbers, such as pheromone.
    variant : Variant
        The variant that runs, as the plan of the run decides (`solvers.plan`).
    """

    instance: Instance
    params: Params
    seed: int
    device: str
    stop: Counter
    start: np.ndarray | None = None
    pictures: bool = True
    variant: Variant = ONE_THREAD


class Solver(Protocol):
    """The interface of every algorithm, also of the user's own."""

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
    counted_from: ClassVar[int] = 1  #: the first iteration's number: 0 if that number is itself a count
    chance: ClassVar[bool] = True  #: whether it uses random numbers: if not, every seed gives the same run
    listed: ClassVar[bool] = True  #: whether it is in menus; if not, it needs input that no form has
    exact: ClassVar[bool] = False  #: whether a completed run proves that its tour is optimal
    views: ClassVar[tuple[str, ...]] = ()  #: views besides tours: pheromone, trails, ants, layers
    makes_start: ClassVar[bool] = False  #: whether forms offer its tour as the start tour of another algorithm
    comparison: ClassVar[str] = ""  #: text above the table that compares its variants: what they share
    kernel_cities: ClassVar[tuple[int, ...]] = (16,)  #: numbers of cities whose runs need all its kernels; () if none
    large: ClassVar[bool] = False  #: whether its packages are so large that only workers that run it load them
    throughput: ClassVar[str] = ""  #: the file in `benchmarks/results` with the measured speeds of its variants

    def solve(self, job: Job) -> Generator[Event, None, None]:
        """Solve, yielding events; at most 100 ms pass between two yields.

        Closing the generator cancels the run. `Compiling` comes first, then `Started`, then all others; the caller adds
        `Finished`. What takes long between the two goes through `data.interruption.check_between`, which counts it
        against the budget and may end it.
        """
        ...

    def replay(self, job: Job, climber: int) -> Iterator[Event]:
        """Reproduce the `Moves` or `Edges` of one climber exactly, from (seed, climber) alone."""
        ...

    def needs(self, instance: Instance, device: str, memory: int) -> str:
        """Describe what a run needs and what is available, before it starts; empty if nothing needs to be said.

        Parameters
        ----------
        instance : Instance
        device : str
            ``cpu`` or ``cuda``.
        memory : int
            Bytes that the device has; 0 if unknown.
        """
        return ""

    def preferred(self, instance: Instance, params: Params, machine: "Machine") -> Sequence[Variant]:
        """Return the variants that ``auto`` may take, the best first: it takes the first that can run.

        By default the first for a GPU, then the first for the CPU, of those that take the instance's directions.

        Parameters
        ----------
        instance : Instance
        params : Params
            Of the solver's own class; already checked.
        machine : Machine
        """
        return first_of_each_device([each for each in self.variants if each.directed or not instance.directed])

    def claims(self, instance: Instance, variant: Variant) -> int:
        """Bytes of its device's memory that a run by a variant takes, where that is much and known before; else 0."""
        return 0

    def refusal(self, instance: Instance, params: Params, device: str) -> str:
        """Say in one sentence why a run of an instance would fail, as far as that is known before it starts, or "".

        Parameters
        ----------
        instance : Instance
        params : Params
            Of the solver's own class; already checked.
        device : str
            ``cpu`` or ``cuda``.
        """
        return ""

    def missing(self) -> str:
        """Say in one sentence why it cannot run here, such as a missing package; else ""."""
        return ""

    def versions(self) -> dict[str, str]:
        """Return by name the versions of the packages, or of its own code, that its results depend on."""
        return {}

    def first_row_seconds(self, n: int, params: Params, threads: int) -> float:
        """Estimate the seconds until the first row of a run on a CPU: a climber, a chain, an iteration; 0 if unknown.

        The costs in the estimates are processor time, measured once on one core of an Intel Xeon (Sapphire Rapids) by
        the variant ``sequential``, on uniform random cities (`data.generators`) of 500 to 20,000 cities. Another
        machine may take half as long or twice.

        Parameters
        ----------
        n : int
            Cities.
        params : Params
            Of the solver's own class; already checked.
        threads : int
            Threads that compute side by side.
        """
        return 0.0

    def iterations_param(self) -> Param | None:
        """Return the parameter for the number of iterations, if there is one: its name is the plural of their unit."""
        wanted = plural(self.iteration_unit)
        return next((declared for declared in self.params.schema() if declared.name == wanted), None)

    def processes(self, params: Params) -> int:
        """Return the number of processes of a variant that needs MPI; 0 for one per core."""
        return getattr(params, "ranks", 0)

    def part(self, job: Job, ranks: "Communicator") -> "RankTask":
        """Return this process's task in a run of `ranks`; for an algorithm with a variant ``mpi``.

        Raises
        ------
        DeviceUnavailable
            If the algorithm does not run in several processes.
        InstanceTooLarge, RunFailed
            In all processes alike.
        """
        raise DeviceUnavailable(f"{self.name} does not run in several processes.")


def first_of_each_device(variants: Sequence[Variant]) -> list[Variant]:
    """Return the first variant for a GPU, then the first for the CPU, if there are any."""
    first = {variant.device: variant for variant in reversed(variants)}
    return [first[device] for device in ("cuda", "cpu") if device in first]


def plural(unit: str) -> str:
    """Return the plural of a unit: climbers, cities, tries."""
    if unit.endswith("y") and unit[-2:-1] not in "aeiou":
        return unit[:-1] + "ies"
    return unit + ("es" if unit.endswith(("s", "x", "ch", "sh")) else "s")


def is_exact(solver: Solver) -> bool:
    """Whether a completed run proves that its tour is optimal.

    For solvers written before `Solver.exact` existed, the family decides.
    """
    return solver.exact or solver.family == "exact"
