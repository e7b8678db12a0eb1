"""Chains of annealing on directed instances: each thread runs one chain after another. Imports Numba."""

from typing import Any, ClassVar

import numpy as np

from data.instance import Instance
from solvers.annealing.cpu import ChainWorker, make_plan
from solvers.annealing.kernels.insertion_cpu import advance_insertions
from solvers.annealing.neighbours import nearest
from solvers.annealing.params import AnnealingParams
from solvers.errors import InstanceTooLarge
from solvers.kernel_distances import build_measure
from solvers.solver import Job


class DirectedChainWorker(ChainWorker):
    """Runs one chain of directed tours at a time in a thread; see `solvers.annealing.kernels.insertion_cpu`."""

    _advance: ClassVar[Any] = staticmethod(advance_insertions)

    @property
    def _climbs(self) -> bool:
        """See `ChainWorker`: the kernel already ends with a local search by insertions."""
        return False


def directed_workers(job: Job, threads: int) -> list[ChainWorker]:
    """Return workers for a job on a directed instance, with their kernels compiled or loaded.

    Raises
    ------
    InstanceTooLarge
        See `solvers.kernel_distances.build_measure`; and if the change of a reversal might not fit 32 bits.
    """
    assert isinstance(job.params, AnnealingParams)
    measure = build_measure(job.instance)
    _check_range(job.instance, measure.matrix)
    plan = make_plan(job.params, nearest(job.instance, measure, job.params.neighbours))
    workers = [DirectedChainWorker(measure, plan, job.seed, job.start) for _ in range(threads)]
    workers[0].load()
    return [*workers]


def _check_range(instance: Instance, matrix: np.ndarray) -> None:
    """Raise an error if the length change of a reversal, a sum over the edges reversed, could overflow an int32."""
    maximum = (2**31 - 1) // (instance.n + 1)
    if (spread := int(matrix.max()) - int(matrix.min())) > maximum:
        raise InstanceTooLarge(
            f"{instance.name} has directed distances that differ by {spread:,}; a record adds up those of a tour in 32 "
            f"bits, which hold differences of {maximum:,} here: scale the distances down, or take another algorithm."
        )
