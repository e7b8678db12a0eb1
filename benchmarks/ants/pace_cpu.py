"""Times the phases of an iteration of a colony on the CPU."""

from collections.abc import Iterator
from typing import Any

#: Phases as a colony on cores tells them, in this order.
PHASES = ("choice", "construction", "update", "best")


def measure_phases(colony: Any, count: int) -> Iterator[dict[str, float]]:
    """Milliseconds of the phases and of the whole ``iteration``, for some iterations after the first."""
    for k in range(1, count + 2):
        measured = next_iteration(colony, k)
        if k > 1:
            phases = {phase: round(float(measured.phases[0, i]), 6) for i, phase in enumerate(PHASES)}
            yield {"iteration": round(1e3 * float(measured.seconds[0]), 6), **phases}


def next_iteration(colony: Any, iteration: int) -> Any:
    """The report of the next iteration, which may take many slices."""
    found = None
    while found is None:
        found = colony.advance(iteration)
    return found
