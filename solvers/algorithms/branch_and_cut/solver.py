"""Branch-and-cut: finds a shortest tour of a few hundred cities, and proves that it is shortest."""

from collections.abc import Generator, Iterator
from contextlib import closing
from time import perf_counter
from typing import ClassVar

from data.instance import Instance
from solvers.algorithms.branch_and_cut.params import BranchAndCutParams
from solvers.core.devices import cpu_text
from solvers.core.events import Compiling, Event, Started
from solvers.core.params import Params
from solvers.core.solver import Job, Solver, Variant

#: Maximum number of cities, half as many if directed, because each bound takes the reduced costs of all edges.
MAX_CITIES = 1000
_SOURCE = (
    'G. Dantzig, R. Fulkerson and S. Johnson, "Solution of a Large-Scale Traveling-Salesman Problem" (1954); M. '
    'Padberg and G. Rinaldi, "A Branch-and-Cut Algorithm for the Resolution of Large-Scale Symmetric Traveling '
    'Salesman Problems" (1991); D. L. Applegate, R. E. Bixby, V. Chvátal and W. J. Cook, "The Traveling Salesman '
    'Problem" (2006)'
)


class BranchAndCut(Solver):
    """Branch-and-cut."""

    name: ClassVar[str] = "branch-and-cut"
    title: ClassVar[str] = "Branch-and-cut"
    family: ClassVar[str] = "exact"
    source: ClassVar[str] = _SOURCE
    summary: ClassVar[str] = (
        "Finds a proven shortest tour of up to a few hundred cities: a linear program bounds all tours from below, "
        "cuts raise the bound, and what is left is split in two."
    )
    params: ClassVar[type[Params]] = BranchAndCutParams
    variants: ClassVar[tuple[Variant, ...]] = (
        Variant(
            "cpu", "cpu", "solvers.algorithms.branch_and_cut.kernels.bound_cpu:reduce_costs",
            "One linear program, solved again from its last solution.", _SOURCE,
            "The edges that may be in a shorter tour, and the cuts that hold with equality.",
            "Most edges are never looked at: their reduced costs prove that no shorter tour has them.", directed=True,
        ),
    )  # fmt: skip
    iteration_unit: ClassVar[str] = "node"
    evaluation_unit: ClassVar[str] = "linear program"
    counted_from: ClassVar[int] = 0
    chance: ClassVar[bool] = False
    exact: ClassVar[bool] = True
    large: ClassVar[bool] = True

    def solve(self, job: Job) -> Generator[Event, None, None]:
        """Process the tree; see `solvers.algorithms.branch_and_cut.run.run_tree`.

        Raises
        ------
        DeviceUnavailable
            If a GPU is requested.
        InstanceTooLarge
            If there are too many cities.
        """
        yield Compiling()
        start_time = perf_counter()
        from solvers.algorithms.branch_and_cut.run import load, run_tree
        from solvers.worker.kernel_loading import load_first_part

        with closing(load(job.instance.directed)) as loading:
            load_rest = load_first_part(loading)
            started = Started(self.name, job.variant.name, cpu_text(1), 1, perf_counter() - start_time)
            yield started
            yield from run_tree(job, load_rest and load_rest(started))

    def replay(self, job: Job, climber: int) -> Iterator[Event]:
        """Yield the `Edges` of a node's tour, by repeating the search up to that node."""
        from solvers.algorithms.branch_and_cut.run import replay

        yield from replay(job, climber)

    def refusal(self, instance: Instance, params: Params, device: str) -> str:
        """See `solvers.core.solver.Solver`; refuses too many cities."""
        n, maximum = instance.n, MAX_CITIES // 2 if instance.directed else MAX_CITIES
        if n <= maximum:
            return ""
        if instance.directed:
            return f"Branch-and-cut takes at most {maximum:,} cities of directed instances; {instance.name} has {n:,}."
        return f"Branch-and-cut takes at most {maximum:,} cities here; {instance.name} has {n:,}."
