"""Solvers of a user's own, one of each kind, as somebody has written them after the contract of a release.

They join by ``--solver tests.saved.own_solver:Swaps``, and must go on working as they are: this file is not changed
when the project is.
"""

import itertools
import random
import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from data.distances import distance_matrix, tour_length
from solvers.devices import cpu_text
from solvers.errors import InstanceTooLarge
from solvers.events import (
    Ants,
    Colony,
    Compiling,
    Edges,
    Event,
    Field,
    Front,
    Layers,
    Moves,
    Progress,
    Rows,
    Started,
    Tour,
)
from solvers.params import Params, param
from solvers.solver import Job, Preset, Solver, Variant


class Own(Solver):
    """The common part of all solvers: one variant, on one thread."""

    source: ClassVar[str] = "Somebody"
    variants: ClassVar[tuple[Variant, ...]] = (Variant("plain", "cpu", "nowhere:nothing", "Plain Python."),)
    evaluation_unit: ClassVar[str] = "tour"

    def started(self) -> Iterator[Event]:
        """The first events of every run."""
        yield Compiling()
        yield Started(self.name, "plain", cpu_text(1), 1, 0.0)


class Counts:
    """Converts lengths of finished climbers into events."""

    def __init__(self, job: Job) -> None:
        self._job, self._began, self.best, self.count, self.sum, self.evaluations = (
            job,
            time.perf_counter(),
            None,
            0,
            0,
            0,
        )

    def take(self, order: np.ndarray, moves: int, evaluations: int) -> Iterator[Event]:
        length = int(tour_length(self._job.instance, order))
        seconds = time.perf_counter() - self._began
        self._began += seconds
        self.count, self.sum, self.evaluations = self.count + 1, self.sum + length, self.evaluations + evaluations
        if self.best is None or length < self.best:
            self.best = length
            yield Tour(order.astype(np.int32), length, self.count - 1)
        counted = {"iteration": self.count, "evaluations": self.evaluations, "best": self.best, "current": length}
        whole = {name: np.array([value], np.int64) for name, value in counted.items()}
        elapsed, mean = np.array([self._job.stop.clock.seconds]), np.array([self.sum / self.count])
        yield Progress(**whole, elapsed=elapsed, mean=mean)
        yield Rows(
            climber=np.array([self.count - 1], np.int32),
            length=np.array([length], np.int64),
            moves=np.array([moves], np.int32),
            evaluations=np.array([evaluations], np.int64),
            seconds=np.array([seconds]),
        )

    def stopped(self) -> bool:
        return self._job.stop.update(self.count, self.evaluations, self.best)


@dataclass(frozen=True)
class SwapsParams(Params):
    climbers: int = param(2, label="Climbers", help="How many tours.", low=1, high=1000, step=1, symbol="k")
    keen: bool = param(False, label="Keen", help="Whether the first move that helps is made.", advanced=True)
    variant: str = param("auto", label="Variant", help="The only one.", choices=("auto", "plain"))


class Swaps(Own):
    """A climb: 2-opt from shuffled tours, reported move by move."""

    name: ClassVar[str] = "swaps"
    title: ClassVar[str] = "Swaps"
    family: ClassVar[str] = "local search"
    summary: ClassVar[str] = "Exchanges two edges as long as that helps."
    params: ClassVar[type[Params]] = SwapsParams
    iteration_unit: ClassVar[str] = "climber"
    evaluation_unit: ClassVar[str] = "move"
    step_unit: ClassVar[str] = "move"
    presets: ClassVar[tuple[Preset, ...]] = (Preset("keen", "Keen", {"keen": True}, "Somebody, section 1"),)

    def solve(self, job: Job) -> Generator[Event, None, None]:
        assert isinstance(job.params, SwapsParams)
        yield from self.started()
        counts = Counts(job)
        for climber in range(job.params.climbers):
            moves, order, looked = self._climb(job, climber)
            yield moves
            yield from counts.take(order, moves.i.size, looked)
            if counts.stopped():
                return

    def replay(self, job: Job, climber: int) -> Iterator[Event]:
        yield self._climb(job, climber)[0]

    def _climb(self, job: Job, climber: int) -> tuple[Moves, np.ndarray, int]:
        d, n = distance_matrix(job.instance), job.instance.n
        order = np.array(random.Random(job.seed * 1000 + climber).sample(range(n), n), np.int32)
        if job.start is not None and climber == 0:
            order = job.start.copy()
        start, created_items, looked = order.copy(), [], 0
        while True:
            best = (0, 0, 0)
            for i, j in itertools.combinations(range(n), 2):
                a, b, e, f = order[i], order[i + 1], order[j], order[(j + 1) % n]
                delta, looked = int(d[a, e] + d[b, f] - d[a, b] - d[e, f]), looked + 1
                best = min(best, (delta, i, j))
                if best[0] and job.params.keen:
                    break
            if not best[0]:
                break
            created_items.append(best)
            order[best[1] + 1 : best[2] + 1] = order[best[1] + 1 : best[2] + 1][::-1].copy()
        piece = {"climber": climber, "first": 0, "count": len(created_items), "tour": 0}
        one = {name: np.array([value], np.int32) for name, value in piece.items()}
        delta, i, j = (np.array(column, np.int32) for column in zip(*created_items, strict=True))
        length = np.array([tour_length(job.instance, start)], np.int64)
        answer = Moves(**one, length=length, last=np.array([True]), tours=start[None], i=i, j=j, delta=delta)
        return answer, order, looked


