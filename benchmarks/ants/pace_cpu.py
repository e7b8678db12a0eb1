"""Times the phases of a colony's iterations on the CPU."""

from collections.abc import Iterator
from typing import Any

#: Phases reported by a colony on cores, in order.
PHASES = ("choice", "construction", "update", "best")


def measure_phases(colony: Any, count: int) -> Iterator[dict[str, float]]:
    """Yield the milliseconds of the phases and of the whole ``iteration``, for iterations after the first."""
    for k in range(1, count + 2):
        measured = next_iteration(colony, k)
        if k > 1:
            phases = {phase: round(float(measured.phases[0, i]), 6) for i, phase in enumerate(PHASES)}
            yield {"iteration": round(1e3 * float(measured.seconds[0]), 6), **phases}


def next_iteration(colony: Any, iteration: int) -> Any:
    """Run until the next iteration is complete, which may take many slices, and return its report."""
    results = None
    while results is None:
        results = colony.advance(iteration)
    return results
