"""Numbers and facts as the page writes them."""

import re
from typing import Any

from data import moments
from solvers import find
from solvers.errors import InvalidParams
from solvers.solver import Solver, is_exact, plural
from solvers.spec import RunSpec

#: Narrow no-break space: between thousands, and between a number and its unit.
THIN = "\u202f"
#: How instances measure, by TSPLIB's edge weight types.
MEASURES = {
    "EUC_2D": "Euclidean",
    "CEIL_2D": "Euclidean, rounded up",
    "GEO": "on the globe",
    "ATT": "pseudo-Euclidean",
    "EXPLICIT": "distance matrix",
}


def grouped(number: int) -> str:
    """A whole number with thin spaces between thousands."""
    return f"{number:,}".replace(",", THIN)


def thinned(text: str) -> str:
    """A sentence with thin spaces between thousands, where it has commas."""
    return re.sub(r"(?<=\d),(?=\d{3})", THIN, text)


def cities(n: int) -> str:
    """How many cities, in words."""
    return f"{grouped(n)} {'city' if n == 1 else 'cities'}"


def optimum(length: int | None, proven: bool) -> str:
    """What is known of the shortest tour."""
    if length is None:
        return "no optimum known"
    return f"{'optimum' if proven else 'best known'} {grouped(length)}"


def is_colony(solver: Solver) -> bool:
    """Whether ants and their pheromone are there to be looked at."""
    return "pheromone" in solver.views


def views(solver: Solver) -> dict[str, str]:
    """What there is to look at beside the tour of a run: labels by the names of the views."""
    return {view: view.capitalize() for view in ("tour", *solver.views)}


def units(solver: Solver) -> dict[str, Any]:
    """What an algorithm counts, for the page's scripts.

    ``whole`` says that a tour was there before it began, ``colony`` that it has pheromone and ants to look at,
    ``exact`` that a run that comes to its end has proven its tour the shortest; ``first`` is the number of the first
    iteration.
    """
    return {
        "title": solver.title,
        "iteration": solver.iteration_unit,
        "evaluation": solver.evaluation_unit,
        "step": solver.step_unit,
        "whole": not solver.listed,
        "colony": is_colony(solver),
        "exact": is_exact(solver),
        "first": solver.counted_from,
        "views": list(views(solver)),
    }


def when(created: Any) -> str:
    """The local day and time of seconds since 1970, whatever a file says that these are."""
    return moments.told(created, "%d %b, %H:%M") or "at an unknown time"


def gap(percent: float | None, proven: bool = False) -> str:
    """A gap to the optimum, signed, or nothing; that of a tour that is known to be the shortest is a word."""
    if percent == 0 and proven:
        return "optimal"
    return "" if percent is None else f"{percent:+.2f}{THIN}%".replace("-", "\u2212")


def choices(spec: RunSpec) -> str:
    """What tells a run from others of its algorithm: how much it does, and its seed."""
    stage = spec.stages[-1]
    try:
        solver = find(stage.algorithm)
    except InvalidParams:
        return f"seed {spec.seed}"
    if not solver.listed:  # a tour that was brought has neither
        return ""
    unit = solver.iteration_unit
    counted = solver.iterations_param()
    count = None if counted is None else stage.params.get(counted.name, counted.default)
    many = f"{grouped(count)} {unit if count == 1 else plural(unit)}" if isinstance(count, int) else ""
    return " · ".join(part for part in (many, f"seed {spec.seed}") if part)


def recent_line(run: dict[str, Any], proven: bool = False) -> str:
    """What came of a run, for an entry among the recent runs; `proven` if the instance's optimum is known to be one."""
    length = grouped(run["length"]) if run.get("length") is not None else ""
    worth = "proven optimal" if run.get("proven") else gap(run.get("gap_percent"), proven)
    parts = (when(run["created"]), run["state"], length, worth)
    return " · ".join(part for part in parts if part)
