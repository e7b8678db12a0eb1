"""What a solver is: a description that the page can read, and a generator of events."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

import numpy as np

from data.instance import Instance
from solvers.devices import cuda_devices
from solvers.errors import DeviceUnavailable
from solvers.events import Event
from solvers.gpu.capability import EVERY_CARD, too_old
from solvers.params import Param, Params
from solvers.stop import Counter


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to run an algorithm: a row of its table.

    Attributes
    ----------
    name : str
        Value of the ``variant`` parameter.
    device : str
        ``cpu`` or ``cuda``.
    kernel : str
        Its kernel factory as ``module:function``, imported only inside `Solver.solve`.
    note : str
        What it does differently, in one sentence.
    source : str
        Paper and section; empty where there is nothing to cite.
    memory : str
        What it keeps where.
    lesson : str
        Its key idea, in one sentence; empty where it has none to compare it by.
    needs : str
        What it needs beside its device, ``mpi``; empty where nothing.
    capability : tuple of int
        The compute capability that a GPU needs.
    """

    name: str
    device: str
    kernel: str
    note: str
    source: str = ""
    memory: str = ""
    lesson: str = ""
    needs: str = field(default="", kw_only=True)
    capability: tuple[int, int] = field(default=EVERY_CARD, kw_only=True)

    def unavailable_reason(self, kind: str, n: int, shared: int, memory: int = 0) -> str:
        """Why it cannot run an instance, in one sentence; empty if it can.

        Parameters
        ----------
        kind : str
            How the instance measures, as TSPLIB names it.
        n : int
        shared : int
            Bytes of shared memory that a block of the device can have.
        memory : int
            Bytes of memory that the device has; 0 where that is not known.
        """
        return ""

    def most_cities(self, shared: int) -> int | None:
        """Cities at most on such a device; None where only the device's memory is the limit."""
        return None


@dataclass(frozen=True, slots=True)
class Preset:
    """Parameters as a paper has them.

    Attributes
    ----------
    name : str
        kebab-case.
    title : str
        Whose they are, as a menu has it.
    params : dict
        Those that differ from the defaults.
    source : str
        Paper and section.
    """

    name: str
    title: str
    params: dict[str, Any]
    source: str


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """Everything that one stage of a run is given.

    Attributes
    ----------
    instance : Instance
    params : Params
        Of the solver's own class, already checked.
    seed : int
        0 <= seed < 2**63. Climber c draws from a stream that is a pure function of (seed, c).
    device : str
        ``auto``, ``cpu`` or ``cuda``.
    stop : Counter
        Asked after every slice of work; also tells the time on the run's clock.
    start : ndarray, shape (n,), int32, or None
        Best tour of the stage before.
    pictures : bool
        Whether somebody looks at what solvers show beside tours and numbers, such as pheromone.
    """

    instance: Instance
    params: Params
    seed: int
    device: str
    stop: Counter
    start: np.ndarray | None = None
    pictures: bool = True


