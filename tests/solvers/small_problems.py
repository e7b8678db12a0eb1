"""Random problems of 5 to 10 cities: directed or not, round trips or paths, with fixed and missing edges.

All orders of the cities that keep the problem's own rules show the shortest; nothing of `data.paths` is used for that.
By hand, for those of some numbers: ``python -m tests.solvers.small_problems 0 10000``, which prints how many agree.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from data.distances import distance_matrix, tour_length
from data.errors import InvalidInstance
from data.generators import uniform
from data.instance import Instance
from data.paths import ANY, open_order, with_fixed_edges, with_path
from data.tsplib.normal_form import assemble
from solvers import find
from solvers.core.events import Finished, shows_proof
from tests.solver_runs import collect_events, make_spec, small_params
from tests.solvers.small_instances import all_orders, print_answers

#: Numbers of cities, the larger the rarer: there are 3.6 million orders of ten.
CITIES = (*(5,) * 40, *(6,) * 30, *(7,) * 17, *(8,) * 9, *(9,) * 3, 10)
PROVING = ("held-karp", "branch-and-cut")
#: The algorithms that prove nothing, each asked of every so many problems.
OTHERS = (
    "lin-kernighan", "two-opt", "tabu-search", "simulated-annealing", "genetic-algorithm", "ant-system",
    "max-min-ant-system", "ant-colony-system", "particle-swarm", "artificial-bee-colony", "greedy", "nearest-neighbour",
    "nearest-insertion", "farthest-insertion", "cheapest-insertion", "savings",
)  # fmt: skip


@dataclass(frozen=True)
class Problem:
    """A problem as it is asked for, and the instance that is solved.

    Attributes
    ----------
    base : Instance
        Of round trips without fixed edges.
    ends : (int or str or None, int or str or None)
        As `data.paths.with_path` takes them.
    edges : tuple of (int, int)
        The fixed ones, in their direction if the base is directed.
    instance : Instance
    """

    base: Instance
    ends: tuple[int | str | None, int | str | None]
    edges: tuple[tuple[int, int], ...]
    instance: Instance

    def shortest(self) -> int | None:
        """The length of the shortest order of the cities, by brute force; None if none is allowed."""
        weights, orders = distance_matrix(self.base), all_orders(self.base.n)
        is_path, allowed = self.ends != (None, None), np.ones(len(orders), bool)
        for end, at in zip(self.ends, (0, -1), strict=True):
            allowed &= orders[:, at] == end if isinstance(end, int) else True
        for a, b in self.edges:
            step = (orders == b).argmax(axis=1) - (orders == a).argmax(axis=1)
            steps = np.array([1] if self.base.directed and (b, a) not in self.edges else [1, -1])
            allowed &= np.isin(step, steps) if is_path else np.isin(step % self.base.n, steps % self.base.n)
        orders = orders[allowed]
        after = orders[:, 1:] if is_path else np.roll(orders, -1, axis=1)
        lengths = weights[orders[:, : after.shape[1]], after]
        if self.base.missing:
            lengths = lengths[(lengths != self.base.missing_weight).all(axis=1)]
        return int(lengths.sum(axis=1).min()) if len(lengths) else None


def draw(seed: int) -> Problem | None:
    """A random problem; None if the fixed edges allow no solution, which is refused."""
    rng = np.random.default_rng([52, seed])
    n, kind = int(rng.choice(CITIES)), rng.choice(("uniform", "symmetric", "directed", "directed"))
    if kind == "uniform":
        base = uniform(n, seed)
    else:
        weights = rng.integers(0, rng.choice((3, 50, 5000)), (n, n)).astype(np.int32)
        missing = rng.random((n, n)) < rng.choice((0.0, 0.15))
        if kind == "symmetric":
            weights, missing = np.triu(weights, 1) + np.triu(weights, 1).T, missing | missing.T
        np.fill_diagonal(missing, False)
        marked = missing if missing.any() else None
        base = assemble(f"{kind} {seed}", "EXPLICIT", "inline", weights=weights, missing=marked)
    a, b = rng.permutation(n)[:2].tolist()
    ends = ((None, None), (a, None), (ANY, b), (a, b), (ANY, ANY))[rng.integers(5)]
    edges = tuple((int(a), int(b)) for a, b in (rng.permutation(n)[:2] for _ in range(rng.integers(4))))
    try:
        return Problem(base, ends, edges, with_path(with_fixed_edges(base, edges), *ends))
    except InvalidInstance as refused:
        if refused.code != "UNSUPPORTED":
            raise
        return None


def check(seeds: Iterable[int]) -> Counter[str]:
    """Assert that all algorithms agree with brute force on the problems of some seeds; return the number of
    agreements."""
    answered: Counter[str] = Counter()
    for seed in seeds:
        problem = draw(seed)
        if problem is None:
            answered["refused"] += 1
            continue
        least, instance = problem.shortest(), problem.instance
        answered["without a solution" if least is None else "solved"] += 1
        for algorithm in (*PROVING, OTHERS[seed % len(OTHERS)]):
            params = {} if algorithm in PROVING else small_params(find(algorithm))
            events = collect_events(instance, make_spec(algorithm, **params))
            end, what = events[-1], f"{algorithm}, {seed}: {problem.ends}, {problem.edges}, {instance.name}"
            assert isinstance(end, Finished), what
            proves = any(map(shows_proof, events))
            assert proves or algorithm not in PROVING, what
            if least is None or instance.missing_in(end.length):
                assert instance.missing_in(end.length), f"{what}: a path that cannot be"
                assert least is None or algorithm not in PROVING, f"{what}: {end.length} instead of {least}"
                continue
            order = open_order(instance, end.order)
            assert end.length == tour_length(instance, end.order) >= least, f"{what}: {end.length} below {least}"
            assert sorted(order.tolist()) == list(range(problem.base.n)), what
            assert end.length == least or algorithm not in PROVING, f"{what}: {end.length} instead of {least}"
            answered[algorithm] += 1
    return answered


if __name__ == "__main__":
    print_answers(check, __doc__)
