"""Tabu search: each step makes the best move, even if it lengthens the tour, but does not undo a recent one."""

from collections.abc import Generator, Iterator
from functools import partial
from time import perf_counter
from typing import ClassVar

from solvers.algorithms.tabu.params import TabuParams
from solvers.core.events import Compiling, Event
from solvers.core.params import Params
from solvers.core.solver import Job, Solver, Variant

_KERNEL = "solvers.algorithms.tabu.kernels.tabu_cpu:advance"
#: Seconds per evaluated move; see `solvers.core.solver.Solver.first_row_seconds`.
_MOVE_SECONDS = 1.0e-8
_SOURCE = (
    'F. Glover, "Tabu Search, Part I" (1989) and "Part II" (1990); for the TSP J. Knox, "Tabu Search Performance on '
    'the Symmetric Traveling Salesman Problem" (1994)'
)
_MEMORY = "Tour, positions, neighbours and both tabu lists of each search in caches; lists hold 12 bytes an edge."


class TabuSearch(Solver[TabuParams]):
    """Tabu search by 2-opt moves, with a list of removed edges and a list of added edges."""

    name: ClassVar[str] = "tabu-search"
    title: ClassVar[str] = "Tabu search"
    family: ClassVar[str] = "local search"
    source: ClassVar[str] = (
        f'{_SOURCE}; with the varying tenure of E. Taillard, "Robust Taboo Search for the Quadratic Assignment '
        'Problem" (1991)'
    )
    summary: ClassVar[str] = (
        "Each step makes the best exchange of two edges, even if the tour gets longer; recently removed edges may not "
        "return."
    )
    params: ClassVar[type[Params]] = TabuParams
    variants: ClassVar[tuple[Variant, ...]] = (
        Variant(
            "cpu", "cpu", _KERNEL, "Searches in parallel, one thread a core.", _SOURCE, _MEMORY,
            "Searches from different tours are independent of each other.", directed=True,
        ),
        Variant(
            "sequential", "cpu", _KERNEL, "One search after the other, on one thread.", _SOURCE, _MEMORY,
            "A local optimum is left by the move that worsens the tour least; the tabu list prevents the way back.",
            directed=True,
        ),
    )  # fmt: skip
    iteration_unit: ClassVar[str] = "search"
    evaluation_unit: ClassVar[str] = "move"
    step_unit: ClassVar[str] = "move"
    needs_matrix_on_globe: ClassVar[bool] = True
    views: ClassVar[tuple[str, ...]] = ("tabu",)

    def solve(self, job: Job[TabuParams]) -> Generator[Event, None, None]:
        """Run the searches and report them in order.

        See `solvers.algorithms.tabu.reporter.SearchReporter`.

        Raises
        ------
        InstanceTooLarge
            See `solvers.core.kernel_distances.build_measure`.
        """
        yield Compiling()
        start_time = perf_counter()
        from solvers.algorithms.annealing.reporter import run_chains
        from solvers.algorithms.tabu.cpu import make_search_workers
        from solvers.algorithms.tabu.reporter import SearchReporter

        make_reporter = partial(SearchReporter, job, job.params)
        yield from run_chains(job, self.name, start_time, job.params.searches, make_search_workers, make_reporter)

    def first_row_seconds(self, n: int, params: TabuParams, threads: int) -> float:
        """See `solvers.core.solver.Solver`; each thread runs its own search."""
        moves = 2 * min(params.neighbours, n) * n if params.neighbours else n * n / 2
        return _MOVE_SECONDS * moves * params.steps_per_city * n

    def replay(self, job: Job, climber: int) -> Iterator[Event]:
        """Reproduce the `Moves` of one search."""
        from solvers.algorithms.annealing.reporter import replay
        from solvers.algorithms.tabu.cpu import make_search_workers

        yield from replay(make_search_workers(job, 1)[0], job, climber)