class Solver(Protocol):
    """Contract of every algorithm, the user's own included."""

    name: ClassVar[str]  #: kebab-case
    title: ClassVar[str]
    family: ClassVar[str]
    source: ClassVar[str]  #: authors, year, title
    summary: ClassVar[str]  #: one sentence for a newcomer
    params: ClassVar[type[Params]]
    variants: ClassVar[tuple[Variant, ...]]
    iteration_unit: ClassVar[str]  #: singular, "climber"
    evaluation_unit: ClassVar[str]  #: singular, "move"
    step_unit: ClassVar[str]  #: what one step of the picture is, singular: "move" or "edge"
    presets: ClassVar[tuple[Preset, ...]] = ()
    counted_from: ClassVar[int] = 1  #: the first iteration's number: 0 where it tells how many of something there are
    chance: ClassVar[bool] = True  #: whether it draws by lot: if not, every seed gives the same run
    listed: ClassVar[bool] = True  #: whether it stands in menus; else it needs what no form can give
    exact: ClassVar[bool] = False  #: whether a run that comes to its end has proven that no tour is shorter
    views: ClassVar[tuple[str, ...]] = ()  #: what its events show beside tours: pheromone, trails, ants, layers
    makes_start: ClassVar[bool] = False  #: whether forms offer its tour as the one from which another algorithm starts
    comparison: ClassVar[str] = ""  #: what its variants have in common, above the table that compares them
    throughput: ClassVar[str] = ""  #: the file of `benchmarks/results` that has the measured speeds of its variants

    def solve(self, job: Job) -> Generator[Event, None, None]:
        """Work, yielding events; every piece between two yields takes at most 100 ms.

        Closing the generator cancels the run. `Compiling` comes first, then `Started`, then the rest; the caller
        adds `Finished`.
        """
        ...

    def replay(self, job: Job, climber: int) -> Iterator[Event]:
        """Yield the `Moves` or `Edges` of one climber again, exactly as they were, from (seed, climber) alone."""
        ...

    def needs(self, instance: Instance, device: str, memory: int) -> str:
        """What a run of it takes and what is there, for who is about to start one; empty if there is nothing to say.

        Parameters
        ----------
        instance : Instance
        device : str
            ``cpu`` or ``cuda``.
        memory : int
            Bytes that the device has; 0 where that is not known.
        """
        return ""

    def iterations_param(self) -> Param | None:
        """The parameter that says how many iterations a run has, if there is one: it is called what they are called."""
        wanted = plural(self.iteration_unit)
        return next((declared for declared in self.params.schema() if declared.name == wanted), None)

    def processes(self, params: Params) -> int:
        """How many processes a variant that needs MPI runs in; 0 where that is one for each core."""
        return 0


def plural(unit: str) -> str:
    """More than one of a unit: climbers, cities, tries."""
    if unit.endswith("y") and unit[-2:-1] not in "aeiou":
        return unit[:-1] + "ies"
    return unit + ("es" if unit.endswith(("s", "x", "ch", "sh")) else "s")


def is_exact(solver: Solver) -> bool:
    """Whether a run that comes to its end has proven that no tour is shorter.

    Solvers that were written before there was `Solver.exact` say it by their family.
    """
    return solver.exact or solver.family == "exact"


def is_automatic(params: Params, device: str) -> bool:
    """Whether a GPU is taken where there is one: neither the variant nor the CPU has been asked for."""
    return device != "cpu" and _asked_variant(params) == "auto"


def _asked_variant(params: Params) -> str:
    """The variant that is asked for; an algorithm with a single one need not have such a parameter."""
    return getattr(params, "variant", "auto")


def choose_variant(solver: Solver, params: Params, device: str) -> Variant:
    """The row of the solver's table that `params` and `device` name; ``auto`` takes the first that fits.

    Raises
    ------
    DeviceUnavailable
        If no row fits.
    """
    wanted = _asked_variant(params)
    rows = [row for row in solver.variants if wanted in ("auto", row.name)]
    fitting = [row for row in rows if device in ("auto", row.device)]
    if not fitting:
        what = solver.name if wanted == "auto" else f"{solver.name} {wanted}"
        has = ", ".join(sorted({row.device for row in rows}))
        raise DeviceUnavailable(f"{what} does not run on {device}; it runs on {has}.")
    return fitting[0]


def variant_that_runs(solver: Solver, job: Job, cards: Sequence[Variant] | None = None) -> Variant:
    """The row that runs: the one that is asked for; by ``auto`` one for a GPU, if there is one that can run it.

    Parameters
    ----------
    solver : Solver
    job : Job
    cards : sequence of Variant, optional
        The rows that ``auto`` may take on a GPU, the best first; left out, all of the solver's.

    Raises
    ------
    DeviceUnavailable
        If it is to run on a GPU and there is none, or one that is too old, or no row fits.
    """
    row, automatic = choose_variant(solver, job.params, job.device), is_automatic(job.params, job.device)
    cards = [each for each in solver.variants if each.device == "cuda"] if cards is None else cards
    if automatic and cards:
        row = cards[0]
    if row.device == "cpu":
        return row
    try:
        if old := too_old(_of_gpu(solver, row), row.capability, cuda_devices()[0]):
            raise DeviceUnavailable(old)
    except DeviceUnavailable:
        if job.device == "cuda" or not automatic:
            raise
        return choose_variant(solver, job.params, "cpu")
    return row


def _of_gpu(solver: Solver, row: Variant) -> str:
    """A row for GPUs in words; the solver alone where it has a single one, named by its device."""
    return solver.name if row.name == row.device else f"{solver.name}/{row.name}"
