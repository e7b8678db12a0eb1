"""Climbers against accuracy: how short the best of k random restarts is, for several k, over several seeds.

After J. Utne and H. N. W. Hansen, "Solving TSP on the GPU based on heuristic algorithms" (2023), sections 7.4, 7.5.
"""

from collections.abc import Generator, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import median
from typing import Any

from data.instance import Instance
from solvers import SOLVERS
from solvers.events import Event, Finished, Rows, Started
from solvers.run import prepare, run
from solvers.solver import Solver
from solvers.spec import RunSpec, Stage
from solvers.stop import Counter

#: Per cent above the optimum; climbers that end within them are counted.
WITHIN = (1, 2, 5)


def accuracy_percent(length: float, optimum: int | None) -> float | None:
    """The optimum as a share of a length, in per cent, as the paper has it; None where no optimum is known."""
    return None if not optimum or not length else 100.0 * optimum / length


@dataclass(frozen=True, slots=True)
class Value:
    """What the first climbers of one run came to.

    Attributes
    ----------
    climbers : int
        How many.
    length : int
        The lowest of their lengths.
    accuracy_percent : float or None
        See `accuracy_percent`; None where no optimum is known, as the shares below.
    within_1_percent, within_2_percent, within_5_percent : float or None
        Share of the climbers, in per cent, that are at most so far above the optimum.
    seconds : float
        On the run's clock, when the last of them was reported: compilation apart.
    scans : float
        Mean number of times that a climber looked at all its moves: the paper's while-iterations.
    """

    climbers: int
    length: int
    accuracy_percent: float | None
    within_1_percent: float | None
    within_2_percent: float | None
    within_5_percent: float | None
    seconds: float
    scans: float


class Prefixes:
    """Folds a run's climbers, as they come, into the values of its first k, for each k; keeps no climber.

    Parameters
    ----------
    counts : sequence of int
        Each k, rising.
    instance : Instance

    Attributes
    ----------
    values : list of Value
        Of those k that the run has reached.
    finished : int
        Climbers so far.
    """

    def __init__(self, counts: Sequence[int], instance: Instance) -> None:
        self._counts, self._optimum = counts, instance.optimum
        self._moves_a_scan = (instance.n - 1) * (instance.n - 2) // 2
        self.values: list[Value] = []
        self.finished = 0
        self._lowest, self._evaluations, self._moves = 0, 0, 0
        self._within = dict.fromkeys(WITHIN, 0)

    def take(self, rows: Rows, seconds: float) -> None:
        """Fold climbers that had finished after so many seconds."""
        at = 0
        while at < rows.length.size:
            left = [k - self.finished for k in self._counts if k > self.finished]
            end = min(rows.length.size, at + left[0]) if left else rows.length.size
            self._fold(rows, slice(at, end))
            at = end
            if self.finished in self._counts:
                self.values.append(self._value(seconds))

    def _fold(self, rows: Rows, part: slice) -> None:
        length = rows.length[part]
        lowest = int(length.min())
        self._lowest = min(self._lowest, lowest) if self.finished else lowest
        if self._optimum:
            for percent in WITHIN:
                self._within[percent] += int((100 * length <= (100 + percent) * self._optimum).sum())
        self._evaluations += int(rows.evaluations[part].sum())
        self._moves += int(rows.moves[part].sum())
        self.finished += length.size

    def _value(self, seconds: float) -> Value:
        known = bool(self._optimum)
        shares = {
            f"within_{percent}_percent": 100.0 * count / self.finished if known else None
            for percent, count in self._within.items()
        }
        return Value(
            climbers=self.finished,
            length=self._lowest,
            accuracy_percent=accuracy_percent(self._lowest, self._optimum),
            seconds=seconds,
            scans=self._scans(),
            **shares,
        )

    def _scans(self) -> float:
        """By evaluations, since a variant may make more than one move a scan; one or two cities have no moves."""
        if self._moves_a_scan:
            return self._evaluations / self._moves_a_scan / self.finished
        return 1.0 + self._moves / self.finished


