"""Facts about instances, algorithms and runs, in the page's language."""

import re
from typing import Any

from components.shell.catalogues import current_texts
from components.shell.numbers import THIN, format_integer, format_percent
from components.shell.texts import common
from components.types import Json
from data import moments
from runs.language import DEFAULT, current_language, per_language
from runs.translation import translate
from solvers import find
from solvers.core.errors import InvalidParams
from solvers.core.solver import Solver, is_exact
from solvers.core.solver import plural as english_plural
from solvers.spec import RunSpec

#: States that have a translation.
STATES = (
    "running", "paused", "queued", "starting", "finished", "cancelled", "failed", "interrupted", "elsewhere", "stopped",
    "broken", "unreadable", "over",
)  # fmt: skip
#: Descriptions of how distances are measured, by edge weight type.
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
    """Replace commas between thousands by thin spaces, except in German decimals such as 0,001."""
    return re.sub(r"(?<=\d)(?<!\b0),(?=\d{3})", THIN, text)


def localise(sentence: str) -> str:
    """Translate a sentence of data, solvers, runs or studies, with numbers formatted for the page."""
    return thin_commas(translate(sentence))


def format_city_count(n: int) -> str:
    """Return a number of cities in words."""
    return common("instance.cities", count=n)


def describe_optimum(length: int | None, proven: bool) -> str:
    """Return the best known tour's length in words."""
    if length is None:
        return common("instance.no-optimum")
    return common("instance.optimum" if proven else "instance.best-known", length=length)


def label_length(words: str, unit: str) -> str:
    """Return the label of an axis of lengths: "length", or "length, km" if the unit is known."""
    return common("length.named", words=words, unit=unit) if unit else words


def is_colony(solver: Solver) -> bool:
    """Return whether an algorithm has ants and pheromone to show."""
    return "pheromone" in solver.views


def is_population(solver: Solver) -> bool:
    """Return whether an algorithm has a population of tours to show."""
    return "population" in solver.views


def label_views(solver: Solver) -> dict[str, str]:
    """Return the labels of a run's views, including its tour, by name."""
    return {view: common(f"view.{view}") for view in ("tour", *solver.views)}


def translate_unit(name: str) -> str:
    """Return an algorithm's unit in the page's language, such as climber or linear program."""
    slug = name.replace(" ", "-")
    return common(f"unit.{slug}") if f"unit.{slug}" in current_texts("common") else name


def translate_plural(name: str) -> str:
    """Return a unit's plural, such as climbers or linear programs."""
    slug = name.replace(" ", "-")
    return common(f"unit.{slug}.many") if f"unit.{slug}.many" in current_texts("common") else english_plural(name)


def count_units(count: int, name: str) -> str:
    """Format a number of an algorithm's units, such as 1 climber or 1 000 climbers."""
    return f"{format_integer(count)} {translate_unit(name) if count == 1 else translate_plural(name)}"


def translate_word(name: str) -> str:
    """Return the translation of a word such as run, race, lane or runs."""
    return common(f"word.{name}")


def capitalise(words: str) -> str:
    """Capitalise words for the start of a line."""
    return words[:1].upper() + words[1:]


def translate_state(name: str) -> str:
    """Return the state of a run, race or study in a word."""
    return common(f"state.{name}") if name in STATES else name


def lower_label(label: str) -> str:
    """Return a label for use within a line: lower case in English, while nouns may keep capitals elsewhere."""
    return label.lower() if current_language() == DEFAULT else label


def units(solver: Solver) -> dict[str, Json]:
    """Return what the page's scripts need to know about an algorithm.

    ``whole``: a tour exists before the run. ``colony``: it has pheromone trails and ants to show. ``exact``: a complete
    run proves its tour optimal. ``first``: the number of the first iteration.
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
        "views": list(label_views(solver)),
    }


def format_local_time(created: Json) -> str:
    """Return the local date and time of seconds since 1970.

    `created` may be any value found in a file.
    """
    month = moments.format_moment(created, "%m")
    if not month:
        return common("run.unknown-time")
    day, time = (moments.format_moment(created, part) for part in ("%d", "%H:%M"))
    return common("time.moment", day=day, month=common("time.months").split()[int(month) - 1], time=time)


def format_gap(value: float | None, proven: bool = False) -> str:
    """Return the gap to the optimum in percent, or a word if the tour is proven optimal; empty without a gap."""
    if value == 0 and proven:
        return common("gap.optimal")
    return "" if value is None else format_percent(value)


def describe_choices(spec: RunSpec) -> str:
    """Return the settings that set a run apart from others of its algorithm: amount of work and seed."""
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
    count_words = count_units(count, name) if isinstance(count, int) else ""
    return " · ".join(part for part in (count_words, seed) if part)


def describe_recent(run: dict[str, Any], proven: bool = False) -> str:
    """Return a run's result for the menu of recent runs.

    `proven` says whether the instance's optimum is proven.
    """
    length = format_integer(run["length"]) if run.get("length") is not None else ""
    worth = common("gap.proven") if run.get("proven") else format_gap(run.get("gap_percent"), proven)
    parts = (format_local_time(run["created"]), translate_state(run["state"]), length, worth)
    return " · ".join(part for part in parts if part)
