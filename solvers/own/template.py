"""A solver of my own: tours by the nearest neighbour, shortened by 2-opt.

Change what you like, and look at it again:

    tourscope check THIS_FILE
    tourscope --solver THIS_FILE

The page "A solver of your own" (docs/your-solver.md) explains every line.
"""

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np

from solvers.own import Climb, Event, Job, OwnSolver, Params, Report, distance_matrix, param


@dataclass(frozen=True)
class MyParams(Params):
    """What the form shows."""

    climbers: int = param(
        20, label="Climbers", help="How many tours are built and shortened.", low=1, high=100_000, step=1, scale="log"
    )
    local_search: bool = param(True, label="2-opt", help="Whether each tour is shortened by 2-opt.")


class MySolver(OwnSolver):
    """From a random city always go to the nearest one that is left; then exchange two edges as long as that helps."""

    name = "my-solver"
    title = "My solver"
    source = "My own file"
    summary = "Builds tours by the nearest neighbour, and shortens each by 2-opt."
    params = MyParams

    def solve(self, job: Job) -> Generator[Event, None, None]:
        """Make one tour after the other, until all are made or the run is stopped."""
        params = job.params
        assert isinstance(params, MyParams)
        report = Report(self, job, params.climbers)
        yield from report.compiling()
        distances = distance_matrix(job.instance).tolist()  # of plain Python, lists are faster than arrays
        yield from report.started()
        for climber in range(params.climbers):
            random = np.random.default_rng((job.seed, climber))  # the same seed gives the same run
            start = yield from nearest_neighbour(distances, int(random.integers(job.instance.n)), report)
            if climber == 0 and job.start is not None:
                start = job.start.tolist()  # where this run begins with the tour of another algorithm
            climb = report.climb(start)
            evaluations = 0
            if params.local_search:
                evaluations = yield from two_opt(distances, climb, report)
            yield from climb.end(evaluations)
            if report.stopped():
                return


def nearest_neighbour(distances: list[list[int]], first: int, report: Report) -> Generator[Event, None, list[int]]:
    """Visit the nearest city that is left, beginning with `first`; returns the tour."""
    order, left = [first], set(range(len(distances))) - {first}
    while left:
        row = distances[order[-1]]
        order.append(min(left, key=lambda city: (row[city], city)))
        left.remove(order[-1])
        if report.due():  # at most 100 ms may pass between two events
            yield from report.waiting()
    return order


def two_opt(distances: list[list[int]], climb: Climb, report: Report) -> Generator[Event, None, int]:
    """Make moves that shorten the tour until there is none; returns how many moves were evaluated."""
    n, evaluations, improved = len(distances), 0, True
    while improved:
        improved = False
        for i in range(n - 2):
            order = climb.order.tolist()
            for j in range(i + 2, n if i else n - 1):
                a, b, c, d = order[i], order[i + 1], order[j], order[(j + 1) % n]
                delta = distances[a][c] + distances[b][d] - distances[a][b] - distances[c][d]
                evaluations += 1
                if delta < 0:
                    climb.move(i, j, delta)  # edges (a, c) and (b, d) replace (a, b) and (c, d)
                    order = climb.order.tolist()
                    improved = True
            if report.due():
                yield from climb.going_on()
                if report.stopped():
                    return evaluations
    return evaluations