class Study:
    """One run of the largest k for each seed; each serves all smaller k with its first climbers.

    Parameters
    ----------
    spec : RunSpec
        What runs with the first seed; its parameter ``climbers`` is set here.
    counts : sequence of int
        Each k, rising.
    seeds : int
        How many, from the spec's own on.
    instance : Instance
    solvers : sequence of Solver, optional
        Where the spec's algorithm is looked for.

    Raises
    ------
    InvalidParams, DeviceUnavailable
        As `solvers.run.prepare`.
    """

    def __init__(
        self,
        spec: RunSpec,
        counts: Sequence[int],
        seeds: int,
        instance: Instance,
        solvers: Sequence[Solver] = SOLVERS,
    ) -> None:
        stage = spec.stages[-1]
        largest = Stage(stage.algorithm, stage.params | {"climbers": counts[-1]})
        self.spec = replace(spec, stages=(largest,))
        self.prepared = prepare(self.spec, solvers)
        self._counts, self._instance = tuple(counts), instance
        self.seeds = range(spec.seed, spec.seed + seeds)
        self._runs: list[dict[str, Any]] = []
        self._counter = self.spec.budget.start()
        self._cancelled = False

    def cancel(self) -> None:
        """Stop after the climbers that are under way. May be called from another thread."""
        self._cancelled = True
        self._counter.cancel()

    def run(self) -> Generator[tuple[int, Counter, Event], None, None]:
        """Run seed after seed, and yield every event with its seed and its run's counter."""
        for seed in self.seeds:
            self._counter = self.spec.budget.start()
            if self._cancelled:
                break
            yield from self._one(seed, self._counter)

    def _one(self, seed: int, counter: Counter) -> Generator[tuple[int, Counter, Event], None, None]:
        prefixes, variant = Prefixes(self._counts, self._instance), ""
        for event in run(replace(self.prepared, spec=replace(self.spec, seed=seed)), self._instance, counter):
            if isinstance(event, Started):
                variant = event.variant
            elif isinstance(event, Rows):
                prefixes.take(event, counter.clock.seconds)
            elif isinstance(event, Finished):
                self._runs.append(_run_entry(seed, variant, prefixes, event))
            yield seed, counter, event

    def result(self) -> dict[str, Any]:
        """What there is so far, as a JSON value; of a seed that was stopped, the k that it had reached."""
        instance, stage = self._instance, self.spec.stages[-1]
        return {
            "instance": instance.name,
            "n": instance.n,
            "optimum": instance.optimum,
            "proven": instance.proven,
            "instance_sha256": instance.sha256,
            "algorithm": stage.algorithm,
            "climbers": list(self._counts),
            "seeds": list(self.seeds),
            "stopped": self._cancelled,
            "rows": [row for k in self._counts if (row := self._row(k))],
            "runs": self._runs,
            "spec": self.spec.to_json(),
        }

    def _row(self, k: int) -> dict[str, Any] | None:
        """Median, least and greatest of each value over the seeds that reached k."""
        values = [value for each in self._runs for value in each["values"] if value["climbers"] == k]
        if not values:
            return None
        spread = {name: _spread([value[name] for value in values]) for name in values[0] if name != "climbers"}
        return {"climbers": k, "seeds": len(values), **spread}


def _run_entry(seed: int, variant: str, prefixes: Prefixes, end: Finished) -> dict[str, Any]:
    return {
        "seed": seed,
        "variant": variant,
        "device": end.device,
        "threads": end.threads,
        "finished": prefixes.finished,
        "seconds": end.seconds,
        "compile_seconds": end.compile_seconds,
        "stop_reason": end.stop_reason,
        "versions": end.versions,
        "values": [asdict(value) for value in prefixes.values],
    }


def _spread(values: list[Any]) -> dict[str, float] | None:
    if None in values:
        return None
    return {"median": median(values), "min": min(values), "max": max(values)}
