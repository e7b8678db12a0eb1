"""The instance picker: a searchable menu, a line about the choice, and the dialog's button."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeGuard

import dash_bootstrap_components as dbc
from dash import Dash, Input, NoUpdate, Output, State, html, no_update

from components.instances import DEFAULT
from components.instances.references import menu_value, parse_reference
from components.shell import facts, ids
from components.shell.callbacks import in_thread, on_click, outputs
from components.shell.controls import button, hyphenate_names, live_note, menu, plain_button
from components.shell.errors import describe_refusal
from components.shell.numbers import format_integer
from components.shell.texts import common
from components.shell.texts import instances as text
from components.shell.upload_area import drop_area
from components.types import Json, Option, Payload
from data.collection import resolve, uploads
from data.collection.resolve import Card
from data.distance_kinds import find_refinement
from data.errors import InvalidInstance
from data.instance import Instance
from data.limits import MAX_BYTES
from data.missing import describe_missing
from data.paths import ANY, has_directions, parse_edges
from runs.bounded_pool import run_in_thread
from runs.language import DEFAULT as ENGLISH
from runs.language import current_language
from runs.service import RunService

#: Search text of an option: name, round numbers near its size, and its size.
_SEARCHED = re.compile(r".* [0-9]{1,9}", re.DOTALL)


class Chosen(NamedTuple):
    """Outputs that change when the dialog chooses an instance."""

    options: list[Option] | NoUpdate = no_update
    instance: str | NoUpdate = no_update
    note: str = ""


def panel(value: str = DEFAULT, what: str = "", note: str = "") -> html.Div:
    """Return the menu, the chosen instance's picture, and the upload area.

    Parameters
    ----------
    value : str
        Value of the menu.
    what : str
        Other kinds of file that can be uploaded.
    note : str
        See `describe_choice`.
    """
    label = html.Label(text("picker.label"), htmlFor=ids.INSTANCE, className="field-label")
    opener = button("instances-open", text("picker.open.title"), "grid", text=text("picker.open"))
    draw = button("draw-open", text("picker.draw.title"), "pencil", text=text("picker.draw"))
    picture = html.Button(
        html.Canvas(), id="instance-picture", type="button", className="picture",
        title=text("picker.picture"), **hyphenate_names(aria_label=text("picker.all")),
    )  # fmt: skip
    return html.Div(
        [
            html.Div([label, html.Div([draw, opener], className="amount")], className="field-head"),
            menu(ids.INSTANCE, instance_options(), value, labels={"search": text("picker.search")}),
            html.Div([picture, live_note(ids.INSTANCE_NOTE, note)], className="chosen"),
            html.Button(
                id=ids.INSTANCE_REFINE,
                type="button",
                className="button",
                title=text("picker.refine.title"),
                hidden=True,
            ),
            _path_choice(),
            _fixed_choice(),
            *drop_area(ids.UPLOAD, ids.UPLOAD_NOTE, what or text("picker.files"), MAX_BYTES, can_paste=True),
        ],
        className="field",
    )


def _path_choice() -> html.Details:
    """Return the fields for the ends of a path instead of a round trip."""
    ends = [
        html.Label(
            [
                text(f"picker.path.{name}"),
                dbc.Input(id=component_id, type="text", value="", placeholder=text("picker.path.any"), maxlength=80),
            ]
        )
        for name, component_id in (("start", ids.PATH_START), ("end", ids.PATH_END))
    ]
    take = plain_button(ids.PATH_TAKE, text("picker.path.take"), title=text("picker.path.title"))
    return html.Details([html.Summary(text("picker.path")), *ends, take], className="path-choice")


def _fixed_choice() -> html.Details:
    """Return the field for edges that a tour must use."""
    edges = dbc.Input(
        id=ids.FIXED_EDGES, type="text", value="", placeholder=text("picker.fixed.example"), maxlength=2000
    )
    take = plain_button(ids.FIXED_TAKE, text("picker.fixed.take"), title=text("picker.fixed.title"))
    label = html.Label([text("picker.fixed.edges"), edges])
    return html.Details([html.Summary(text("picker.fixed")), label, take], className="path-choice")


def instance_options() -> list[Option]:
    """Return the instance list as menu options, small instances first."""
    cards = sorted(resolve.instance_list(), key=lambda card: (card.n, card.name))
    return [_option(card.name, card.name, card) for card in cards]


def instance_option(reference: Mapping[str, Json], instance: Instance) -> Option:
    """Return an option for an instance outside the instance list."""
    return _option(menu_value(reference), instance.name, instance)


def is_listed(options: Payload, value: Json) -> bool:
    """Return whether the menu has a value."""
    return any(option["value"] == value for option in _list_options(options))


def with_option(options: Payload, option: Option) -> list[Option]:
    """Add `option` to the menu's `options` without duplicates, in order of size."""
    others = [other for other in _list_options(options) if other["value"] != option["value"]]
    return sorted([*others, option], key=_size_and_name)


