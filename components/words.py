"""Numbers and facts as the page writes them."""

from datetime import datetime
from typing import Any

from solvers.solver import Solver

#: Narrow no-break space: between thousands, and between a number and its unit.
THIN = "\u202f"


def grouped(number: int) -> str:
    """A whole number with thin spaces between thousands."""
    return f"{number:,}".replace(",", THIN)


def cities(n: int) -> str:
    """How many cities, in words."""
    return f"{grouped(n)} {'city' if n == 1 else 'cities'}"


def optimum(length: int | None, proven: bool) -> str:
    """What is known of the shortest tour."""
    if length is None:
        return "no optimum known"
    return f"{'optimum' if proven else 'best known'} {grouped(length)}"


def plural(unit: str) -> str:
    """More than one of a unit: climbers, cities, tries."""
    if unit.endswith("y") and unit[-2:-1] not in "aeiou":
        return unit[:-1] + "ies"
    return unit + ("es" if unit.endswith(("s", "x", "ch", "sh")) else "s")


def units(solver: Solver) -> dict[str, str]:
    """What an algorithm counts, for the page's scripts."""
    return {
        "title": solver.title,
        "iteration": solver.iteration_unit,
        "evaluation": solver.evaluation_unit,
        "step": solver.step_unit,
    }


def when(created: float) -> str:
    """The local day and time of seconds since 1970."""
    return datetime.fromtimestamp(created).strftime("%d %b, %H:%M")


def gap(percent: float | None) -> str:
    """A gap to the optimum, signed, or nothing."""
    return "" if percent is None else f"{percent:+.2f}{THIN}%".replace("-", "\u2212")


def recent_line(run: dict[str, Any]) -> str:
    """The second line of an entry among the recent runs."""
    length = grouped(run["length"]) if run.get("length") is not None else ""
    parts = (when(run["created"]), run["state"], length, gap(run.get("gap_percent")))
    return " · ".join(part for part in parts if part)
