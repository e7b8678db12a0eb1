"""Facts of instances, algorithms and runs, in the words of the page."""

import re
from typing import Any

from components.shell.catalogues import current_texts
from components.shell.numbers import THIN, integer, percent
from components.shell.texts import common
from data import moments
from runs.language import DEFAULT, language, per_language
from runs.translation import translate
from solvers import find
from solvers.errors import InvalidParams
from solvers.solver import Solver, is_exact
from solvers.solver import plural as english_plural
from solvers.spec import RunSpec

#: States that there is a word for.
STATES = (
    "running", "paused", "queued", "starting", "finished", "cancelled", "failed", "interrupted", "elsewhere", "stopped",
    "broken", "unreadable", "over",
)  # fmt: skip
#: How distances are measured, by edge weight types.
MEASURES = per_language(
    lambda: {
        "EUC_2D": common("distances.euclidean"),
        "CEIL_2D": common("distances.euclidean-up"),
        "GEO": common("distances.globe"),
        "HAVERSINE_KM": common("distances.ground.km"),
        "HAVERSINE_M": common("distances.ground.m"),
        "ATT": common("distances.pseudo-euclidean"),
        "EXPLICIT": common("distances.matrix"),
    }
)


def thin_commas(text: str) -> str:
    """A sentence with the commas between thousands replaced by thin spaces; that of 0,001 is a German decimal one."""
    return re.sub(r"(?<=\d)(?<!\b0),(?=\d{3})", THIN, text)


def localise(sentence: str) -> str:
    """Translate a sentence of data, solvers, runs or studies, with numbers formatted for the page."""
    return thin_commas(translate(sentence))


def cities(n: int) -> str:
    """The number of cities, in words."""
    return common("instance.cities", count=n)


def optimum(length: int | None, proven: bool) -> str:
    """The length of the best known tour, in words."""
    if length is None:
        return common("instance.no-optimum")
    return common("instance.optimum" if proven else "instance.best-known", length=length)


def named_length(words: str, unit: str) -> str:
    """The label for lengths on an axis: length, or "length, km" where the unit is known."""
    return common("length.named", words=words, unit=unit) if unit else words


def is_colony(solver: Solver) -> bool:
    """Whether the algorithm has ants and pheromone to show."""
    return "pheromone" in solver.views


def is_population(solver: Solver) -> bool:
    """Whether the algorithm has a population of tours to show."""
    return "population" in solver.views


def views(solver: Solver) -> dict[str, str]:
    """The views of a run other than its tour: labels by the names of the views."""
    return {view: common(f"view.{view}") for view in ("tour", *solver.views)}


def unit(name: str) -> str:
    """An algorithm's unit in the language of the page: climber, linear program."""
    slug = name.replace(" ", "-")
    return common(f"unit.{slug}") if f"unit.{slug}" in current_texts("common") else name


def plural(name: str) -> str:
    """More than one of them: climbers, linear programs."""
    slug = name.replace(" ", "-")
    return common(f"unit.{slug}.many") if f"unit.{slug}.many" in current_texts("common") else english_plural(name)


def word(name: str) -> str:
    """The translation of a word such as run, race, lane or runs."""
    return common(f"word.{name}")


def capital(words: str) -> str:
    """Words that begin a line."""
    return words[:1].upper() + words[1:]


def state(name: str) -> str:
    """The state of a run, race or study in a word."""
    return common(f"state.{name}") if name in STATES else name


def within(label: str) -> str:
    """A label within a line: in English it begins small; in other languages a noun may need its capital."""
    return label.lower() if language() == DEFAULT else label


def units(solver: Solver) -> dict[str, Any]:
    """The units that an algorithm counts in, for the page's scripts.

    ``whole`` means that there is a tour before it begins, ``colony`` that it has pheromone and ants to show, ``exact``
    that a run that completes has proven its tour optimal; ``first`` is the number of the first iteration.
    """
    return {
        "title": translate(solver.title),
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
    """Local date and time of a timestamp in seconds since 1970; `created` may be any value that a file holds."""
    month = moments.formatted(created, "%m")
    if not month:
        return common("run.unknown-time")
    day, time = (moments.formatted(created, part) for part in ("%d", "%H:%M"))
    return common("time.moment", day=day, month=common("time.months").split()[int(month) - 1], time=time)


def gap(value: float | None, proven: bool = False) -> str:
    """A gap to the optimum in percent, or nothing without one; for a tour that is proven optimal, a word."""
    if value == 0 and proven:
        return common("gap.optimal")
    return "" if value is None else percent(value)


def choices(spec: RunSpec) -> str:
    """What distinguishes a run from others of its algorithm: its amount of work, and its seed."""
    stage, seed = spec.stages[-1], common("run.seed", seed=str(spec.seed))
    try:
        solver = find(stage.algorithm)
    except InvalidParams:
        return seed
    if not solver.listed:  # an uploaded tour has neither
        return ""
    name = solver.iteration_unit
    counted = solver.iterations_param()
    count = None if counted is None else stage.params.get(counted.name, counted.default)
    many = f"{integer(count)} {unit(name) if count == 1 else plural(name)}" if isinstance(count, int) else ""
    return " · ".join(part for part in (many, seed) if part)


def recent_line(run: dict[str, Any], proven: bool = False) -> str:
    """The result of a run, for an entry among the recent runs; `proven` if the instance's optimum is proven."""
    length = integer(run["length"]) if run.get("length") is not None else ""
    worth = common("gap.proven") if run.get("proven") else gap(run.get("gap_percent"), proven)
    parts = (when(run["created"]), state(run["state"]), length, worth)
    return " · ".join(part for part in parts if part)
