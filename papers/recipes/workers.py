"""Numbers of workers: threads, or MPI processes."""

from collections.abc import Iterable

from papers.recipes.plan import Plan
from solvers.core.devices import cpu_threads

#: Numbers of workers in Qin and Han, figures 1 and 2.
WORKERS = (1, 8, 16, 32, 64)


def list_worker_counts(plan: Plan) -> tuple[int, ...]:
    """Return the numbers of workers to measure, beginning with one."""
    return WORKERS[:2] if plan.quick else WORKERS


def warn_oversubscribed(counts: Iterable[int]) -> dict[int, str]:
    """Return a sentence for each number of workers that exceeds the number of cores."""
    cores = cpu_threads()
    shared = f"{cores} cores" if cores > 1 else "one core"
    return {count: f"{count} workers take turns on {shared}." for count in counts if count > cores}
