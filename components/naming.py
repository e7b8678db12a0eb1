"""What the page calls things, in the words of the algorithm that is shown."""

from typing import NamedTuple

from components import words
from solvers.solver import Solver


def axis_options(solver: Solver) -> list[dict[str, str]]:
    """What the chart's x can be, in the words of an algorithm."""
    names = {
        "climb": f"This {walk_name(solver)}",
        "iterations": words.plural(solver.iteration_unit).capitalize(),
        "evaluations": evaluations(solver).capitalize(),
        "seconds": "Seconds",
    }
    if solver.iteration_unit == solver.evaluation_unit:  # one after the other, they are the same
        del names["evaluations"]
    return [{"value": value, "label": label} for value, label in names.items()]


def part_options(solver: Solver) -> list[dict[str, str]]:
    """What stands below the chart: the table, in the word of an algorithm, or the study of restarts."""
    table = words.plural(solver.iteration_unit).capitalize()
    parts = [{"value": "table", "label": table}]
    if not words.is_colony(solver):  # its iterations each build on the one before
        parts.append({"value": "study", "label": "Climbers against accuracy"})
    return parts


def walk_name(solver: Solver) -> str:
    """What one row of the table is, and what the player plays: a climb, or whatever the algorithm counts."""
    return "climb" if solver.step_unit == "move" else solver.iteration_unit


def legend_style(solver: Solver) -> str:
    """The legend speaks of two edges that leave and two that enter, or of one that joins."""
    return "legend building" if solver.step_unit == "edge" else "legend"


def rate_label(solver: Solver) -> str:
    """What is counted in a second."""
    return f"{evaluations(solver)} / s"


def evaluations(solver: Solver) -> str:
    """What is counted; moves that are only tried are told from those that the player plays."""
    counted = words.plural(solver.evaluation_unit)
    return f"{counted} tried" if solver.evaluation_unit == solver.step_unit else counted


def table_note(solver: Solver) -> str:
    """One sentence for who sees the table for the first time."""
    if not solver.listed:
        return "The tour of your file; the player goes along it, edge by edge."
    if solver.step_unit == "move":
        return f"Each row is the climb of one {solver.iteration_unit} from a random tour; click to replay."
    if words.is_colony(solver):
        return "Each row is the best ant of one iteration; click to see how it built its tour."
    return f"Each row is one {solver.iteration_unit}; click to see how its tour was made."


def views_style(solver: Solver) -> str:
    """The views of pheromone and ants are offered where there are any."""
    return "views" if words.is_colony(solver) else "views none"


class Words(NamedTuple):
    """What the page calls things while an algorithm's run is shown."""

    axes: list[dict[str, str]]
    parts: list[dict[str, str]]
    rate: str
    note: str
    climb: str
    step: str
    legend: str
    views: str
    row: str


def words_of(solver: Solver) -> Words:
    """The words for an algorithm."""
    names = walk_name(solver).capitalize(), solver.step_unit.capitalize()
    styles, row = (legend_style(solver), views_style(solver)), solver.iteration_unit
    said = axis_options(solver), part_options(solver), rate_label(solver), table_note(solver)
    return Words(*said, *names, *styles, row)
