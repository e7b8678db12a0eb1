"""Runs that have a budget use it: what ends an algorithm by itself is set so high that the budget ends it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from solvers import find
from solvers.solver import Solver
from solvers.spec import Stage


def enough(stages: Sequence[Stage]) -> tuple[Stage, ...]:
    """Stages whose last one goes on until a budget ends it: climbers, iterations, chains, samples or starts at most.

    Those before it come to their own end, for the next begins there. What is given stays as it is; an algorithm without
    such a parameter ends when it has no more to do.

    Raises
    ------
    InvalidParams
        If there is no such algorithm.
    """
    *before, last = stages
    return (*before, replace(last, params={**most(find(last.algorithm)), **last.params}))


def most(solver: Solver) -> dict[str, Any]:
    """The parameter that counts an algorithm's iterations, if it has one, at its highest."""
    found = solver.iterations_param()
    return {} if found is None or found.high is None else {found.name: int(found.high)}