@dataclass(frozen=True)
class BackwardsParams(Params):
    by: int = param(1, label="By", help="How many cities are passed over.", low=1, high=100, step=1)


class Backwards(Own):
    """A construction that visits the cities from last to first, except some that it leaves until the end."""

    name: ClassVar[str] = "backwards"
    title: ClassVar[str] = "Backwards"
    family: ClassVar[str] = "construction"
    summary: ClassVar[str] = "Visits the cities from the last to the first."
    params: ClassVar[type[Params]] = BackwardsParams
    iteration_unit: ClassVar[str] = "tour"
    step_unit: ClassVar[str] = "edge"
    chance: ClassVar[bool] = False
    listed: ClassVar[bool] = False

    def solve(self, job: Job) -> Generator[Event, None, None]:
        yield from self.started()
        yield from self.replay(job, 0)
        counts = Counts(job)
        yield from counts.take(self._order(job), 0, 1)
        counts.stopped()

    def replay(self, job: Job, climber: int) -> Iterator[Event]:
        yield edges_of(job, climber, self._order(job))

    def _order(self, job: Job) -> np.ndarray:
        assert isinstance(job.params, BackwardsParams)
        cities = np.arange(job.instance.n, dtype=np.int32)[::-1]
        return np.concatenate([cities[start :: job.params.by] for start in range(job.params.by)])


def edges_of(job: Job, climber: int, order: np.ndarray) -> Edges:
    """The event of a tour that is built in visiting order."""
    edges = np.stack([order, np.roll(order, -1)], axis=1).astype(np.int32)
    return Edges(climber, edges, distance_matrix(job.instance)[edges[:, 0], edges[:, 1]].astype(np.int32))


@dataclass(frozen=True)
class CrumbsParams(Params):
    iterations: int = param(3, label="Iterations", help="How often ants walk.", low=1, high=100, step=1, scale="log")
    ants: int = param(2, label="Ants", help="Tours of an iteration.", low=1, high=100, step=1, symbol="m")
    rho: float = param(
        0.5, label="Evaporation", help="The share that is lost.", low=0.0, high=1.0, step=0.1, symbol="ρ"
    )


