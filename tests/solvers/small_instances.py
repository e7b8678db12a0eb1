"""Random instances of a few cities, whose shortest tours all orders show: what every proof and bound must agree with.

By hand, for those of some numbers: ``python -m tests.solvers.small_instances 0 20000``, which prints how many agree.
With ``--cuda``, kernels for CUDA are asked, on a GPU or with ``NUMBA_ENABLE_CUDASIM=1``; ``--mpi`` is for ``mpiexec``.
"""

import argparse
import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from functools import cache

import numpy as np

from data.distances import tour_length
from data.instance import Instance
from data.limits import MAX_WEIGHT
from data.paths import with_path
from data.tsplib.normal_form import assemble
from solvers import find
from solvers.algorithms.held_karp.plan import MIN_CITIES
from solvers.algorithms.held_karp.solver import make_layer_factory, make_plan
from solvers.bounds.lower_bound import compute_lower_bound
from solvers.core.errors import DeviceUnavailable, InstanceTooLarge
from solvers.core.events import Event, Finished, Tree, shows_proof
from tests.solver_runs import collect_events, make_spec

CITIES = range(3, 10)
#: What each kind draws its weights from, lowest and highest.
WEIGHTS = {
    "plain": (0, 300),
    "few values": (0, 2),
    "negative": (-300, -1),
    "both signs": (-300, 300),
    "zero": (0, 0),
    "equal": (7, 7),
    "equal, negative": (-7, -7),
    "states of two bytes": (0, 7000),
    "huge": (MAX_WEIGHT - 1000, MAX_WEIGHT),
    "huge, negative": (-MAX_WEIGHT, 1000 - MAX_WEIGHT),
    "huge, both signs": (-MAX_WEIGHT, MAX_WEIGHT),
}
#: Kinds of instances: those of weights in one direction and in two, and some with a structure.
KINDS = (
    *WEIGHTS, *(f"{kind}, directed" for kind in WEIGHTS), "missing", "missing, directed", "doubled", "shortest 0",
    "path", "path, directed", "path, missing",
)  # fmt: skip
#: The algorithms that prove, with their variants on cores.
PROVING = (
    *(("held-karp", name) for name in ("cpu", "sequential", "qin-han-openmp", "qin-han-sequential")),
    ("branch-and-cut", "cpu"),
)
#: The same on CUDA.
PROVING_ON_CUDA = (("held-karp", "cuda"), ("held-karp", "qin-han"))


