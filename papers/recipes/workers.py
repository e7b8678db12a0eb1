"""Numbers of workers: threads, or processes by MPI."""

from collections.abc import Iterable

from papers.recipes.plan import Plan
from solvers.devices import cpu_threads

#: Those of Qin and Han, figures 1 and 2.
WORKERS = (1, 8, 16, 32, 64)


def numbers(plan: Plan) -> tuple[int, ...]:
    """The numbers of workers that are measured, of which the first is one."""
    return WORKERS[:2] if plan.quick else WORKERS


def oversubscribed(counts: Iterable[int]) -> dict[int, str]:
    """A sentence for each number of workers that is more than there are cores."""
    cores = cpu_threads()
    shared = f"{cores} cores" if cores > 1 else "one core"
    return {count: f"{count} workers take turns on {shared}." for count in counts if count > cores}
