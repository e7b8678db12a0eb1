"""A study's entries in the setup, with labels, colours and buttons."""

from collections.abc import Sequence
from typing import TypeGuard, cast

import dash_bootstrap_components as dbc
from dash import Dash, html

from components.algorithm import several
from components.race import lanes
from components.shell import palette
from components.shell.texts import study as text
from components.study import ids
from components.types import ItemJson, Json, StageJson
from runs.language import DEFAULT as DEFAULT_LANGUAGE
from runs.language import current_language, use_language
from runs.translation import translate
from solvers import find
from solvers.core.errors import InvalidParams
from studies.spec.spec import MAX_ENTRIES, Entry, stages_to_json

#: Maximum number of entries listed; the number of the others is shown.
_LISTED = 30


def entry(*algorithms: str) -> ItemJson:
    """Return an entry: algorithms in sequence, the last of which runs until its budget is used."""
    stages = lanes.lane(*algorithms)["stages"]
    return {"label": make_label(stages), "stages": stages}


def entry_to_json(entry: Entry) -> ItemJson:
    """Convert an entry to JSON."""
    return {"label": entry.label, "stages": cast(list[StageJson], stages_to_json(entry.stages))}


def make_label(stages: Sequence[StageJson], without: str = "", name: str = DEFAULT_LANGUAGE) -> str:
    """Return an entry's default label: its algorithms, and non-default parameters except `without`.

    The label is part of the study, and therefore in English; `display_label` translates it.
    """
    lane: ItemJson = {"stages": list(stages), "device": "auto"}
    with use_language(name):
        parts = (lanes.title(lane), lanes.describe_settings(lane, without))
        return " · ".join(part for part in parts if part)[:80].strip()


def display_label(stored: str, stages: Sequence[StageJson]) -> str:
    """Return an entry's label on the page: a default label is translated, a command line's names become titles."""
    names = "/".join(stage["algorithm"] for stage in stages)
    if f"{stored} ".startswith(f"{names} "):
        return lanes.title({"stages": list(stages), "device": "auto"}) + stored.removeprefix(names)
    if current_language() == DEFAULT_LANGUAGE or len(stages[0]) < 2:
        return stored
    return make_label(stages, name=current_language()) if stored == make_label(stages) else translate(stored)


#: The entries with which the page starts.
DEFAULT = [entry("two-opt"), entry("max-min-ant-system"), entry("nearest-neighbour", "two-opt")]


def make_letter(number: int) -> str:
    """Return an entry's name in charts: A, ..., Z, then 27, 28, ..."""
    return chr(ord("A") + number) if number < 26 else str(number + 1)


def series_style(entries: Sequence[ItemJson]) -> list[dict[str, str]]:
    """Return each entry's ``letter``, ``title``, ``colour`` (of the style sheet) and ``dash``."""
    leading = [entry["stages"][0]["algorithm"] for entry in entries]
    dashes, colours = palette.choose_dashes(leading), palette.choose_apart(leading)
    return [
        {
            "letter": make_letter(k),
            "title": display_label(item["label"], item["stages"]),
            "algorithm": colours[k],
            "colour": palette.find_variable(colours[k]),
            "dash": dashes[k],
        }
        for k, item in enumerate(entries)
    ]


def cards(entries: Sequence[ItemJson]) -> list[html.Li]:
    """Return the entries as a list, with their buttons."""
    cards = [_card(k, style, len(entries)) for k, style in enumerate(series_style(entries)[:_LISTED])]
    if len(entries) > _LISTED:
        cards.append(html.Li(text("setup.unlisted", count=len(entries) - _LISTED), className="note"))
    return cards


def _card(number: int, style: dict[str, str], count: int) -> html.Li:
    return several.card(SEVERAL, number, style, html.B(style["title"]), text("setup.edit", title=style["title"]), count)


def panel() -> html.Div:
    """Return the list, and the button to add an entry."""
    return several.panel(SEVERAL, text("setup.algorithms"), text("setup.add"), cards(DEFAULT))


def words_input(component_id: str, placeholder: str, most: int) -> dbc.Input:
    """Return an empty text field with a maximum length."""
    return dbc.Input(
        id=component_id, type="text", value="", placeholder=placeholder, maxlength=most, class_name="words"
    )


def is_valid(entries: Json) -> TypeGuard[list[ItemJson]]:
    """Return whether a page's value is a list of entries with existing algorithms."""
    items = cast(list[ItemJson], entries)
    try:
        return bool(series_style(items)) and all(
            isinstance(item["label"], str) and find(stage["algorithm"]) for item in items for stage in item["stages"]
        )
    except (InvalidParams, TypeError, KeyError, IndexError, AttributeError):
        return False


SEVERAL = several.ItemList("entry", ids.ENTRIES, 1, MAX_ENTRIES, is_valid)


def register(app: Dash) -> None:
    """Update the list when the entries change."""
    several.register_list(app, SEVERAL, cards)
