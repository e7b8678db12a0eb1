"""Chains of annealing on directed instances: each thread runs one chain after another. Imports Numba."""

from typing import Any, ClassVar

from solvers.algorithms.annealing.cpu import ChainWorker, make_plan
from solvers.algorithms.annealing.kernels.insertion_cpu import advance_insertions
from solvers.algorithms.annealing.neighbours import find_nearest
from solvers.algorithms.annealing.params import AnnealingParams
from solvers.core.kernel_distances import build_measure, check_reversals
from solvers.core.solver import Job


class DirectedChainWorker(ChainWorker):
    """Anneals directed tours, one chain at a time in one thread.

    See `solvers.algorithms.annealing.kernels.insertion_cpu`.
    """

    _advance: ClassVar[Any] = staticmethod(advance_insertions)

    @property
    def _climbs(self) -> bool:
        """See `ChainWorker`; the kernel already ends with a local search by insertions."""
        return False


def make_directed_workers(job: Job[AnnealingParams], threads: int) -> list[ChainWorker]:
    """Return workers for a job on a directed instance; their kernels are not yet loaded.

    Raises
    ------
    InstanceTooLarge
        See `solvers.core.kernel_distances.build_measure`; also if a reversal's change in length might not fit 32 bits.
    """
    measure = build_measure(job.instance)
    check_reversals(job.instance, measure.matrix)
    plan = make_plan(job.params, find_nearest(job.instance, measure, job.params.neighbours))
    return [DirectedChainWorker(measure, plan, job.seed, job.start) for _ in range(threads)]
