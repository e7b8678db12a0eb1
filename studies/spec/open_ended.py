"""Runs that use up their budget: parameters that end an algorithm are set so high that the budget ends it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from solvers import find
from solvers.solver import Solver
from solvers.spec import Stage


def until_budget(stages: Sequence[Stage]) -> tuple[Stage, ...]:
    """Stages whose last one runs until the budget ends it: most climbers, iterations, chains, samples or starts.

    Earlier stages end by themselves, since the next one begins there. Given parameters stay unchanged; an algorithm
    without such a parameter ends when it has no more to do.

    Raises
    ------
    InvalidParams
        If there is no such algorithm.
    """
    *before, last = stages
    return (*before, replace(last, params={**max_iterations(find(last.algorithm)), **last.params}))


def max_iterations(solver: Solver) -> dict[str, Any]:
    """The parameter that counts an algorithm's iterations, at its maximum; empty if it has no such parameter."""
    param = solver.iterations_param()
    return {} if param is None or param.high is None else {param.name: int(param.high)}
