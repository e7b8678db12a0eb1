"""Simulated annealing: chains of random exchanges, which may make the tour longer while the temperature is high."""

import math
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from time import perf_counter
from typing import ClassVar

from solvers.annealing_rows import CUDA_ROWS, WarpRow
from solvers.devices import cpu_text, cpu_threads
from solvers.events import Compiling, Event, Started
from solvers.params import Params, param
from solvers.solver import Job, Preset, Solver, Variant, row_that_runs

_KERNEL = "solvers.kernels.annealing_cpu:advance"


@dataclass(frozen=True)
class AnnealingParams(Params):
    """Parameters of `SimulatedAnnealing`."""

    chains: int = param(
        10, label="Chains", help="How many tours are annealed, each from a random tour of its own.",
        low=1, high=1_000_000, step=1, scale="log", symbol="k",
    )  # fmt: skip
    steps: int = param(
        500, label="Steps", help="Moves that are drawn for each city at each temperature: slower cooling is better.",
        low=1, high=100_000, step=1, scale="log",
    )  # fmt: skip
    cooling: float = param(
        0.95, label="Cooling", help="Factor from each temperature to the next.",
        low=0.5, high=0.9999, step=0.01, symbol="α",
    )  # fmt: skip
    acceptance: float = param(
        0.01, label="First acceptance",
        help="The chance that a move which lengthens a local optimum by the mean has at the first temperature.",
        low=0.0001, high=0.99, step=0.01, scale="log", symbol="χ₀",
    )  # fmt: skip
    temperature: float = param(
        0.0, label="First temperature", help="In units of length; 0 takes the one that gives the first acceptance.",
        low=0.0, high=1e12, step=1.0, symbol="T₀", advanced=True,
    )  # fmt: skip
    final: float = param(
        0.05, label="Last temperature", help="As a share of the first one; then only shorter tours are accepted.",
        low=1e-9, high=1.0, step=0.01, scale="log", advanced=True,
    )  # fmt: skip
    neighbours: int = param(
        10, label="Neighbours", help="A move joins a city with one of so many nearest ones.",
        low=1, high=50, step=1, advanced=True,
    )  # fmt: skip
    far: float = param(
        0.0, label="Far moves", help="The share of moves that join a city with any other.",
        low=0.0, high=1.0, step=0.05, advanced=True,
    )  # fmt: skip
    variant: str = param(
        "auto", label="Variant", help="What computes: a graphics card, all cores, or one thread.",
        choices=("auto", "cpu", "sequential", *(row.name for row in CUDA_ROWS)),
    )  # fmt: skip

    @property
    def levels(self) -> int:
        """How many temperatures a chain goes through."""
        return 1 + math.floor(math.log(self.final) / math.log(self.cooling))


class SimulatedAnnealing(Solver):
    """Simulated annealing by 2-opt moves among nearest cities, with geometric cooling."""

    name: ClassVar[str] = "simulated-annealing"
    title: ClassVar[str] = "Simulated annealing"
    family: ClassVar[str] = "local search"
    source: ClassVar[str] = (
        'S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi, "Optimization by Simulated Annealing" (1983); V. Cerny, '
        '"Thermodynamical Approach to the Traveling Salesman Problem" (1985); with the neighbour lists of D. S. '
        'Johnson and L. A. McGeoch, "The Traveling Salesman Problem: A Case Study in Local Optimization" (1997)'
    )
    summary: ClassVar[str] = (
        "Each chain makes random exchanges of two edges, longer tours too while it is hot, and cools until it is still."
    )
    params: ClassVar[type[Params]] = AnnealingParams
    variants: ClassVar[tuple[Variant, ...]] = (
        Variant("cpu", "cpu", _KERNEL, "Chains in parallel, one thread a core."),
        Variant("sequential", "cpu", _KERNEL, "One chain after the other, on one thread."),
        *CUDA_ROWS,
    )
    presets: ClassVar[tuple[Preset, ...]] = (
        Preset(
            "utne-hansen", "Utne and Hansen 2023",
            {"chains": 1, "temperature": 74_088.0, "final": 1e-5, "far": 1.0},
            'J. Utne and H. N. W. Hansen, "Solving TSP on the GPU based on heuristic algorithms" (2023), sections '
            "3.3.3 and 7.3",
        ),
    )  # fmt: skip
    iteration_unit: ClassVar[str] = "chain"
    evaluation_unit: ClassVar[str] = "move"
    step_unit: ClassVar[str] = "move"

    def solve(self, job: Job) -> Generator[Event, None, None]:
        """Anneal, and report chains in order of their index; see `solvers.annealing_ledger.AnnealingLedger`.

        Raises
        ------
        DeviceUnavailable
            If it is to run on a card and there is none.
        InstanceTooLarge
            See `solvers.measure.measure_of` and `solvers.annealing_card`.
        """
        assert isinstance(job.params, AnnealingParams)
        yield Compiling()
        row = row_that_runs(self, job, CUDA_ROWS)
        if isinstance(row, WarpRow):
            from solvers.annealing_cuda import solve

            yield from solve(job, row)
            return
        began = perf_counter()
        from solvers.annealing_cpu import AnnealingSlice, lanes_of
        from solvers.annealing_ledger import AnnealingLedger
        from solvers.climbs import climb_in_parallel

        chains = job.params.chains
        threads = min(chains, cpu_threads()) if row.name == "cpu" else 1
        lanes = lanes_of(job, threads)
        yield Started(self.name, row.name, cpu_text(threads), threads, perf_counter() - began)
        ledger, limit = AnnealingLedger(job, chains, job.params.levels), job.stop.budget.evaluations
        slices = climb_in_parallel([*lanes], chains, None if limit is None else limit - job.stop.evaluations)
        with closing(slices):
            for told in slices:
                assert isinstance(told, AnnealingSlice)
                yield from ledger.report(told)
                if ledger.stopped():
                    break
        if job.stop.reason is not None:
            yield from ledger.cut()

    def replay(self, job: Job, climber: int) -> Iterator[Event]:
        """Yield the `Moves` of one chain."""
        from solvers.annealing_cpu import lanes_of
        from solvers.annealing_ledger import replay

        yield from replay(lanes_of(job, 1)[0], job, climber)
