"""What runs a study should have, and which of them failed: a table holds those that are finished alone."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from solvers.stop import Budget


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """How many runs there should be.

    Attributes
    ----------
    planned, failed : ndarray, shape (i, e), int64
        Of each entry on each instance.
    budget : Budget
        Of each run.
    """

    planned: np.ndarray
    failed: np.ndarray
    budget: Budget

    def only(self, before: np.ndarray, after: np.ndarray) -> Self:
        """The plan of those runs that are asked for.

        Parameters
        ----------
        before, after : ndarray, shape (i, e), int64
            How many runs were finished, and how many of these are asked for. Where none was finished, all that were
            planned belong to what is asked for if anything of their instance does.
        """
        kept = (after > 0) | ((before == 0) & (after > 0).any(axis=1, keepdims=True))
        return replace(self, planned=np.where(kept, self.planned, 0), failed=np.where(kept, self.failed, 0))
