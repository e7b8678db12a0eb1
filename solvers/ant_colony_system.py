"""Ant Colony System: ants that mostly take the best way, wear it out as they walk, and reward the best tour alone."""

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from solvers.ant_params import ColonyParams
from solvers.ant_rows import ACS_CPU_ROWS, ACS_CUDA_ROWS, QIN_HAN, AntRow, ant_row
from solvers.ant_solver import AntSolver
from solvers.devices import cpu_text, cpu_threads
from solvers.params import Params, param
from solvers.solver import Job, Preset, Variant

if TYPE_CHECKING:
    from solvers.colony import AntColony
    from solvers.mpi_part import Part
    from solvers.ranks import Ranks

#: Nearest cities that 2-opt looks at.
SEARCHED = 10
#: Edges that can be raised above tau_0, for each city; see `solvers.kernels.raised_edges_cpu`.
RAISED = 64
LOCAL_UPDATES = ("deferred", "lockstep", "racy")
TWO_OPT = ("none", "last", "every")
_DORIGO = (
    'M. Dorigo and L. M. Gambardella, "Ant Colony System: A Cooperative Learning Approach to the Traveling Salesman '
    'Problem" (1997)'
)


def room(n: int) -> int:
    """How many edges of n cities can be raised."""
    return max(1, min(n * (n - 1) // 2, RAISED * n))


@dataclass(frozen=True)
class AntColonySystemParams(ColonyParams):
    """Parameters of `AntColonySystem`."""

    ants: int = param(
        128, label="Ants", help="Tours of one iteration; 0 takes as many ants as there are cities.",
        low=0, high=65_536, step=1, symbol="m",
    )  # fmt: skip
    two_opt: str = param(
        "every", label="2-opt",
        help="Shorten no tour, the best tour at the end, or all tours of every iteration, by 2-opt and by moving up to "
        "three cities.",
        choices=TWO_OPT,
    )  # fmt: skip
    q0: float = param(
        0.9, label="Exploitation", help="How often an ant takes the best city at once; else it draws by lot.",
        low=0.0, high=1.0, step=0.01, symbol="q₀",
    )  # fmt: skip
    beta: float = param(
        2.0, label="Weight of nearness", help="The power that nearness has in an ant's choice.",
        low=0.0, high=10.0, step=0.1, symbol="β",
    )  # fmt: skip
    local_update: str = param(
        "deferred", label="Local update",
        help="When ants see what others wore out: in the next iteration, at the next step, or at once, as it comes; "
        "the last is not repeatable.",
        choices=LOCAL_UPDATES,
    )  # fmt: skip
    rho: float = param(
        0.1, label="Local evaporation", help="The share of a raised trail that is lost each time an ant takes it.",
        low=0.0, high=1.0, step=0.01, symbol="ρ", advanced=True,
    )  # fmt: skip
    alpha: float = param(
        0.1, label="Global evaporation",
        help="The share of the best tour's trails that is renewed with its pheromone after each iteration.",
        low=0.001, high=1.0, step=0.01, symbol="α", advanced=True,
    )  # fmt: skip
    lists: bool = param(
        True, label="Candidate lists",
        help="Whether an ant goes to a candidate as long as one is unvisited; if not, every city has its chance.",
    )  # fmt: skip
    candidates: int = param(
        15, label="Candidates",
        help="How many nearest cities an ant looks at before all others, 31 at most on a card; 0: it looks at all "
        "cities at each step.",
        low=0, high=32, step=1, symbol="nn", advanced=True,
    )  # fmt: skip
    ranks: int = param(
        0, label="Ranks", help="Processes of the variant mpi; 0 takes one a core.",
        low=0, high=256, step=1, advanced=True,
    )  # fmt: skip
    variant: str = param(
        "auto", label="Variant", help="What computes: a graphics card, all cores, one thread, or processes by MPI.",
        choices=("auto", *(row.name for row in (*ACS_CPU_ROWS, *ACS_CUDA_ROWS))),
    )  # fmt: skip

    @property
    def goes_by_lists(self) -> bool:
        """Whether there are candidate lists, and ants keep to them."""
        return self.lists and self.candidates > 0


class AntColonySystem(AntSolver):
    """Ant Colony System."""

    name: ClassVar[str] = "ant-colony-system"
    title: ClassVar[str] = "Ant Colony System"
    source: ClassVar[str] = f"{_DORIGO}; as {QIN_HAN}"
    summary: ClassVar[str] = (
        "Ants mostly take the best way they know and wear it out as they walk; only the best tour so far is rewarded."
    )
    params: ClassVar[type[Params]] = AntColonySystemParams
    variants: ClassVar[tuple[Variant, ...]] = (*ACS_CPU_ROWS, *ACS_CUDA_ROWS)
    presets: ClassVar[tuple[Preset, ...]] = (
        Preset("with-2-opt", "With 2-opt", {}, f"{QIN_HAN}, section 3.2.5, every"),
        Preset(
            "qin-han", "Qin and Han 2022",
            {"iterations": 256, "two_opt": "last", "local_update": "racy", "lists": False, "candidates": 32},
            f"{QIN_HAN}, section 3.2",
        ),
        Preset(
            "dorigo-gambardella", "Dorigo and Gambardella 1997",
            {"ants": 10, "iterations": 2500, "two_opt": "none", "local_update": "lockstep"},
            f"{_DORIGO}, section V",
        ),
    )  # fmt: skip

    def _repeats(self, job: Job, row: AntRow) -> bool:
        assert isinstance(job.params, AntColonySystemParams)
        return job.params.local_update != "racy" or row.name == "sequential"

    def _row(self, job: Job) -> AntRow:
        return ant_row(self, job, ACS_CUDA_ROWS)

    def _colony(self, job: Job, row: AntRow) -> "tuple[AntColony, str, int]":
        from solvers.sketch import load

        load()
        if row.device == "cuda":
            from solvers.ant_colony_system_cuda import ant_colony_system_colony

            colony = ant_colony_system_colony(job, row)
            return colony, colony.device, 1
        if row.name == "mpi":
            return self._together(job)
        from solvers.ant_colony_system_cpu import AntColonySystemColony

        threads = cpu_threads() if row.name == "cpu" else 1
        return AntColonySystemColony(job, threads), cpu_text(threads), threads

    def _together(self, job: Job) -> "tuple[AntColony, str, int]":
        """The colony of the processes that this one was started with, else of processes that it starts."""
        from solvers.ant_colony_system_cpu import AntColonySystemColony
        from solvers.mpi_colony import MpiColony
        from solvers.mpi_world import in_processes

        assert isinstance(job.params, AntColonySystemParams)
        return in_processes(job.params.ranks, partial(AntColonySystemColony, job, 1), partial(MpiColony, job))

    def part(self, job: Job, ranks: "Ranks") -> "Part":
        """See `solvers.mpi_part.TakesPart.part`."""
        from solvers.ant_colony_system_part import AntColonySystemPart

        return AntColonySystemPart(job, ranks)
