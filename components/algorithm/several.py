"""The setup's list of a race's lanes or a study's entries, and the dialog that edits one of them."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeGuard

from dash import ALL, ClientsideFunction, Dash, Input, NoUpdate, Output, State, ctx, dcc, html, no_update

from components.algorithm import form, start_tour
from components.algorithm import ids as item_ids
from components.shell import ids
from components.shell.callbacks import states
from components.shell.controls import button, hyphenate_names, icon, live_note, plain_button
from components.shell.errors import REFUSALS, describe_form_error
from components.shell.facts import capitalise, translate_word
from components.shell.texts import common as text
from components.types import Children, ItemJson, Json, JsonObject, Payload, Property
from runs.service import RunService


class ItemList(NamedTuple):
    """Describes a page's list of items: its lanes or entries.

    Attributes
    ----------
    name : str
        The word for one item.
    store : str
        Id of the store that holds the items.
    min_count, max_count : int
        Limits on the number of items.
    is_valid : callable
        Checks whether a value sent by a page is a valid list of items.
    """

    name: str
    store: str
    min_count: int
    max_count: int
    is_valid: Callable[[Json], TypeGuard[list[ItemJson]]]


class FormState(NamedTuple):
    """The form's contents for one item."""

    edited: Property = no_update
    algorithm: str | NoUpdate = no_update
    permalink: Property = no_update
    title: str | NoUpdate = no_update
    note: str = ""
    device: str | NoUpdate = no_update


def badge(view: Mapping[str, str]) -> html.Span:
    """Return a letter on its colour."""
    return html.Span(view["letter"], className="lane-badge", style={"--lane": f"var(--{view['colour']})"})


def card(several: ItemList, number: int, view: Mapping[str, str], content: Children, title: str, count: int) -> html.Li:
    """Return the card for one of `count` items, with its content and buttons; `title` is the tooltip."""
    names = {"item": translate_word(several.name), "letter": view["letter"], "title": view["title"]}
    edit = ids.item_button(several.name, "edit", number)
    return html.Li(
        [
            badge(view),
            html.Button(content, id=edit, type="button", className="lane-name", title=title),
            _item_button(
                several, "clone", number, text("item.duplicate", **names), "copy", disabled=count >= several.max_count
            ),
            _item_button(
                several, "remove", number, text("item.remove", **names), "close", disabled=count <= several.min_count
            ),
        ],
        className="lane-card",
    )


def _item_button(several: ItemList, action: str, number: int, label: str, picture: str, disabled: bool) -> html.Button:
    button_id = ids.item_button(several.name, action, number)
    return plain_button(button_id, icon(picture), "quiet", title=label, disabled=disabled, aria_label=label)


def panel(several: ItemList, title: str, add: str, cards: list[html.Li]) -> html.Div:
    """Return the list, and the button to add an item."""
    full = len(cards) >= several.max_count
    more = plain_button(item_ids.ADD, add, "quiet", disabled=full, title=_explain_full(several, full))
    head = html.Div([html.Span(title, className="field-label"), more], className="field-head")
    return html.Div([head, html.Ul(cards, id=item_ids.LIST, className="lane-list")], className="field lanes-field")


def _explain_full(several: ItemList, full: bool) -> str:
    """Return why no item can be added; empty if one can be."""
    return text(f"item.full.{several.name}", most=several.max_count) if full else ""


def remove_item(several: ItemList, values: list[ItemJson], number: int) -> list[ItemJson]:
    """Remove an item, unless fewer than the minimum would remain."""
    remaining = [value for k, value in enumerate(values) if k != number]
    return remaining if len(remaining) >= several.min_count else values


def find_pressed_number(several: ItemList, pressed: Json, values: Payload) -> int | None:
    """Return the number of the item whose button was pressed.

    Return None if the button was only created or the item does not exist.
    """
    shown = pressed.get(several.name) if isinstance(pressed, dict) else None
    numbers = [str(k) for k in range(len(values))] if isinstance(values, list) else []
    return numbers.index(shown) if shown in numbers else None


