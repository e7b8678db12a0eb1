"""Selection of branching edges: strong branching, and pseudo-costs from earlier branchings."""

from collections.abc import Generator

import numpy as np

from solvers.algorithms.branch_and_cut.relaxation import Relaxation, Solution

#: Number of edges tried at depths up to `_SHALLOW_DEPTH`, and at greater depths; number of simplex steps of each trial.
_TRIED_EDGES, _TRIED_EDGES_DEEP, _SHALLOW_DEPTH, _SIMPLEX_STEPS = 12, 6, 6, 50
#: Minimum distance of a tried edge's value from 0 and 1.
_MIN_FRACTION = 0.05


class Branching:
    """Selects edges by how much the bound rises when they are fixed to 0 or 1.

    D. Applegate, R. Bixby, V. Chvátal and W. Cook, "Finding Cuts in the TSP" (1995), section 5: the score of an edge is
    the product of both gains.
    """

    def __init__(self) -> None:
        self._gains: dict[tuple[int, int], tuple[float, float]] = {}

    def choose(
        self, lp: Relaxation, solution: Solution, depth: int, maximum: float
    ) -> Generator[None, None, tuple[int, int, int] | None]:
        """Return the edge and the value to branch on; None if no edge is fractional.

        Parameters
        ----------
        lp : Relaxation
        solution : Solution
        depth : int
        maximum : float
            The best tour's length, which no useful bound exceeds.
        """
        x = solution.x
        fractional = np.flatnonzero((x > _MIN_FRACTION) & (x < 1 - _MIN_FRACTION))
        if not fractional.size:
            return None
        count = _TRIED_EDGES if depth <= _SHALLOW_DEPTH else _TRIED_EDGES_DEEP
        max_gain = max(1.0, maximum - solution.value)
        names = [tuple(lp.ends[edge].tolist()) for edge in fractional]
        expected = np.array(
            [self._expected_score(name, value, max_gain) for name, value in zip(names, x[fractional], strict=True)]
        )
        best: tuple[float, tuple[int, int, int]] | None = None
        for k in np.argsort(-expected, kind="stable")[:count].tolist():
            edge, (a, b) = int(fractional[k]), names[k]
            values = lp.try_edge(edge, _SIMPLEX_STEPS)
            yield None
            low, high = (min(max_gain, max(0.0, value - solution.value)) for value in values)
            self._gains[a, b] = low / x[edge], high / (1 - x[edge])
            score = max(low, 1e-3 * max_gain) * max(high, 1e-3 * max_gain)
            if best is None or score > best[0]:
                best = score, (a, b, int(high <= low))
        assert best is not None
        return best[1]

    def _expected_score(self, name: tuple[int, int], value: float, max_gain: float) -> float:
        """Return an edge's score by its latest gains; by its value's distances from 0 and 1 if it was not tried."""
        low, high = self._gains.get(name, (0.5 * max_gain, 0.5 * max_gain))
        return max(low * value, 1e-3 * max_gain) * max(high * (1 - value), 1e-3 * max_gain)
