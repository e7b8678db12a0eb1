"""What runs before the last algorithm of a lane: a choice of a form, and stages that the choice has no word for."""

from collections.abc import Sequence
from typing import Any

import dash_bootstrap_components as dbc
from dash import html

from components.shell.controls import labelled
from solvers import SOLVERS, find

#: Values of the choice: no stage before; those that the lane had, as they were.
NOTHING, AS_IT_WAS = "nothing", "as-it-was"

StageJson = dict[str, Any]  #: ``{"algorithm", "params"}``


def field(select_id: str, title: str) -> html.Div:
    """The choice in a form; `title` says what for."""
    select = dbc.Select(id=select_id, options=options(()), value=NOTHING)
    return labelled("Start from", select_id, select, title=title)


def options(before: Sequence[StageJson]) -> list[dict[str, str]]:
    """The options for a lane that has these stages before its last."""
    found = [{"value": NOTHING, "label": "a random tour"}]
    found += [{"value": maker.name, "label": maker.title} for maker in SOLVERS if maker.makes_start]
    if value(before) == AS_IT_WAS:
        found.append({"value": AS_IT_WAS, "label": ", then ".join(find(stage["algorithm"]).title for stage in before)})
    return found


def value(before: Sequence[StageJson]) -> str:
    """The option that stands for these stages."""
    if not before:
        return NOTHING
    plain = len(before) == 1 and not before[0]["params"] and find(before[0]["algorithm"]).makes_start
    return before[0]["algorithm"] if plain else AS_IT_WAS


def begun(algorithm: Any, edited: Any) -> tuple[str, list[dict[str, str]]]:
    """The option and the options of a form: those of the lane as it was, and of any other algorithm none before it.

    Parameters
    ----------
    algorithm : str
        The one that the form is at.
    edited : dict
        What the form is at: ``algorithm`` is the one that the lane had.
    """
    before = stages(AS_IT_WAS, edited) if is_own(algorithm, edited) else []
    return value(before), options(before)


def is_own(algorithm: Any, edited: Any) -> bool:
    """Whether the form is at the algorithm of the lane that it was opened for."""
    return isinstance(edited, dict) and edited.get("algorithm") == algorithm


def stages(chosen: Any, edited: Any) -> list[StageJson]:
    """The stages of a choice.

    Parameters
    ----------
    chosen : str
        Its value.
    edited : dict
        What the form is at: ``before`` has the stages that the lane had.
    """
    if chosen == AS_IT_WAS:
        found = edited.get("before") if isinstance(edited, dict) else None
        return found if isinstance(found, list) else []
    return [] if not chosen or chosen == NOTHING else [{"algorithm": chosen, "params": {}}]
