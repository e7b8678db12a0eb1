"""Labels of the page in the terms of the algorithm that is shown."""

from typing import NamedTuple

from components.shell import facts
from components.shell.controls import choices
from components.shell.texts import watch as text
from solvers.solver import Solver, is_exact
from solvers.user_files.absent import AbsentSolver
from solvers.user_files.solver_file import FileSolver


def axis_options(solver: Solver) -> list[dict[str, str]]:
    """The options of the chart's x axis, in an algorithm's terms."""
    names = {
        "climb": text("chart.axis.climb", walk=walk_name(solver)),
        "iterations": facts.capital(facts.plural(solver.iteration_unit)),
        "evaluations": facts.capital(evaluations(solver)),
        "seconds": text("chart.axis.seconds"),
    }
    if solver.iteration_unit == solver.evaluation_unit:  # both axes would be the same
        del names["evaluations"]
    return choices(names)


def part_options(solver: Solver) -> list[dict[str, str]]:
    """The options below the chart: the table, named in an algorithm's terms, or the panel of restarts."""
    table = facts.capital(facts.plural(solver.iteration_unit))
    parts = {"table": table}
    if not (
        facts.is_colony(solver) or facts.is_population(solver) or is_exact(solver)
    ):  # whose iterations each build on the one before
        parts["restarts"] = text("restarts.part")
    return choices(parts)


def walk_name(solver: Solver) -> str:
    """The name of a table row, the unit that the player plays: a climb, or the algorithm's iteration."""
    return facts.word("climb") if solver.iteration_unit == "climber" else facts.unit(solver.iteration_unit)


def legend_style(solver: Solver) -> str:
    """The legend's class: for moves that remove and add edges, or for construction, which only adds edges."""
    return "legend building" if solver.step_unit == "edge" else "legend"


def rate_label(solver: Solver) -> str:
    """The label of the rate: the unit counted per second."""
    return text("tiles.rate", counted=evaluations(solver))


def evaluations(solver: Solver) -> str:
    """The label for evaluations; moves that are only tried have another name than those that the player shows."""
    counted = facts.plural(solver.evaluation_unit)
    return text("chart.axis.tried", counted=counted) if solver.evaluation_unit == solver.step_unit else counted


def table_note(solver: Solver) -> str:
    """One sentence that explains the table."""
    if isinstance(solver, FileSolver | AbsentSolver):  # nobody knows what it starts from
        return text("table.note.own", unit=solver.iteration_unit)
    if not solver.listed:
        return text("table.note.file")
    if solver.iteration_unit == "climber":
        return text("table.note.climb", unit=facts.unit(solver.iteration_unit))
    if solver.step_unit == "move":
        return text("table.note.moves", unit=facts.unit(solver.iteration_unit))
    if facts.is_colony(solver):
        return text("table.note.colony")
    if facts.is_population(solver):
        return text("table.note.population", unit=facts.unit(solver.iteration_unit))
    if solver.iteration_unit == "node":
        return text("table.note.node")
    if is_exact(solver):
        return text("table.note.exact")
    return text("table.note.tour", unit=facts.unit(solver.iteration_unit))


def views_style(solver: Solver) -> str:
    """The class of the choice of a view, which is shown where there are views other than the tour."""
    return "views" if len(facts.views(solver)) > 1 else "views none"


def view_options(solver: Solver) -> list[dict[str, str]]:
    """The views of an algorithm's run."""
    return choices(facts.views(solver))


class Words(NamedTuple):
    """The labels of the page while an algorithm's run is shown."""

    axes: list[dict[str, str]]
    parts: list[dict[str, str]]
    rate: str
    note: str
    climb: str
    step: str
    legend: str
    views: str
    view_options: list[dict[str, str]]


def choose_words(solver: Solver) -> Words:
    """The labels for an algorithm."""
    names = facts.capital(walk_name(solver)), facts.capital(facts.unit(solver.step_unit))
    styles = legend_style(solver), views_style(solver)
    texts = axis_options(solver), part_options(solver), rate_label(solver), table_note(solver)
    return Words(*texts, *names, *styles, view_options(solver))
