"""The page's labels in the current algorithm's terms."""

from typing import NamedTuple

from components.shell import facts
from components.shell.controls import choices
from components.shell.texts import watch as text
from components.types import Option
from solvers.core.solver import Solver, is_exact
from solvers.user_files.absent import AbsentSolver
from solvers.user_files.solver_file import FileSolver


def axis_options(solver: Solver) -> list[Option]:
    """Return the options of the chart's x axis, in an algorithm's terms."""
    names = {
        "climb": text("chart.axis.climb", walk=name_walk(solver)),
        "iterations": facts.capitalise(facts.translate_plural(solver.iteration_unit)),
        "evaluations": facts.capitalise(label_evaluations(solver)),
        "seconds": text("chart.axis.seconds"),
    }
    if solver.iteration_unit == solver.evaluation_unit:  # otherwise two axes would be the same
        del names["evaluations"]
    return choices(names)


def part_options(solver: Solver) -> list[Option]:
    """Return the tabs below the chart: the table, in an algorithm's terms, and the panel of restarts."""
    table = facts.capitalise(facts.translate_plural(solver.iteration_unit))
    parts = {"table": table}
    if solver.iteration_unit == "climber":  # other iterations build on the previous one, or try all there is
        parts["restarts"] = text("restarts.part")
    return choices(parts)


def name_walk(solver: Solver) -> str:
    """Return the name of a table row, the unit that the player plays: a climb or an iteration."""
    return (
        facts.translate_word("climb")
        if solver.iteration_unit == "climber"
        else facts.translate_unit(solver.iteration_unit)
    )


def legend_style(solver: Solver) -> str:
    """Return the legend's class: moves, or construction, which only adds edges."""
    return "legend building" if solver.step_unit == "edge" else "legend"


def label_evaluations(solver: Solver) -> str:
    """Return the label for evaluations.

    Moves that are only tried are named differently from those shown by the player.
    """
    counted = facts.translate_plural(solver.evaluation_unit)
    return text("chart.axis.tried", counted=counted) if solver.evaluation_unit == solver.step_unit else counted


def explain_table(solver: Solver) -> str:
    """Explain the table in one sentence."""
    if isinstance(solver, FileSolver | AbsentSolver):  # its start is unknown
        return text("table.note.own", unit=solver.iteration_unit)
    if not solver.listed:
        return text("table.note.file")
    if solver.iteration_unit == "climber":
        return text("table.note.climb", unit=facts.translate_unit(solver.iteration_unit))
    if solver.step_unit == "move":
        return text("table.note.moves", unit=facts.translate_unit(solver.iteration_unit))
    if facts.is_colony(solver):
        return text("table.note.colony")
    if facts.is_population(solver):
        return text("table.note.population", unit=facts.translate_unit(solver.iteration_unit))
    if solver.iteration_unit == "node":
        return text("table.note.node")
    if is_exact(solver):
        return text("table.note.exact")
    return text("table.note.tour", unit=facts.translate_unit(solver.iteration_unit))


def views_style(solver: Solver) -> str:
    """Return the CSS class of the view tabs, which are hidden if the algorithm has only the tour view."""
    return "views" if len(facts.label_views(solver)) > 1 else "views none"


def view_options(solver: Solver) -> list[Option]:
    """Return the views of an algorithm's run."""
    return choices(facts.label_views(solver))


class Words(NamedTuple):
    """The page's labels for the current algorithm."""

    axes: list[Option]
    parts: list[Option]
    rate: str
    note: str
    climb: str
    step: str
    legend: str
    views: str
    view_options: list[Option]


def choose_words(solver: Solver) -> Words:
    """Choose the labels for an algorithm."""
    names = facts.capitalise(name_walk(solver)), facts.capitalise(facts.translate_unit(solver.step_unit))
    styles = legend_style(solver), views_style(solver)
    texts = axis_options(solver), part_options(solver), label_evaluations(solver), explain_table(solver)
    return Words(*texts, *names, *styles, view_options(solver))
