"""The stages before a lane's last algorithm: chosen in the form, or left unchanged."""

from collections.abc import Sequence
from functools import reduce
from typing import cast

import dash_bootstrap_components as dbc
from dash import html

from components.shell.controls import labelled_row
from components.shell.texts import common as text
from components.types import Json, Option, StageJson
from solvers import SOLVERS, find

#: Options of the menu: no earlier stage; or the lane's own earlier stages, unchanged.
NOTHING, AS_IT_WAS = "nothing", "as-it-was"


def field(select_id: str, title: str) -> html.Div:
    """Return the menu in a form; `title` is its tooltip."""
    select = dbc.Select(id=select_id, options=options(()), value=NOTHING)
    return labelled_row(text("start-tour.label"), select_id, select, title=title)


def options(before: Sequence[StageJson]) -> list[Option]:
    """Return the options for a lane with these earlier stages."""
    choices = [Option(value=NOTHING, label=text("start-tour.random"))]
    choices += [Option(value=maker.name, label=maker.title) for maker in SOLVERS if maker.makes_start]
    if find_option(before) == AS_IT_WAS:
        titles = [find(stage["algorithm"]).title for stage in before]
        label = reduce(lambda first, then: text("start-tour.then", first=first, then=then), titles)
        choices.append({"value": AS_IT_WAS, "label": label})
    return choices


def find_option(before: Sequence[StageJson]) -> str:
    """Return the option for these stages."""
    if not before:
        return NOTHING
    is_option = len(before) == 1 and not before[0]["params"] and find(before[0]["algorithm"]).makes_start
    return before[0]["algorithm"] if is_option else AS_IT_WAS


def find_chosen_option(algorithm: Json, edited: Json) -> tuple[str, list[Option]]:
    """Return a form's chosen option and all options: the lane's own, or no earlier stages if its algorithm was changed.

    Parameters
    ----------
    algorithm : str
        The algorithm chosen in the form.
    edited : dict
        The edited lane or entry, with its original ``algorithm``.
    """
    before = find_stages(AS_IT_WAS, edited) if is_own(algorithm, edited) else []
    return find_option(before), options(before)


def is_own(algorithm: Json, edited: Json) -> bool:
    """Return whether the form shows the lane's original algorithm."""
    return isinstance(edited, dict) and edited.get("algorithm") == algorithm


def find_stages(chosen: Json, edited: Json) -> list[StageJson]:
    """Return an option's stages.

    Parameters
    ----------
    chosen : str
        Value of the option.
    edited : dict
        The edited lane or entry, with its original stages in ``before``.
    """
    if chosen == AS_IT_WAS:
        before = edited.get("before") if isinstance(edited, dict) else None
        return cast(list[StageJson], before) if isinstance(before, list) else []
    return [{"algorithm": chosen, "params": {}}] if isinstance(chosen, str) and chosen not in ("", NOTHING) else []
