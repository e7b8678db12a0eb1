"""Runs that use up their budget: parameters that would end an algorithm earlier are set to their maximum."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from solvers import find
from solvers.core.solver import Solver
from solvers.spec import Stage


def extend_to_budget(stages: Sequence[Stage]) -> tuple[Stage, ...]:
    """Let the last stage run until its budget ends: maximum climbers, iterations, chains, samples or starts.

    Earlier stages end by themselves, since the next one starts there. Given parameters are unchanged; an algorithm
    without such a parameter ends when it is done.

    Raises
    ------
    InvalidParams
        If there is no such algorithm.
    """
    *before, last = stages
    return (*before, replace(last, params={**max_iterations(find(last.algorithm)), **last.params}))


def max_iterations(solver: Solver) -> dict[str, Any]:
    """Return an algorithm's iteration parameter at its maximum; empty if there is none."""
    param = solver.iterations_param()
    return {} if param is None or param.high is None else {param.name: int(param.high)}