class Dialog(NamedTuple):
    """The settings that differ between the dialogs for lanes and for entries.

    Attributes
    ----------
    form_state : callable
        Returns the contents of the form; takes the items, the action, the item's number, and the time.
    save : callable
        Returns the updated items, or a sentence why the form is invalid; takes the items, `EDITED`'s data, the
        algorithm, its parameters, the stages before it, and the values of `fields`. May raise `REFUSALS`.
    labels : callable
        Returns the labels of the form's fields by the names in refusals; takes the algorithm.
    fields : tuple of State
        The form's own fields.
    outputs : tuple of Output
        Outputs for the optional fields of `FormState`, in its order.
    """

    form_state: Callable[[list[ItemJson], str, int, float], FormState]
    save: Callable[..., list[ItemJson] | str]
    labels: Callable[[Json], dict[str, str]]
    fields: tuple[State, ...]
    outputs: tuple[Output, ...] = ()


def dialog(several: ItemList, status: JsonObject, above: Sequence = (), below: Sequence = ()) -> html.Dialog:
    """Return the dialog with one item's form; `above` and `below` are the page's fields around its start tour."""
    name = several.name
    fields = [
        *form.panel(status, has_budget=True),
        *above,
        start_tour.field(item_ids.START_TOUR, text("item.start-tour", item=translate_word(name))),
        *below,
    ]
    close = button(item_ids.CLOSE, text("item.close"), "close", style="quiet round")
    use = button(
        item_ids.USE,
        text("item.save-this", item=translate_word(name)),
        "check",
        text=text("item.save"),
        style="primary",
    )
    return html.Dialog(
        [
            html.Div([html.H2(capitalise(translate_word(name)), id=item_ids.TITLE), close], className="sheet-head"),
            html.Div(fields, className="sheet-body"),
            html.Div([live_note(item_ids.NOTE, style="refusal"), use], className="sheet-foot"),
        ],
        id=item_ids.FORM,
        className="sheet lane-dialog",
        **hyphenate_names(aria_labelledby=item_ids.TITLE),
    )


def stores() -> list[dcc.Store]:
    """Return the form's stores."""
    return [dcc.Store(id=ids.PERMALINK), dcc.Store(id=ids.VARIANTS_HERE), dcc.Store(id=item_ids.EDITED)]


def form_state(
    several: ItemList,
    values: list[ItemJson],
    new: ItemJson,
    what: str,
    number: int,
    letter: str,
    at: float,
    **more: Json,
) -> FormState:
    """Return the form's contents for an edited item, a copy, or a new one.

    Parameters
    ----------
    several : ItemList
    values : list of dict
        All items.
    new : dict
        A new item.
    what : str
        ``edit``, ``clone`` or ``add``.
    number : int
        Number of the item whose button was pressed; unused for a new one.
    letter : str
        The item's letter.
    at : float
        Time of the click, so that the value changes when the same button is pressed again.
    **more
        The page's own fields of `edited`.
    """
    value = new if what == "add" else values[number]
    *before, last = value["stages"]
    place = {"edit": number, "clone": number + 1, "add": len(values)}[what]
    name, algorithm = several.name, last["algorithm"]
    heading = {
        "edit": text("item.heading", item=capitalise(translate_word(name)), letter=letter),
        "clone": text("item.duplicate-heading"),
        "add": text("item.new", item=translate_word(name)),
    }
    return FormState(
        edited={name: place, "insert": what != "edit", "algorithm": algorithm, "before": before, "at": at, **more},
        algorithm=algorithm,
        permalink={"algorithm": algorithm, "params": last["params"], "at": at},
        title=heading[what],
        device=value.get("device", no_update),
    )


def split_at(several: ItemList, values: list[ItemJson], edited: Json) -> tuple[list[ItemJson], list[ItemJson]]:
    """Return the items before and after the one in the form; none after it if its position is unknown."""
    item = edited if isinstance(edited, dict) else {}
    position = item.get(several.name)
    at = position if isinstance(position, int) and 0 <= position < len(values) else len(values)
    return values[:at], values[at if item.get("insert") else at + 1 :]


