"""Choosing an instance: the searchable menu, what is known of the choice, and the upload of a file."""

import asyncio
import re
from typing import Any, NamedTuple

import dash
from dash import Input, Output, State, dcc, html, no_update

from components import ids, words
from components.controls import live_note
from components.references import menu_value, reference_of
from components.uploads import decoded, drop_area
from data import library
from data.errors import InvalidInstance
from data.instance import Instance
from data.library import Card
from data.limits import MAX_BYTES

DEFAULT = "berlin52"


class Uploaded(NamedTuple):
    """What an upload changes."""

    options: Any = no_update
    instance: Any = no_update
    note: str = ""
    contents: None = None  # so that the same file can be sent again


def panel() -> html.Div:
    """The menu and the place to drop a file."""
    return html.Div(
        [
            html.Label("Instance", htmlFor=ids.INSTANCE, className="field-label"),
            dcc.Dropdown(
                id=ids.INSTANCE,
                options=shelf_options(),
                value=DEFAULT,
                clearable=False,
                optionHeight=36,
                maxHeight=420,
                labels={"search": "Find by name or size"},
            ),
            live_note(ids.INSTANCE_NOTE),
            *drop_area(ids.UPLOAD, ids.UPLOAD_NOTE, ".tsp file", MAX_BYTES),
        ],
        className="field",
    )


def shelf_options() -> list[dict[str, Any]]:
    """The shelf as options of the menu, the small instances first."""
    cards = sorted(library.shelf(), key=lambda card: (card.n, card.name))
    return [_option(card.name, card.name, card) for card in cards]


def instance_option(reference: dict[str, Any], instance: Instance) -> dict[str, Any]:
    """An instance that is not on the shelf as an option."""
    return _option(menu_value(reference), instance.name, instance)


def with_option(options: list[dict[str, Any]], option: dict[str, Any]) -> list[dict[str, Any]]:
    """`options` with `option` among them once, in order of size."""
    others = [other for other in options if other["value"] != option["value"]]
    return sorted([*others, option], key=_size_and_name)


def _size_and_name(option: dict[str, Any]) -> tuple[int, str]:
    name, _, n = option["search"].rpartition(" ")
    return int(n), name


def _option(value: str, name: str, known: Card | Instance) -> dict[str, Any]:
    fact = f"{words.cities(known.n)} · {words.optimum(known.optimum, known.proven)}"
    label = html.Span(
        [html.Span(name, className="option-name"), html.Span(fact, className="option-fact")], className="option"
    )
    return {"value": value, "label": label, "search": f"{name} {known.n}", "title": f"{name}: {fact}"}


def places(instance: Instance) -> str:
    """What is visited, in the words of the file's comment where it counts them: 52 locations in Berlin."""
    found = re.search(r"\b(\d+) [^\d,(;.]+", instance.comment)
    if found and int(found[1]) == instance.n:
        return words.grouped(instance.n) + found[0].strip().removeprefix(found[1])
    return words.cities(instance.n)


def describe(instance: Instance) -> str:
    """The line below the menu: where the instance comes from, how it measures, and what a user should know."""
    measure = {"EUC_2D": "Euclidean", "CEIL_2D": "Euclidean, rounded up", "GEO": "on the globe",
               "ATT": "pseudo-Euclidean", "EXPLICIT": "a matrix of distances"}[instance.kind]  # fmt: skip
    parts = [places(instance), measure, instance.display_note, *instance.warnings]
    return " · ".join(part for part in parts if part)


def take_upload(desk, contents: Any, filename: Any, options: list[dict[str, Any]]) -> Uploaded:
    """Hand an uploaded file to the desk, and choose it; a refusal is told in one sentence."""
    try:
        instance = desk.adopt_instance(decoded(contents), str(filename)[:200])
    except InvalidInstance as refusal:
        return Uploaded(note=str(refusal))
    option = instance_option({"sha256": instance.sha256}, instance)
    return Uploaded(with_option(options, option), option["value"])


def describe_choice(desk, value: Any) -> str:
    """What is known of the chosen instance, or why it cannot be used."""
    try:
        return describe(desk.instance(reference_of(value)))
    except InvalidInstance as refusal:
        return str(refusal)


def register(app: dash.Dash, desk) -> None:
    """Connect the menu and the upload."""

    @app.callback(
        Output(ids.INSTANCE, "options", allow_duplicate=True),
        Output(ids.INSTANCE, "value", allow_duplicate=True),
        Output(ids.UPLOAD_NOTE, "children", allow_duplicate=True),
        Output(ids.UPLOAD, "contents"),
        Input(ids.UPLOAD, "contents"),
        State(ids.UPLOAD, "filename"),
        State(ids.INSTANCE, "options"),
        prevent_initial_call=True,
    )
    async def upload(contents, filename, options):
        return await asyncio.to_thread(take_upload, desk, contents, filename, options)

    @app.callback(
        Output(ids.INSTANCE_NOTE, "children"), Output(ids.UPLOAD_NOTE, "children"), Input(ids.INSTANCE, "value")
    )
    async def note(value):
        return await asyncio.to_thread(describe_choice, desk, value), ""