def draw(kind: str, n: int, seed: int) -> Instance:
    """An instance of a kind with `n` cities; some kinds change the number to a possible one."""
    rng = np.random.default_rng([KINDS.index(kind), n, seed])
    missing = None
    if kind == "doubled":
        weights = _double_cities(rng, max(2, n // 2))
    elif kind == "shortest 0":
        weights = _shortest_zero(rng, n)
    else:
        low, high = WEIGHTS.get(kind.removesuffix(", directed"), (0, 50))
        weights = rng.integers(low, high, (n, n), endpoint=True)
        if not kind.endswith("directed"):
            weights = np.triu(weights, 1) + np.triu(weights, 1).T
        if "missing" in kind:
            missing = rng.random((n, n)) < 0.5
            missing = missing if kind.endswith("directed") else missing | missing.T
            np.fill_diagonal(missing, False)
            missing[0, 1] = missing[1, 0] = False  # a graph needs an edge
    np.fill_diagonal(weights, 0)
    drawn = assemble(f"{kind} {n} {seed}", "EXPLICIT", "inline", weights=weights.astype(np.int32), missing=missing)
    if not kind.startswith("path"):
        return drawn
    start, end = rng.permutation(n)[:2].tolist()
    return with_path(drawn, *((start, None), (None, end), (start, end))[rng.integers(3)])


def _double_cities(rng: np.random.Generator, n: int) -> np.ndarray:
    """A directed instance as a symmetric one: each city becomes two, joined by a long negative edge."""
    weights = np.full((2 * n, 2 * n), 100_000)
    weights[n:, :n] = rng.integers(0, 100, (n, n))
    weights[:n, n:] = weights[n:, :n].T
    cities = np.arange(n)
    weights[cities, cities + n] = weights[cities + n, cities] = -1000
    return weights


def _shortest_zero(rng: np.random.Generator, n: int) -> np.ndarray:
    """A symmetric matrix of positive and negative numbers whose shortest tour has length 0."""
    weights = rng.integers(-20, 20, (n, n), endpoint=True)
    weights = n * (np.triu(weights, 1) + np.triu(weights, 1).T)
    return weights - shortest(weights) // n


def shortest(weights: np.ndarray) -> int:
    """The length of the shortest tour, by brute force."""
    tours = _tours(len(weights))
    return int(weights.astype(np.int64)[tours, np.roll(tours, -1, axis=1)].sum(axis=1).min())


def shortest_path(instance: Instance) -> int:
    """The length of the shortest path from the start of an instance to its end, by brute force."""
    assert instance.weights is not None
    paths = all_orders(instance.n)
    for end, at in ((instance.start, 0), (instance.end, -1)):
        paths = paths if end is None else paths[paths[:, at] == end]
    return int(instance.weights.astype(np.int64)[paths[:, :-1], paths[:, 1:]].sum(axis=1).min())


@cache
def all_orders(n: int) -> np.ndarray:
    """All orders of n cities."""
    return np.array(list(itertools.permutations(range(n))), np.int8)


@cache
def _tours(n: int) -> np.ndarray:
    return np.array([(0, *rest) for rest in itertools.permutations(range(1, n))])


def instances(numbers: Iterable[int]) -> Iterator[tuple[str, Instance]]:
    """The instances with these numbers, and their kinds: successive ones have all kinds and sizes equally often."""
    pairs = tuple(itertools.product(CITIES, KINDS))
    for number in numbers:
        n, kind = pairs[number % len(pairs)]
        yield kind, draw(kind, n, number)


def check_proof(instance: Instance, least: int, algorithm: str, variant: str) -> bool:
    """Assert that an algorithm proves the length `least`; returns False if it refuses the instance."""
    try:
        events = collect_events(instance, make_spec(algorithm, variant=variant))
    except (DeviceUnavailable, InstanceTooLarge):
        return False
    _check_events(events, instance, least, f"{variant} on {instance.name}")
    return True


def _check_events(events: list[Event], instance: Instance, least: int, what: str) -> None:
    end = events[-1]
    assert isinstance(end, Finished), what
    assert any(map(shows_proof, events)), f"{what}: no proof"
    assert end.length == tour_length(instance, end.order) == least, f"{what}: {end.length} instead of {least}"
    bounds = [int(bound) for event in events if isinstance(event, Tree) for bound in event.bound]
    assert max(bounds, default=least) <= least, f"{what}: a bound of {max(bounds)} above {least}"


def check_bound(instance: Instance, least: int, device: str = "cpu") -> bool:
    """Assert that no bound is above the length `least`; returns False if none is computed."""
    try:
        bound = compute_lower_bound(instance, device).length
    except InstanceTooLarge:
        return False
    assert bound <= least, f"{instance.name}: a bound of {bound} above {least}"
    assert instance.n > 3 or instance.directed or bound == least, f"{instance.name}: {bound} below {least}"
    return True


def check(
    drawn: Iterable[tuple[str, Instance]], proving: Sequence[tuple[str, str]] = PROVING, device: str = "cpu"
) -> Counter[str]:
    """Check instances with algorithms and a device's bound; return the counts of each kind and of agreements."""
    answered: Counter[str] = Counter()
    for kind, instance in drawn:
        assert instance.weights is not None
        least = shortest(instance.weights)
        assert not instance.is_path or least == shortest_path(instance), instance.name
        answered[f"kind: {kind}"] += 1
        for algorithm, variant in proving:
            answered[f"{algorithm} {variant}"] += check_proof(instance, least, algorithm, variant)
        answered[f"bound on {device}"] += check_bound(instance, least, device)
    return answered


def check_in_processes(drawn: Iterable[tuple[str, Instance]]) -> Counter[str]:
    """Check instances with the variants on MPI, in a process started by ``mpiexec``."""
    from mpi4py import MPI

    from solvers.mpi.mpi_communicator import MpiCommunicator

    answered: Counter[str] = Counter()
    on_mpi = [variant for variant in find("held-karp").variants if variant.needs == "mpi"]
    for _, instance in drawn:
        assert instance.weights is not None
        if instance.n < MIN_CITIES or instance.directed:
            continue
        for variant in on_mpi:
            try:
                plan, distances = make_plan(instance, 0, variant)
            except InstanceTooLarge:
                continue
            ranks = MpiCommunicator(MPI.COMM_WORLD)
            with closing(make_layer_factory(plan, distances)(1, ranks)) as layers:
                while not (done := layers.advance()).is_last(plan):
                    continue
            assert done.best is not None
            raised = int(distances[0, 1]) - int(instance.weights[0, 1])
            length = done.best.length - instance.n * raised
            assert length == shortest(instance.weights), f"{variant.name} on {instance.name}: {length}"
            answered[f"held-karp {variant.name}, process {ranks.rank} of {ranks.count}"] += 1
    return answered


def check_from_command_line(numbers: range, cuda: bool = False, mpi: bool = False) -> Counter[str]:
    """Check the instances with these numbers, on cores, on a GPU or in processes."""
    if mpi:
        return check_in_processes(instances(numbers))
    return check(instances(numbers), PROVING_ON_CUDA, "cuda") if cuda else check(instances(numbers))


def print_answers(check: Callable[..., Counter[str]], description: str | None, *switches: str) -> None:
    """Check the numbers that the command line has, with its switches, and print the counts."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("first", type=int)
    parser.add_argument("end", type=int)
    for switch in switches:
        parser.add_argument(f"--{switch}", action="store_true")
    chosen = vars(parser.parse_args())
    answered = check(range(chosen.pop("first"), chosen.pop("end")), **chosen)
    print("".join(f"{times:8,}  {name}\n" for name, times in sorted(answered.items())), end="")


if __name__ == "__main__":
    print_answers(check_from_command_line, __doc__, "cuda", "mpi")