def register_list(
    app: Dash,
    several: ItemList,
    cards: Callable[[Sequence[ItemJson]], list],
    views: str = "",
    views_of: Callable[[Sequence[ItemJson]], Payload] | None = None,
) -> None:
    """Connect the list to its store; the store `views`, if given, receives `views_of` of the items."""
    more = [Output(views, "data")] if views else []

    @app.callback(
        Output(item_ids.LIST, "children"),
        Output(item_ids.ADD, "disabled"),
        Output(item_ids.ADD, "title"),
        *more,
        Input(several.store, "data"),
    )
    def show(values: Json) -> tuple[Property, ...]:
        if not several.is_valid(values):
            return (no_update,) * (3 + len(more))
        full = len(values) >= several.max_count
        return cards(values), full, _explain_full(several, full), *([views_of(values)] if views_of else [])

    @app.callback(
        Output(several.store, "data", allow_duplicate=True),
        Input(ids.item_button(several.name, "remove", ALL), "n_clicks"),
        State(several.store, "data"),
    )
    def remove(clicks: list[int | None], values: Json) -> list[ItemJson] | NoUpdate:
        number = find_pressed_number(several, ctx.triggered_id, values)
        if not any(clicks) or number is None or not several.is_valid(values):
            return no_update
        return remove_item(several, values, number)


def register_dialog(app: Dash, several: ItemList, run_service: RunService, own: Dialog) -> None:
    """Connect the dialog to the list."""
    form.register_form(app, run_service, [(Output(item_ids.USE, "disabled"), True, False)], has_budget=True)

    @app.callback(
        Output(item_ids.EDITED, "data"),
        Output(ids.ALGORITHM, "value"),
        Output(ids.PERMALINK, "data"),
        Output(item_ids.TITLE, "children"),
        Output(item_ids.NOTE, "children", allow_duplicate=True),
        *own.outputs,
        *(Input(ids.item_button(several.name, what, ALL), "n_clicks_timestamp") for what in ("edit", "clone")),
        Input(item_ids.ADD, "n_clicks_timestamp"),
        State(several.store, "data"),
    )
    def open_form(_edit: Json, _clone: Json, _add: Json, values: Json) -> tuple[Property, ...]:
        return _find_pressed(several, values, own.form_state)[: 5 + len(own.outputs)]

    app.callback(
        Output(item_ids.START_TOUR, "value"),
        Output(item_ids.START_TOUR, "options"),
        Input(ids.ALGORITHM, "value"),
        Input(item_ids.EDITED, "data"),
        running=[(Output(item_ids.START_TOUR, "disabled"), True, False)],  # otherwise a choice meanwhile would be lost
    )(start_tour.find_chosen_option)

    @app.callback(
        Output(several.store, "data", allow_duplicate=True),
        Output(item_ids.EDITED, "data", allow_duplicate=True),
        Output(item_ids.NOTE, "children"),
        Input(item_ids.USE, "n_clicks"),
        *states("data", several.store, item_ids.EDITED),
        State(ids.ALGORITHM, "value"),
        State(ids.parameter(ALL), "id"),
        *states("value", ids.parameter(ALL), item_ids.START_TOUR),
        *own.fields,
    )
    def use(
        _: Json, items: Json, edited: Json, algorithm: Json, names: Sequence[dict[str, str]], values: Sequence[Json],
        first: Json, *fields: Json,
    ) -> tuple[Property, Property, str]:  # fmt: skip
        params = {control["name"]: value for control, value in zip(names, values, strict=True)}
        try:
            saved = own.save(items, edited, algorithm, params, start_tour.find_stages(first, edited), *fields)
        except REFUSALS as refusal:
            saved = describe_form_error(refusal, own.labels(algorithm))
        return (no_update, no_update, saved) if isinstance(saved, str) else (saved, None, "")

    app.clientside_callback(ClientsideFunction("form", "openItem"), Input(item_ids.EDITED, "data"))
    app.clientside_callback(ClientsideFunction("form", "closeItem"), Input(item_ids.CLOSE, "n_clicks"))


def _find_pressed(
    several: ItemList, values: Json, form_state: Callable[[list[ItemJson], str, int, float], FormState]
) -> FormState:
    """Return the form's contents after a click, if there was one."""
    at = ctx.triggered[0]["value"] or 0  # a newly created button has no time, or -1
    if not 0 < at < 2**53 or not several.is_valid(values):
        return FormState()
    pressed = ctx.triggered_id
    if pressed == item_ids.ADD:
        return form_state(values, "add", len(values), at)
    number = find_pressed_number(several, pressed, values)
    return FormState() if number is None else form_state(values, pressed["type"].partition("-")[2], number, at)
