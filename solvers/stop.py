"""Stop rules: frozen settings, and the fresh counter that each run starts from them."""

import time
from dataclasses import dataclass


class Clock:
    """Seconds of a run: stands while kernels compile and while the run is paused."""

    def __init__(self) -> None:
        self._before = 0.0
        self._since: float | None = None

    def go(self) -> None:
        """Let the clock run (again)."""
        if self._since is None:
            self._since = time.perf_counter()

    def stand(self) -> None:
        """Stop the clock until `go`."""
        self._before = self.seconds
        self._since = None

    @property
    def seconds(self) -> float:
        """Seconds for which the clock has run."""
        return self._before + (time.perf_counter() - self._since if self._since is not None else 0.0)


@dataclass(frozen=True, slots=True)
class Budget:
    """When a run ends by itself, whichever comes first; None means never.

    Attributes
    ----------
    seconds : float or None
        On the run's clock.
    iterations, evaluations : int or None
        In the solver's declared units.
    without_improvement : int or None
        Iterations since the best length last fell.
    target : int or None
        A length that is good enough.
    """

    seconds: float | None = None
    iterations: int | None = None
    evaluations: int | None = None
    without_improvement: int | None = None
    target: int | None = None

    def start(self) -> "Counter":
        """A fresh counter, its clock standing."""
        return Counter(self)


class Counter:
    """Counts one run against its budget, and keeps the totals that the result reports."""

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
        """Make the next `update` stop the run. May be called from another thread."""
        self.reason = "cancelled"

    def update(self, iterations: int, evaluations: int, best: int | None) -> bool:
        """Take the totals so far; True means stop now, `reason` says why."""
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

    def progress(self) -> float:
        """The share of the budget that is used, 0 to 1, by whichever limit is nearest."""
        used = [0.0]
        for limit, amount in (
            (self.budget.seconds, self.clock.seconds),
            (self.budget.evaluations, self.evaluations),
            (self.budget.iterations, self.iterations),
        ):
            if limit:
                used.append(amount / limit)
        return min(1.0, max(used))
