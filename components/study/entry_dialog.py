"""The form of one entry, a dialog: its algorithm and parameters, what makes its first tour, one parameter's values."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import dash
import dash_bootstrap_components as dbc
from dash import ALL, ClientsideFunction, Input, Output, State, ctx, dcc, html, no_update

from components.algorithm import form, start_tour
from components.race.lane_dialog import lane_of
from components.shell import ids
from components.shell.controls import attributes, button, live_note
from components.shell.errors import REFUSALS, form_sentence
from components.study import entries as study_entries
from components.study import ids as study_ids
from components.study.entries import EntryJson
from components.watch.launch import form_labels
from solvers import SOLVERS, find
from solvers.errors import InvalidParams
from studies.spec.expand import over, value_of
from studies.spec.matrix import prepared
from studies.spec.spec import MOST_ENTRIES, Entry, StudySpec, stages_json

#: The choice of no parameter: a menu shows no choice of an empty value.
NOTHING = "nothing"
_OVER_HELP = "The entry becomes several, one for each value: 1, 2, 5"


class Opened(NamedTuple):
    """What the form shows of an entry."""

    edited: Any = no_update
    algorithm: Any = no_update
    permalink: Any = no_update
    title: Any = no_update
    note: str = ""


class Begun(NamedTuple):
    """What the form shows beside the parameters: of the entry as it was, or of another algorithm, which has none."""

    first: str
    first_options: list[dict[str, str]]
    label: str
    over_options: list[dict[str, str]]
    over: str = NOTHING
    values: str = ""


def dialog(status: dict[str, Any]) -> html.Dialog:
    """The form, closed."""
    close = button(study_ids.FORM_CLOSE, "Close without changes (Esc)", "close", style="quiet round")
    fields = [
        *form.panel(status, budgeted=True),
        start_tour.field(study_ids.FIRST, "An algorithm that runs before; the entry goes on from its best tour."),
        *_over(),
        _label(),
    ]
    use = button(study_ids.USE, "Save this entry", "check", text="Save", style="primary")
    return html.Dialog(
        [
            html.Div([html.H2("Entry", id=study_ids.FORM_TITLE), close], className="sheet-head"),
            html.Div(fields, className="sheet-body"),
            html.Div([live_note(study_ids.FORM_NOTE, style="refusal"), use], className="sheet-foot"),
        ],
        id=study_ids.FORM,
        className="sheet lane-dialog",
        **attributes(aria_labelledby=study_ids.FORM_TITLE),
    )


def _over() -> list[html.Div]:
    name = dbc.Select(id=study_ids.OVER, options=over_options(SOLVERS[0].name), value=NOTHING)
    values = dbc.Input(id=study_ids.OVER_VALUES, type="text", value="", placeholder="1, 2, 5", maxlength=2000)
    labels = [
        html.Label(text, htmlFor=htmlfor, className="field-label", title=_OVER_HELP)
        for text, htmlfor in (("Vary parameter", study_ids.OVER), ("Values", study_ids.OVER_VALUES))
    ]
    return [
        html.Div([labels[0], name], className="field field-row"),
        html.Div([labels[1], values], className="field field-row", id=study_ids.OVER_ROW, hidden=True),
    ]


def _label() -> html.Div:
    text = dbc.Input(id=study_ids.LABEL, type="text", value="", placeholder="by its parameters", maxlength=80)
    return html.Div(
        [html.Label("Name", htmlFor=study_ids.LABEL, className="field-label"), text], className="field field-row"
    )


def over_options(algorithm: Any) -> list[dict[str, str]]:
    """The parameters of an algorithm as a choice of the one that is to have several values."""
    try:
        schema = find(algorithm).params.schema()
    except InvalidParams:
        schema = ()
    return [
        {"value": NOTHING, "label": "no parameter"},
        *({"value": each.name, "label": each.label} for each in schema),
    ]


def opened(entries: list[EntryJson], what: str, number: int, at: float) -> Opened:
    """The form for an entry that is to be changed, for a clone of it, or for a new one; as `race_form.opened`."""
    entry = study_entries.entry(SOLVERS[0].name) if what == "add" else entries[number]
    *before, last = entry["stages"]
    place = {"edit": number, "clone": number + 1, "add": len(entries)}[what]
    letter = study_entries.letter(number)
    heading = {"edit": f"Entry {letter}", "clone": "Duplicate", "add": "One more entry"}
    named = what == "edit" and entry["label"] != study_entries.label(entry["stages"])
    return Opened(
        edited={
            "entry": place, "insert": what != "edit", "algorithm": last["algorithm"], "before": before,
            "label": entry["label"] if named else "", "at": at,
        },
        algorithm=last["algorithm"],
        permalink={"algorithm": last["algorithm"], "params": last["params"], "at": at},
        title=heading[what],
    )  # fmt: skip


def begun(algorithm: Any, edited: Any) -> Begun:
    """What the form shows beside the parameters, for the algorithm that it is at; `edited` as `opened` has it."""
    label = edited.get("label", "") if start_tour.is_own(algorithm, edited) else ""
    return Begun(*start_tour.begun(algorithm, edited), label, over_options(algorithm))


def made(
    algorithm: Any, params: dict[str, Any], before: Sequence[dict[str, Any]], name: Any, parameter: Any, values: Any
) -> list[EntryJson]:
    """The entries that the form's values make: one, or one for each value of a parameter; `before` as `lane_of` has it.

    Raises
    ------
    InvalidParams, DeviceUnavailable
        If a value is none that an entry can have.
    """
    stages = lane_of(algorithm, params, "auto", before)["stages"]
    if not parameter or parameter == NOTHING:
        return [{"label": str(name or "") or study_entries.label(stages), "stages": stages}]
    found = [value_of(word.strip()) for word in str(values or "").split(",") if word.strip()]
    if not found:
        raise InvalidParams("values", values, "numbers or words with commas between, such as 1, 2, 5")
    base = [{**stage, "params": {k: v for k, v in stage["params"].items() if k != parameter}} for stage in stages]
    label = str(name or "") or study_entries.label(base, without=parameter)
    spec = StudySpec.from_json({"v": 1, "instances": [{"name": "-"}], "entries": [{"label": label, "stages": base}]})
    entries = over(spec.entries, parameter, found)
    prepared(StudySpec(spec.instances, entries))
    return [{"label": entry.label, "stages": stages_json(entry.stages)} for entry in _apart(entries)]


def _apart(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """The entries, if they are different and not too many."""
    labels = [entry.label for entry in entries]
    for label in labels:
        if labels.count(label) > 1:
            raise InvalidParams("values", label, "different from each other")
    return entries


def changed(entries: list[EntryJson], edited: Any, new: list[EntryJson]) -> list[EntryJson]:
    """The entries with those that were in the form; at the end if it is not known where they belong.

    Raises
    ------
    InvalidParams
        If there are too many then, or two of one name.
    """
    asked = edited if isinstance(edited, dict) else {}
    at = asked["entry"] if asked.get("entry") in range(len(entries)) else len(entries)
    others = [*entries[:at], *entries[at if asked.get("insert") else at + 1 :]]
    taken = {each["label"] for each in others}
    for each in new:
        if each["label"] in taken:
            raise InvalidParams("label", each["label"], "another name than that of any other entry")
    if len(others) + len(new) > MOST_ENTRIES:
        raise InvalidParams("entries", len(others) + len(new), f"at most {MOST_ENTRIES} entries")
    return [*others[:at], *new, *others[at:]]


def stores() -> list[dcc.Store]:
    """What the form keeps in the page."""
    return [dcc.Store(id=ids.PERMALINK), dcc.Store(id=ids.VARIANTS_HERE), dcc.Store(id=study_ids.EDITED)]


def register(app: dash.Dash, run_service) -> None:
    """Connect the form with the entries."""
    form.register_form(app, run_service, [(Output(study_ids.USE, "disabled"), True, False)], budgeted=True)
    _register_fields(app)

    @app.callback(
        Output(study_ids.EDITED, "data"),
        Output(ids.ALGORITHM, "value"),
        Output(ids.PERMALINK, "data"),
        Output(study_ids.FORM_TITLE, "children"),
        Output(study_ids.FORM_NOTE, "children", allow_duplicate=True),
        Input(study_ids.entry("edit", ALL), "n_clicks_timestamp"),
        Input(study_ids.entry("clone", ALL), "n_clicks_timestamp"),
        Input(study_ids.ADD, "n_clicks_timestamp"),
        State(study_ids.ENTRIES, "data"),
    )
    def open_form(_edit, _clone, _add, entries):
        at = ctx.triggered[0]["value"] or 0  # a button that was merely made has no time, or -1
        if not 0 < at < 2**53 or not study_entries.known(entries):
            return Opened()
        pressed = ctx.triggered_id
        if pressed == study_ids.ADD:
            return opened(entries, "add", len(entries), at)
        number = study_entries.number_of(pressed, entries)
        return Opened() if number is None else opened(entries, pressed["type"].removeprefix("entry-"), number, at)

    @app.callback(
        Output(study_ids.ENTRIES, "data", allow_duplicate=True),
        Output(study_ids.EDITED, "data", allow_duplicate=True),
        Output(study_ids.FORM_NOTE, "children"),
        Input(study_ids.USE, "n_clicks"),
        State(ids.ALGORITHM, "value"),
        State(ids.parameter(ALL), "id"),
        State(ids.parameter(ALL), "value"),
        State(study_ids.FIRST, "value"),
        State(study_ids.LABEL, "value"),
        State(study_ids.OVER, "value"),
        State(study_ids.OVER_VALUES, "value"),
        State(study_ids.ENTRIES, "data"),
        State(study_ids.EDITED, "data"),
    )
    def use(_, algorithm, names, values, first, name, parameter, over_values, entries, edited):
        params = {control["name"]: value for control, value in zip(names, values, strict=True)}
        labels = form_labels(algorithm) | {"label": "Name", "values": "Values"}
        try:
            new = made(algorithm, params, start_tour.stages(first, edited), name, parameter, over_values)
            return changed(entries if study_entries.known(entries) else [], edited, new), None, ""
        except REFUSALS as refusal:
            return no_update, no_update, form_sentence(refusal, labels)


def _register_fields(app: dash.Dash) -> None:
    """Connect the fields with each other, and the dialog with its opening and its end."""

    @app.callback(
        Output(study_ids.FIRST, "value"),
        Output(study_ids.FIRST, "options"),
        Output(study_ids.LABEL, "value"),
        Output(study_ids.OVER, "options"),
        Output(study_ids.OVER, "value"),
        Output(study_ids.OVER_VALUES, "value"),
        Input(ids.ALGORITHM, "value"),
        Input(study_ids.EDITED, "data"),
    )
    def begin(algorithm, edited):
        return begun(algorithm, edited)

    @app.callback(Output(study_ids.OVER_ROW, "hidden"), Input(study_ids.OVER, "value"), prevent_initial_call=False)
    def unfold(parameter):
        return not parameter or parameter == NOTHING

    for function, trigger in (
        ("openForm", (study_ids.EDITED, "data")),
        ("closeForm", (study_ids.FORM_CLOSE, "n_clicks")),
    ):
        app.clientside_callback(ClientsideFunction("studies", function), Input(*trigger))
