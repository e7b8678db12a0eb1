"""The interface of a solver: a description that the page can read, and a generator of events."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

from data.instance import Instance
from data.limits import MAX_CITIES
from solvers.errors import DeviceUnavailable
from solvers.events import Event
from solvers.gpu.capability import EVERY_GPU
from solvers.gpu.limits import BOUNDLESS, Limits
from solvers.params import Param, Params
from solvers.stop import Counter

if TYPE_CHECKING:
    from solvers.machine import Machine
    from solvers.mpi.communicator import Communicator
    from solvers.mpi.rank_task import RankTask


def vast_sentence(name: str) -> str:
    """What is said of an algorithm or a variant that does not take more than `data.limits.MAX_CITIES`."""
    return f"{name} takes at most {MAX_CITIES:,} cities; Lin-Kernighan and the space-filling curve take more."


@dataclass(frozen=True, slots=True)
class Variant:
    """One variant of an algorithm: an implementation for one kind of device.

    Attributes
    ----------
    name : str
        Value of the ``variant`` parameter.
    device : str
        ``cpu`` or ``cuda``.
    kernel : str
        Its kernel factory as ``module:function``, imported only inside `Solver.solve`.
    note : str
        How it differs from the other variants, in one sentence.
    source : str
        Paper and section; empty if there is nothing to cite.
    memory : str
        Which data it keeps in which memory.
    lesson : str
        Its key idea, in one sentence; empty if it has none to compare.
    needs : str
        ``mpi`` if it needs MPI besides its device, else empty.
    shares : bool
        Whether processes of a machine share their tables, if it needs MPI; else each has its own.
    capability : tuple of int
        The compute capability that a GPU needs.
    bound, shared_bound : str
        Why `most_cities` is the most, as a clause: regardless of the GPU's shared memory, and because of it;
        ``{shared}`` stands for the KB that a block may have.
    directed : bool
        Whether it takes directed instances; if not, it needs distances that are the same in both directions.
    divides : bool
        Whether several GPUs divide its tables, so that it has the memory of all of them.
    vast : bool
        Whether it takes more than `data.limits.MAX_CITIES`: its time and its memory grow little faster than the
        number of cities.
    """

    name: str
    device: str
    kernel: str
    note: str
    source: str = ""
    memory: str = ""
    lesson: str = ""
    needs: str = field(default="", kw_only=True)
    shares: bool = field(default=True, kw_only=True)
    capability: tuple[int, int] = field(default=EVERY_GPU, kw_only=True)
    bound: str = field(default="", kw_only=True)
    shared_bound: str = field(default="", kw_only=True)
    directed: bool = field(default=False, kw_only=True)
    divides: bool = field(default=False, kw_only=True)
    vast: bool = field(default=False, kw_only=True)

    def unavailable_reason(self, kind: str, n: int, limits: Limits, memory: int = 0) -> str:
        """Return why it cannot run an instance, in one sentence; empty if it can.

        Parameters
        ----------
        kind : str
            The instance's type of distances, as TSPLIB names it.
        n : int
        limits : Limits
            The device's resources.
        memory : int
            Bytes of memory that the device has; 0 if unknown.
        """
        if n > MAX_CITIES and not self.vast:
            return vast_sentence(self.name)
        most = self.most_cities(limits)
        if most is None or n <= most:
            return ""
        why = self.limit_reason(limits)
        return f"{self.name} takes at most {most:,} cities on this device{f': {why}' if why else ''}."

    def needed(self, instance: Instance, memory: int) -> str:
        """Describe what a run by this variant needs and what is available; empty if `Solver.needs` says it of all.

        Parameters
        ----------
        instance : Instance
        memory : int
            Bytes that the device has, or each process of a run by MPI; 0 if unknown.
        """
        return ""

    def room(self, memories: Sequence[int]) -> int:
        """Return the bytes of tables that several GPUs with so much memory each have room for, if they divide them."""
        return min(memories)

    def needed_of_each(self, instance: Instance, memories: Sequence[int]) -> str:
        """Describe what a run needs of each of several GPUs that divide its tables, and what is available.

        Parameters
        ----------
        instance : Instance
        memories : sequence of int
            Bytes that each GPU has.
        """
        return ""

    def most_cities(self, limits: Limits) -> int | None:
        """Return the most cities on such a device; None if only the device's memory is the limit."""
        return None

    def limit_reason(self, limits: Limits) -> str:
        """Return why these are the most cities on such a device, as a clause; empty if nothing is said."""
        fixed = self.most_cities(limits) == self.most_cities(BOUNDLESS)
        return (self.bound if fixed else self.shared_bound).format(shared=limits.shared_kib)


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
ONE_THREAD = Variant("sequential", "cpu", "", "On one thread.")


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
        """Describe what a run needs and what is available, before it starts; empty if there is nothing to say.

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
        """Say in one sentence why nothing of it can run here, as a package that is not installed, or ""."""
        return ""

    def versions(self) -> dict[str, str]:
        """Return the versions of packages of its own, or of itself, that its results depend on, by name."""
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
    """Return the first variant for a GPU, then the first for the CPU, as far as there are any."""
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
