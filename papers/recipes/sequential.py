"""Sequential 2-opt, ants and annealing: figures 7 to 9 of Utne and Hansen (2023), section 7.3."""

from collections.abc import Iterator
from math import inf

from data.collection.resolve import load
from papers.recipes.plan import Plan
from papers.results import Measured
from papers.runs import INSTANCE, spec
from solvers.events import Progress
from solvers.run import prepare, run

#: The paper tells the lengths of ants and annealing after every tenth iteration.
_INTERVAL = 10


def convergence(plan: Plan, algorithm: str) -> Measured:
    """Lengths over the iterations of one run, from the tour that it begins with.

    An iteration is a 2-opt move that was evaluated, of the first climb; an iteration of all ants, whose length is that
    of its best; or a tour that annealing drew.
    """
    columns = ("length",) if algorithm == "two-opt" else ("length", "best length")
    told = dict(_lengths(algorithm))
    shown = {k for k in told if algorithm == "two-opt" or k % _INTERVAL == 0 or k in (min(told), max(told))}
    rows = {f"{k:,}": tuple([length] for length in told[k][: len(columns)]) for k in sorted(shown)}
    return Measured("Iterations", columns, ("",) * len(columns), rows)


def _lengths(algorithm: str) -> Iterator[tuple[int, tuple[float, float]]]:
    """Iterations of a run, with the length then and the best one so far.

    Annealing reports a best tour once it has measured it, which may be long after it was there.
    """
    instance, least = load(INSTANCE), inf
    for event in run(prepare(spec(algorithm)), instance, pictures=False):
        if isinstance(event, Progress):
            counted = event.iteration if algorithm == "ant-system" else event.evaluations
            for k, length, best in zip(counted, event.current, event.best, strict=True):
                least = min(least, float(length), float(best))
                yield int(k), (float(length), least)
