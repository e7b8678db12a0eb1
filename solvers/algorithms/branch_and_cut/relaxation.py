"""The linear relaxation: edges are columns; degree constraints and cuts are rows. Imports HiGHS."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import highspy
import numpy as np

from solvers.algorithms.branch_and_cut.cuts import Cut

#: Options of the solver; no presolve, so that each solution starts from the previous one.
_OPTIONS: dict[str, bool | int | str] = {
    "output_flag": False,
    "presolve": "off",
    "solver": "simplex",
    "threads": 1,
    "parallel": "off",
}
#: Number of consecutive solutions after which a cut that was slack in all of them is dropped.
_MAX_SLACK = 8
_SLACK = 1e-6
_UNLIMITED = 2**31 - 1


class _Silent(highspy.Highs):
    """HiGHS without callbacks, which would print its name and licence to standard output."""

    def enableCallbacks(self) -> None:
        """Enable no callbacks, and suppress all output from the start."""
        self.setOptionValue("output_flag", False)


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """A solution of the relaxation.

    Attributes
    ----------
    feasible : bool
        Whether the relaxation is feasible. If not, `prices` and `duals` are a ray that proves this, provided that the
        solver returned one.
    value : float
    x : ndarray, shape (m,), float64
    prices : ndarray, shape (n,), float64
        Duals of the degree constraints, one per city.
    duals : ndarray, shape (k,), float64
        Duals of the cuts.
    """

    feasible: bool
    value: float
    x: np.ndarray
    prices: np.ndarray
    duals: np.ndarray


class Relaxation:
    """The LP relaxation, to which edges and cuts can be added.

    Parameters
    ----------
    lengths : ndarray, shape (n, n)
    is_loose : bool
        Whether edge values have no upper bound, and the values of the edges at a city may sum to more than two.
    """

    def __init__(self, lengths: np.ndarray, is_loose: bool = False) -> None:
        self._lengths, self._n = lengths, len(lengths)
        self._most_edge, self._most_city = (highspy.kHighsInf,) * 2 if is_loose else (1.0, 2.0)
        self.ends = np.empty((0, 2), np.int32)
        self.cuts: list[Cut] = []
        self.solved = 0
        self.has = np.zeros(lengths.shape, bool)
        self._keys: set[bytes] = set()
        self._slack = np.zeros(0, np.int64)
        self._fixed = np.empty(0, np.int8)
        self._highs = _Silent()
        for name, value in _OPTIONS.items():
            self._highs.setOptionValue(name, value)
        n = self._n
        nothing, none = np.empty(0, np.int32), np.empty(0)
        maximum = np.full(n, self._most_city)
        self._highs.addRows(n, np.full(n, 2.0), maximum, 0, np.zeros(n, np.int32), nothing, none)

    def add_edges(self, ends: np.ndarray) -> None:
        """Add the edges, (m, 2) cities, that are not columns yet."""
        ends = np.sort(ends, axis=1).astype(np.int32)
        ends = np.unique(ends[~self.has[ends[:, 0], ends[:, 1]]], axis=0)
        m = len(ends)
        if not m:
            return
        self.has[ends[:, 0], ends[:, 1]] = self.has[ends[:, 1], ends[:, 0]] = True
        rows = np.array([cut.row(ends) for cut in self.cuts]).reshape(len(self.cuts), m)
        start, index, value = [0], [], []
        for k, (a, b) in enumerate(ends):
            crossed = np.flatnonzero(rows[:, k])
            index.append(np.concatenate(([a, b], self._n + crossed)))
            value.append(np.concatenate(([1.0, 1.0], rows[crossed, k])))
            start.append(start[-1] + len(index[-1]))
        costs = self._lengths[ends[:, 0], ends[:, 1]].astype(np.float64)
        self._highs.addCols(
            m, costs, np.zeros(m), np.full(m, self._most_edge), start[-1], np.array(start[:-1], np.int32),
            np.concatenate(index).astype(np.int32), np.concatenate(value),
        )  # fmt: skip
        self.ends = np.vstack((self.ends, ends))
        self._fixed = np.concatenate((self._fixed, np.full(m, -1, np.int8)))

    def add_cuts(self, cuts: Sequence[Cut]) -> int:
        """Add cuts and return how many were new."""
        added = 0
        for cut in cuts:
            if cut.key in self._keys:
                continue
            row = cut.row(self.ends)
            index = np.flatnonzero(row).astype(np.int32)
            self._highs.addRow(float(cut.minimum), highspy.kHighsInf, len(index), index, row[index])
            self.cuts.append(cut)
            self._keys.add(cut.key)
            added += 1
        self._slack = np.concatenate((self._slack, np.zeros(added, np.int64)))
        return added

    def fix(self, fixed: np.ndarray) -> None:
        """Fix edges to 1 or 0 as in `fixed`, (n, n) int8, where -1 means free."""
        edge_states = fixed[self.ends[:, 0], self.ends[:, 1]]
        changed = np.flatnonzero(edge_states != self._fixed).astype(np.int32)
        if changed.size:
            now = edge_states[changed]
            low, high = (now == 1).astype(np.float64), (now != 0).astype(np.float64)
            self._highs.changeColsBounds(len(changed), changed, low, high)
            self._fixed = edge_states

    def solve(self) -> Solution:
        """Solve the relaxation, starting from the last basis."""
        self._highs.run()
        self.solved += 1
        status, solution = self._highs.getModelStatus(), self._highs.getSolution()
        if status == highspy.HighsModelStatus.kOptimal:
            duals, value = np.array(solution.row_dual), self._highs.getObjectiveValue()
            cuts = np.maximum(duals[self._n :], 0)
            self._slack = np.where(cuts > _SLACK, 0, self._slack + 1)
            return Solution(True, value, np.array(solution.col_value), duals[: self._n], cuts)
        core: Any = self._highs  # the type stubs declare no ray
        _, exists, ray = core.getDualRay()
        rows = self._n + len(self.cuts)
        ray = np.array(ray)[:rows] if exists and len(ray) >= rows else np.zeros(rows)
        return Solution(False, np.inf, np.zeros(len(self.ends)), ray[: self._n], ray[self._n :])

    def drop_slack(self) -> None:
        """Drop cuts that have been slack in many solutions."""
        idle = self._slack >= _MAX_SLACK
        if idle.sum() <= len(self.cuts) // 10:
            return
        dropped_rows = (self._n + np.flatnonzero(idle)).astype(np.int32)
        self._highs.deleteRows(len(dropped_rows), dropped_rows)
        self._keys -= {cut.key for cut, out in zip(self.cuts, idle, strict=True) if out}
        self.cuts = [cut for cut, out in zip(self.cuts, idle, strict=True) if not out]
        self._slack = self._slack[~idle]

    def tight(self, solution: Solution) -> list[np.ndarray]:
        """Return the sets of tight subtour cuts, (n,) bool each."""
        used = solution.x > _SLACK
        ends, x = self.ends[used], solution.x[used]
        subtours = [cut for cut in self.cuts if cut.kind == "subtour"]
        return [cut.inside[0] for cut in subtours if float(cut.row(ends) @ x) < 2 + _SLACK]

    def try_edge(self, edge: int, maximum: int) -> tuple[float, float]:
        """Return the values with an edge fixed to 0 and to 1, each after some simplex steps; restore the relaxation."""
        highs, basis = self._highs, self._highs.getBasis()
        values = []
        highs.setOptionValue("simplex_iteration_limit", maximum)
        for value in (0.0, 1.0):
            highs.changeColBounds(edge, value, value)
            highs.run()
            self.solved += 1
            infeasible = highs.getModelStatus() == highspy.HighsModelStatus.kInfeasible
            values.append(np.inf if infeasible else highs.getInfo().objective_function_value)
            highs.changeColBounds(edge, 0.0, 1.0)
            highs.setBasis(basis)
        highs.setOptionValue("simplex_iteration_limit", _UNLIMITED)
        return values[0], values[1]