def options_for(options: Json, reference: Mapping[str, Json], instance: Instance) -> list[Option] | NoUpdate:
    """Return the menu's options after an instance is chosen, adding that instance if it is missing."""
    listed = is_listed(options, menu_value(reference))
    return no_update if listed else with_option(options, instance_option(reference, instance))


def _list_options(options: Payload) -> list[Option]:
    """Return the menu's options as sent by a page, without invalid ones."""
    return [option for option in options if _is_option(option)] if isinstance(options, list) else []


def _is_option(each: Payload) -> TypeGuard[Option]:
    fields = each if isinstance(each, dict) else {}
    search = fields.get("search")
    return isinstance(fields.get("value"), str) and isinstance(search, str) and bool(_SEARCHED.fullmatch(search))


def _size_and_name(option: Option) -> tuple[int, str]:
    name, _, n = option["search"].rpartition(" ")
    return int(n), name


def _option(value: str, name: str, instance: Card | Instance) -> Option:
    count = instance.city_count if isinstance(instance, Instance) else instance.n
    many, known = facts.format_city_count(count), facts.describe_optimum(instance.optimum, instance.proven)
    fact = " · ".join(part for part in (many, _describe_directions(instance), known) if part)
    short = many if instance.optimum is None else fact  # a long name leaves little room
    label = html.Span(
        [html.Bdi(name, className="option-name"), html.Span(short, className="option-fact")], className="option"
    )
    search = " ".join([name, *map(str, _round_sizes(count)), str(count)])
    return {"value": value, "label": label, "search": search, "title": f"{name}: {fact}"}


def _describe_directions(instance: Card | Instance) -> str:
    directed = has_directions(instance) if isinstance(instance, Instance) else instance.directed
    return common("instance.directed") if directed else ""


def _round_sizes(n: int) -> list[int]:
    """Return the size rounded to one and two significant digits, so that a search for 1000 finds pr1002."""
    return sorted({round(n, digits - len(str(n))) for digits in (1, 2)} - {n})


def describe_cities(instance: Instance) -> str:
    """Return the number and kind of the cities, if the file's comment gives them: 52 locations in Berlin.

    Comments are in English; in other languages only the number is given.
    """
    match = re.search(r"\b(\d+) [^\d,(;.]+", instance.comment)
    if current_language() == ENGLISH and match and int(match[1]) == instance.city_count:
        return format_integer(instance.city_count) + match[0].strip().removeprefix(match[1])
    return facts.format_city_count(instance.city_count)


def describe(instance: Instance) -> str:
    """Return the line below the menu: the instance's origin, kind of distance, and notes."""
    if instance.is_path or instance.fixed:
        fixed = len({frozenset(edge) for edge in instance.fixed})
        problem = [
            text("picker.path.fact") if instance.is_path else "",
            text("fixed-edges", count=format_integer(fixed)) if fixed else "",
        ]
    else:
        problem = [facts.localise(describe_missing(instance.missing, instance.edge_count))]
    parts = (describe_cities(instance), facts.MEASURES()[instance.kind], _describe_directions(instance), *problem)
    known = " · ".join(filter(None, parts))
    notes = [facts.localise(note) for note in (instance.display_note, *instance.warnings) if note]
    return " ".join([f"{known}.", *notes]) if notes else known


