"""Stop rules: a frozen budget, and the counter that each run creates from it."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


class Interrupted(Exception):
    """A run was cancelled or ran out of time while it was prepared."""


#: Stop reason for a run that ran out of time before its algorithm began.
PREPARATION = "preparation"


class Clock:
    """A run's clock in seconds; it stops while kernels compile and while the run is paused."""

    def __init__(self) -> None:
        self._before = 0.0
        self._since: float | None = None

    def resume(self) -> None:
        """Start or resume the clock."""
        if self._since is None:
            self._since = time.perf_counter()

    def pause(self) -> None:
        """Stop the clock until `resume`."""
        self._before = self.seconds
        self._since = None

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Stop the clock during a block."""
        self.pause()
        try:
            yield
        finally:
            self.resume()

    @property
    def seconds(self) -> float:
        """The seconds that the clock has measured."""
        return self._before + (time.perf_counter() - self._since if self._since is not None else 0.0)


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of a run, which ends at the first limit that it reaches; None means no limit.

    Attributes
    ----------
    seconds : float or None
        Seconds on the run's clock.
    iterations, evaluations : int or None
        In the units that the solver declares.
    without_improvement : int or None
        Number of iterations since the best length last improved.
    target : int or None
        A length that is short enough.
    """

    seconds: float | None = None
    iterations: int | None = None
    evaluations: int | None = None
    without_improvement: int | None = None
    target: int | None = None

    def start(self) -> "Counter":
        """Return a new counter with a stopped clock."""
        return Counter(self)


class Counter:
    """Checks a run against its budget, and stores the totals for the result."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.clock = Clock()
        self.iterations = 0
        self.evaluations = 0
        self.best: int | None = None
        self.best_at = 0.0
        self.reason: str | None = None
        self._improved_in = 0

    def cancel(self) -> None:
        """Make the next `update` stop the run; any thread may call this."""
        self.reason = "cancelled"

    def update(self, iterations: int, evaluations: int, best: int | None) -> bool:
        """Store the totals; return whether the run must stop; `reason` then says why."""
        self.iterations, self.evaluations = iterations, evaluations
        if best is not None and (self.best is None or best < self.best):
            self.best, self.best_at, self._improved_in = best, self.clock.seconds, iterations
        budget = self.budget
        if self.reason is not None:
            return True
        if budget.target is not None and self.best is not None and self.best <= budget.target:
            self.reason = "target"
        elif budget.seconds is not None and self.clock.seconds >= budget.seconds:
            self.reason = "time"
        elif budget.evaluations is not None and evaluations >= budget.evaluations:
            self.reason = "evaluations"
        elif budget.iterations is not None and iterations >= budget.iterations:
            self.reason = "iterations"
        elif budget.without_improvement is not None and iterations - self._improved_in >= budget.without_improvement:
            self.reason = "no-improvement"
        return self.reason is not None

    @contextmanager
    def count_time(self) -> Iterator[None]:
        """Run the clock within the context, during preparation that is not compilation."""
        self.clock.resume()
        try:
            yield
        finally:
            self.clock.pause()

    def check(self) -> None:
        """Check the budget while the run is being prepared.

        Raises
        ------
        Interrupted
            If the run must end.
        """
        if self.update(self.iterations, self.evaluations, self.best):
            if self.reason == "time":
                self.reason = PREPARATION
            raise Interrupted

    @property
    def evaluations_left(self) -> int | None:
        """Number of evaluations that the budget still allows, at least 1; None if it does not limit evaluations."""
        limit = self.budget.evaluations
        return None if limit is None else max(1, limit - self.evaluations)

    def affordable(self, iterations: int) -> int:
        """Return how many iterations the budget still allows, from 1 to `iterations`."""
        limit = self.budget.iterations
        return iterations if limit is None else max(1, min(iterations, limit - self.iterations))

    def progress(self) -> float:
        """Return the share of the budget that is used, from 0 to 1, for the limit that is closest."""
        used = [0.0]
        for limit, amount in (
            (self.budget.seconds, self.clock.seconds),
            (self.budget.evaluations, self.evaluations),
            (self.budget.iterations, self.iterations),
        ):
            if limit:
                used.append(amount / limit)
        return min(1.0, max(used))
