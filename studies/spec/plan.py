"""Planned and failed runs of a study; its table contains only finished ones."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from solvers.core.stop import Budget


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """Numbers of planned and failed runs.

    Attributes
    ----------
    planned, failed : ndarray, shape (i, e), int64
        Number of runs per instance and entry.
    budget : Budget
        Budget of each run.
    """

    planned: np.ndarray
    failed: np.ndarray
    budget: Budget

    def select(self, before: np.ndarray, after: np.ndarray) -> Self:
        """Return the plan of a selection of runs.

        Parameters
        ----------
        before, after : ndarray, shape (i, e), int64
            Number of finished runs, and of those in the selection. In a cell without finished runs, all planned runs
            belong to the selection if it includes any run on their instance.
        """
        selected = (after > 0) | ((before == 0) & (after > 0).any(axis=1, keepdims=True))
        return replace(self, planned=np.where(selected, self.planned, 0), failed=np.where(selected, self.failed, 0))