def describe_choice(run_service: RunService, value: Json) -> str:
    """Describe the chosen instance, or why it cannot be used."""
    return note_choice(run_service, value)[0]


def note_choice(run_service: RunService, value: Json) -> tuple[str, str]:
    """Return `describe_choice`'s line, and the button that measures the instance better, if any."""
    try:
        instance = run_service.instance(parse_reference(value))
    except InvalidInstance as refusal:
        return describe_refusal(refusal), ""
    offered = find_refinement(instance)
    return describe(instance), text(f"picker.{offered}") if offered else ""


def refine_choice(run_service: RunService, value: Json, options: Json) -> Chosen:
    """Measure the chosen instance more finely (`data.distance_kinds.refine`), and choose the result."""
    return _change_choice(run_service, value, options, is_refined=True)


def _change_choice(run_service: RunService, value: Json, options: Json, fixed: str = "", **changes: Any) -> Chosen:
    """Choose a changed copy of the chosen instance."""
    try:
        instance = run_service.change_instance(parse_reference(value), fixed=parse_edges(fixed), **changes)
    except InvalidInstance as refusal:
        return Chosen(note=describe_refusal(refusal))
    option = instance_option(uploads.make_reference(instance.sha256, instance.upload), instance)
    return Chosen(with_option(options, option), option["value"])


def path_choice(run_service: RunService, value: Json, options: Json, start: Json, end: Json) -> Chosen:
    """Choose the path through the chosen instance's cities, see `data.paths.with_path`; an empty end means any city."""
    ends = [city.strip() if isinstance(city, str) and city.strip() else ANY for city in (start, end)]
    return _change_choice(run_service, value, options, start=ends[0], end=ends[1])


def fixed_choice(run_service: RunService, value: Json, options: Json, edges: Json) -> Chosen:
    """Replace the chosen instance by a copy with fixed edges; see `data.paths.parse_edges`."""
    return _change_choice(run_service, value, options, edges if isinstance(edges, str) else "")


def choose(run_service: RunService, requested: Json, options: Json) -> Chosen:
    """Choose the instance sent by the dialog as a menu value, adding it to the menu if necessary."""
    value = requested.get("value") if isinstance(requested, dict) else None
    if isinstance(value, str) and is_listed(options, value):
        return Chosen(instance=value)
    try:
        reference = parse_reference(value)
        option = instance_option(reference, run_service.instance(reference))
    except InvalidInstance as refusal:
        return Chosen(note=describe_refusal(refusal))
    return Chosen(with_option(options, option), option["value"])


def register(app: Dash, run_service: RunService, has_note: bool) -> None:
    """Connect the menu to the line below and to the dialog; `has_note` says whether `panel` has a note."""

    @app.callback(
        *outputs("children", ids.INSTANCE_NOTE, ids.UPLOAD_NOTE, ids.INSTANCES_UPLOAD_NOTE, ids.INSTANCE_REFINE),
        Output(ids.INSTANCE_REFINE, "hidden"),
        Input(ids.INSTANCE, "value"),
        prevent_initial_call=has_note,
    )
    async def note(value: Json) -> tuple[str, str, str, str, bool]:
        sentence, offered = await run_in_thread(note_choice, run_service, value)
        return sentence, "", "", offered, not offered

    chosen = (
        Output(ids.INSTANCE, "options", allow_duplicate=True),
        Output(ids.INSTANCE, "value", allow_duplicate=True),
        Output(ids.UPLOAD_NOTE, "children", allow_duplicate=True),
    )
    app.callback(*chosen, Input(ids.CHOICE, "data"), State(ids.INSTANCE, "options"))(in_thread(choose, run_service))

    states = (State(ids.INSTANCE, "value"), State(ids.INSTANCE, "options"))
    for clicked, function, fields in (
        (ids.INSTANCE_REFINE, refine_choice, ()),
        (ids.PATH_TAKE, path_choice, (ids.PATH_START, ids.PATH_END)),
        (ids.FIXED_TAKE, fixed_choice, (ids.FIXED_EDGES,)),
    ):
        written = (State(field, "value") for field in fields)
        app.callback(*chosen, Input(clicked, "n_clicks"), *states, *written)(on_click(function, run_service))
