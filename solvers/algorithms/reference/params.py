"""Parameters of other projects' solvers: number and duration of calls."""

from dataclasses import dataclass

from solvers.core.params import Params, param, variant_param

#: The longest call in seconds.
MAX_SECONDS = 3600.0
#: How much of the run's remaining time a call leaves for its answer, in seconds and as a share.
_SPARE, _SPARE_SHARE = 0.01, 0.05
#: The shortest call in seconds.
_MIN_SECONDS = 0.001


@dataclass(frozen=True)
class ReferenceParams(Params):
    """Parameters of a `ReferenceSolver`."""

    calls: int = param(
        8, label="Calls", help="How often the package is called, each time from scratch.",
        low=1, high=1000, step=1, scale="log",
    )  # fmt: skip
    first_seconds: float = param(
        0.05, label="Seconds of the first call", help="The time limit of the first call.",
        low=0.01, high=MAX_SECONDS, step=0.01, scale="log",
    )  # fmt: skip
    growth: float = param(
        2.0, label="Growth", help="The factor by which the time limit grows from each call to the next.",
        low=1.0, high=10.0, step=0.1, advanced=True,
    )  # fmt: skip

    def time_limit(self, call: int, previous_seconds: float = 0.0) -> float:
        """Return a call's time limit, at least as long as the previous call took."""
        return min(MAX_SECONDS, max(previous_seconds, self.first_seconds * self.growth ** min(call, 300)))


def limit_call(seconds: float, seconds_left: float | None) -> float:
    """Return a call's time limit within the `seconds_left` of the run; they are None if the run has no limit."""
    return (
        seconds if seconds_left is None else max(_MIN_SECONDS, min(seconds, seconds_left * (1 - _SPARE_SHARE) - _SPARE))
    )


@dataclass(frozen=True)
class ThreadedParams(ReferenceParams):
    """Parameters of a package that can use several threads."""

    variant: str = variant_param(("cpu", "sequential"), "Where it runs: on all cores, or in one thread.")
