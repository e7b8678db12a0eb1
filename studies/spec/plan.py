"""The planned and the failed runs of a study: a table holds only finished ones."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from solvers.stop import Budget


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """Numbers of planned and failed runs.

    Attributes
    ----------
    planned, failed : ndarray, shape (i, e), int64
        Per instance and entry.
    budget : Budget
        Budget of each run.
    """

    planned: np.ndarray
    failed: np.ndarray
    budget: Budget

    def only(self, before: np.ndarray, after: np.ndarray) -> Self:
        """The plan of a selection of runs.

        Parameters
        ----------
        before, after : ndarray, shape (i, e), int64
            Number of finished runs, and of those in the selection. Where no run has finished, all planned runs belong
            to the selection if it has any run of their instance.
        """
        selected = (after > 0) | ((before == 0) & (after > 0).any(axis=1, keepdims=True))
        return replace(self, planned=np.where(selected, self.planned, 0), failed=np.where(selected, self.failed, 0))
