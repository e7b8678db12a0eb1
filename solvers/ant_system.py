"""Ant System: ants that choose city by city, drawn by nearness and by the trails that all ants before them left."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from solvers.ant_params import AntParams
from solvers.ant_rows import AS_CPU_ROWS, AS_CUDA_ROWS, BITNER, SELECTIONS, UCHIDA, AntRow, ant_row
from solvers.ant_solver import AntSolver
from solvers.devices import cpu_text, cpu_threads
from solvers.errors import InvalidParams
from solvers.params import Params, param
from solvers.solver import Job, Preset, Variant

if TYPE_CHECKING:
    from solvers.colony import AntColony

DEPOSITS = ("fixed-point", "rows", "float-atomic")


@dataclass(frozen=True)
class AntSystemParams(AntParams):
    """Parameters of `AntSystem`."""

    selection: str = param(
        "auto", label="Choice of a city", help="How an ant draws its next city; the probabilities are the same.",
        choices=("auto", *SELECTIONS),
    )  # fmt: skip
    trials: int = param(
        8, label="Trials", help="How often a stochastic trial is repeated before a full roulette decides.",
        low=1, high=64, step=1, symbol="w", advanced=True,
    )  # fmt: skip
    switch: float = param(
        85.0, label="Switch at", help="Per cent of the cities visited, from where hybrid reads unvisited cities alone.",
        low=0.0, high=100.0, step=1.0, advanced=True,
    )  # fmt: skip
    q: float = param(
        1.0, label="Pheromone of an ant", help="Each ant leaves this much, divided by the length of its tour.",
        low=0.001, high=10_000.0, step=1.0, scale="log", symbol="Q", advanced=True,
    )  # fmt: skip
    initial: str = param(
        "nearest-neighbour", label="First trails",
        help="n over the length of the nearest-neighbour tour, or 1 everywhere.", choices=("nearest-neighbour", "one"),
        symbol="τ₀", advanced=True,
    )  # fmt: skip
    deposit: str = param(
        "fixed-point", label="Deposit", help="How ants' pheromone is added: whole numbers in any order, or row by row; "
        "in floating point the order changes the sum, so that a seed does not give a tour.",
        choices=DEPOSITS, card=True, advanced=True,
    )  # fmt: skip
    graph: bool = param(
        True, label="CUDA graph", help="Whether an iteration's kernels are launched as one.", card=True,
        advanced=True,
    )  # fmt: skip
    variant: str = param(
        "auto", label="Variant", help="What computes: a graphics card in several ways, all cores, or one thread.",
        choices=("auto", *(row.name for row in (*AS_CPU_ROWS, *AS_CUDA_ROWS))),
    )  # fmt: skip


class AntSystem(AntSolver):
    """Ant System, the first of the ant algorithms."""

    name: ClassVar[str] = "ant-system"
    title: ClassVar[str] = "Ant System"
    source: ClassVar[str] = (
        'M. Dorigo, V. Maniezzo and A. Colorni, "Ant System: Optimization by a Colony of Cooperating Agents" (1996); '
        f"as {UCHIDA}, and {BITNER}"
    )
    summary: ClassVar[str] = (
        "Ants build tours city by city, drawn by nearness and pheromone; short tours leave more of it for the next."
    )
    params: ClassVar[type[Params]] = AntSystemParams
    variants: ClassVar[tuple[Variant, ...]] = (*AS_CPU_ROWS, *AS_CUDA_ROWS)
    presets: ClassVar[tuple[Preset, ...]] = (
        Preset("uchida", "Uchida et al. 2012", {}, f"{UCHIDA}, section V"),
        Preset("bitner", "Bitner 2025", {"initial": "one"}, f"{BITNER}, implementations"),
        Preset(
            "utne-hansen", "Utne and Hansen 2023", {"q": 100.0, "beta": 5.0, "iterations": 1000},
            'J. Utne and H. N. W. Hansen, "Solving TSP on the GPU based on heuristic algorithms" (2023), section 7.3',
        ),
    )  # fmt: skip

    def _repeats(self, job: Job, row: AntRow) -> bool:
        assert isinstance(job.params, AntSystemParams)
        return row.device == "cpu" or job.params.deposit != "float-atomic"

    def _row(self, job: Job) -> AntRow:
        """The row that runs: as chosen; by ``auto`` the card's first, if there is a card."""
        assert isinstance(job.params, AntSystemParams)
        row = ant_row(self, job, AS_CUDA_ROWS)
        selection = job.params.selection
        if selection not in ("auto", *row.selections):
            raise InvalidParams("selection", selection, f"auto or one of {', '.join(row.selections)}, on {row.name}")
        return row

    def _colony(self, job: Job, row: AntRow) -> "tuple[AntColony, str, int]":
        from solvers.sketch import load

        load()
        if row.device == "cuda":
            from solvers.ant_system_cuda import ant_system_colony

            colony = ant_system_colony(job, row)
            return colony, colony.device, 1
        from solvers.ant_system_cpu import AntSystemColony

        threads = cpu_threads() if row.name == "cpu" else 1
        return AntSystemColony(job, row, threads), cpu_text(threads), threads