class Crumbs(Own):
    """A colony whose best ant leaves crumbs, with a picture after every iteration."""

    name: ClassVar[str] = "crumbs"
    title: ClassVar[str] = "Crumbs"
    family: ClassVar[str] = "ant colony"
    summary: ClassVar[str] = "Ants follow the crumbs of the best one."
    params: ClassVar[type[Params]] = CrumbsParams
    iteration_unit: ClassVar[str] = "iteration"
    step_unit: ClassVar[str] = "edge"

    def solve(self, job: Job) -> Generator[Event, None, None]:
        assert isinstance(job.params, CrumbsParams)
        yield from self.started()
        counts = Counts(job)
        for iteration, (orders, trails) in enumerate(self._iterations(job), 1):
            lengths = np.array([tour_length(job.instance, order) for order in orders], np.int64)
            yield edges_of(job, iteration - 1, orders[lengths.argmin()])
            yield from counts.take(orders[lengths.argmin()], 0, len(orders))
            yield Colony(
                iteration=np.array([iteration], np.int64), best=lengths[:1].copy(), mean=np.array([lengths.mean()]),
                worst=np.array([lengths.max()]), entropy=np.zeros(1), branching=np.ones(1),
                trials=np.zeros((1, 0), np.int64),
            )  # fmt: skip
            if job.pictures:
                yield Ants(iteration, lengths)
                yield self._field(job, iteration, trails)
            if counts.stopped() or iteration == job.params.iterations:
                return

    def replay(self, job: Job, climber: int) -> Iterator[Event]:
        orders, _ = next(itertools.islice(self._iterations(job), climber, None))
        lengths = [tour_length(job.instance, order) for order in orders]
        yield edges_of(job, climber, orders[int(np.argmin(lengths))])

    def _iterations(self, job: Job) -> Iterator[tuple[list[np.ndarray], np.ndarray]]:
        assert isinstance(job.params, CrumbsParams)
        d, n, draw = distance_matrix(job.instance), job.instance.n, random.Random(job.seed)
        trails = np.ones((n, n))
        while True:
            orders = [self._walk(d, trails, draw) for _ in range(job.params.ants)]
            best = min(orders, key=lambda order: tour_length(job.instance, order))
            trails *= 1.0 - job.params.rho
            trails[best, np.roll(best, -1)] += 1.0
            trails[np.roll(best, -1), best] += 1.0
            yield orders, trails

    def _walk(self, d: np.ndarray, trails: np.ndarray, draw: random.Random) -> np.ndarray:
        order, left = [0], set(range(1, len(d)))
        while left:
            near = sorted(left)
            weights = [trails[order[-1], city] / max(1, int(d[order[-1], city])) for city in near]
            order.append(draw.choices(near, weights)[0])
            left.discard(order[-1])
        return np.array(order, np.int32)

    def _field(self, job: Job, iteration: int, trails: np.ndarray) -> Field:
        n = job.instance.n
        pairs = np.array(list(itertools.combinations(range(n), 2)), np.int32)
        strongest = pairs[np.argsort(-trails[pairs[:, 0], pairs[:, 1]], kind="stable")[:20]]
        heat = np.clip(255 * trails / trails.max(), 0, 255).astype(np.uint8)
        trail = trails[strongest[:, 0], strongest[:, 1]].astype(np.float32)
        order = np.arange(n, dtype=np.int32)
        return Field(iteration, 1e-3, float(trails.max()), heat, order, strongest, trail)


@dataclass(frozen=True)
class ExhaustiveParams(Params):
    """No parameters."""


class Exhaustive(Own):
    """An exact algorithm that tries all tours."""

    name: ClassVar[str] = "exhaustive"
    title: ClassVar[str] = "Exhaustive search"
    family: ClassVar[str] = "exact"
    summary: ClassVar[str] = "Looks at every tour."
    params: ClassVar[type[Params]] = ExhaustiveParams
    iteration_unit: ClassVar[str] = "layer"
    step_unit: ClassVar[str] = "edge"
    counted_from: ClassVar[int] = 0

    def needs(self, instance, device: str, memory: int) -> str:
        return f"{instance.n} cities have many tours."

    def solve(self, job: Job) -> Generator[Event, None, None]:
        n = job.instance.n
        if n > 9:
            raise InstanceTooLarge(f"exhaustive takes at most 9 cities, and this instance has {n}.")
        yield from self.started()
        one, many = np.ones(1, np.int64), np.ones(1)
        yield Layers(0, 0, 4, 10**9, one, one, one, one, np.array([n], np.int64), many, many)
        best, evaluations = self._best(job)
        counts = Counts(job)
        yield edges_of(job, 0, best)
        yield from counts.take(best, 0, evaluations)
        yield Front(one * 0, one, one, one, np.array([job.stop.clock.seconds]), True)
        counts.stopped()

    def replay(self, job: Job, climber: int) -> Iterator[Event]:
        yield edges_of(job, climber, self._best(job)[0])

    def _best(self, job: Job) -> tuple[np.ndarray, int]:
        orders = [np.array([0, *rest], np.int32) for rest in itertools.permutations(range(1, job.instance.n))]
        lengths = [tour_length(job.instance, order) for order in orders]
        return orders[int(np.argmin(lengths))], len(orders)
