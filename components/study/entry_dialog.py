"""The dialog for an entry: algorithm, parameters, start tour, and values of a varied parameter."""

from collections.abc import Sequence

import dash_bootstrap_components as dbc
from dash import Dash, Input, Output, State, html

from components.algorithm import ids as item_ids
from components.algorithm import several, start_tour
from components.algorithm.several import Dialog, FormState
from components.race.lane_dialog import build_lane
from components.shell import ids
from components.shell.callbacks import outputs
from components.shell.controls import choices, labelled_row
from components.shell.texts import study as text
from components.study import entries as study_entries
from components.study import ids as study_ids
from components.study.entries import SEVERAL, words_input
from components.types import ItemJson, Json, JsonObject, Option, StageJson
from components.watch.launch import form_labels
from runs.service import RunService
from runs.translation import translate
from solvers import SOLVERS, find
from solvers.core.errors import InvalidParams
from solvers.spec import VERSION
from studies.spec.expand import parse_value, vary
from studies.spec.matrix import prepare_entries
from studies.spec.spec import MAX_ENTRIES, Entry, StudySpec

#: Value for no parameter, since a menu cannot show an option with an empty value.
NOTHING = "nothing"


def dialog(status: JsonObject) -> html.Dialog:
    """Return the closed dialog."""
    return several.dialog(SEVERAL, status, below=[*_vary_fields(), _label()])


def _vary_fields() -> list[html.Div]:
    name = dbc.Select(id=study_ids.OVER, options=over_options(SOLVERS[0].name), value=NOTHING)
    values = words_input(study_ids.OVER_VALUES, "1, 2, 5", 2000)
    explained = text("entry.vary-help")
    return [
        labelled_row(text("entry.vary"), study_ids.OVER, name, title=explained),
        labelled_row(
            text("entry.values"), study_ids.OVER_VALUES, values, title=explained, id=study_ids.OVER_ROW, hidden=True
        ),
    ]


def _label() -> html.Div:
    name = words_input(study_ids.LABEL, text("entry.default-name"), 80)
    return labelled_row(text("entry.name"), study_ids.LABEL, name)


def over_options(algorithm: Json) -> list[Option]:
    """Return an algorithm's parameters as options for the one to vary."""
    try:
        schema = find(algorithm).params.schema()
    except InvalidParams:
        schema = ()
    return choices({NOTHING: text("entry.vary-none"), **{param.name: translate(param.label) for param in schema}})


def form_state(entries: list[ItemJson], action: str, number: int, at: float) -> FormState:
    """Return the form's contents for an edited entry, a copy, or a new one; see `several.form_state`."""
    new = study_entries.entry(SOLVERS[0].name)
    label = entries[number]["label"] if action == "edit" else ""
    has_own_name = label and label != study_entries.make_label(entries[number]["stages"])
    own = {"label": label if has_own_name else ""}
    return several.form_state(SEVERAL, entries, new, action, number, study_entries.make_letter(number), at, **own)


def other_fields(algorithm: Json, edited: Json) -> tuple[Json, list[Option], str, str]:
    """Return the entry's name (empty if its algorithm was changed), and empty fields for a varied parameter."""
    label = edited.get("label", "") if isinstance(edited, dict) and start_tour.is_own(algorithm, edited) else ""
    return label, over_options(algorithm), NOTHING, ""


def build_entries(
    algorithm: Json, params: JsonObject, stages_before: Sequence[StageJson], name: Json, parameter: Json, values: Json
) -> list[ItemJson]:
    """Return the form's entries: one, or one per value of the varied parameter; stages as in `build_lane`.

    Raises
    ------
    InvalidParams, DeviceUnavailable
        If a value is invalid.
    """
    stages = build_lane(algorithm, params, "auto", stages_before)["stages"]
    if not isinstance(parameter, str) or parameter in ("", NOTHING):
        return [{"label": str(name or "") or study_entries.make_label(stages), "stages": stages}]
    parsed = [parse_value(word.strip()) for word in str(values or "").split(",") if word.strip()]
    if not parsed:
        raise InvalidParams("values", values, text("refusal.values"))
    base: list[StageJson] = [
        {"algorithm": stage["algorithm"], "params": {k: v for k, v in stage["params"].items() if k != parameter}}
        for stage in stages
    ]
    label = str(name or "") or study_entries.make_label(base, without=parameter)
    spec = StudySpec.from_json(
        {"v": VERSION, "instances": [{"name": "-"}], "entries": [{"label": label, "stages": base}]}
    )
    entries = vary(spec.entries, parameter, parsed)
    prepare_entries(StudySpec(spec.instances, entries))
    return [study_entries.entry_to_json(entry) for entry in _require_distinct(entries)]


def _require_distinct(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """Return the entries if they are distinct and not too many."""
    labels = [entry.label for entry in entries]
    for label in labels:
        if labels.count(label) > 1:
            raise InvalidParams("values", label, text("refusal.repeated"))
    return entries


def apply_form(entries: list[ItemJson], edited: Json, new: list[ItemJson]) -> list[ItemJson]:
    """Put the form's entries among the others; last if their position is unknown.

    Raises
    ------
    InvalidParams
        If the result has too many entries, or two with the same name.
    """
    before, after = several.split_at(SEVERAL, entries, edited)
    others = [*before, *after]
    labels = {other["label"] for other in others}
    for each in new:
        if each["label"] in labels:
            raise InvalidParams("label", each["label"], text("refusal.taken"))
    if len(others) + len(new) > MAX_ENTRIES:
        raise InvalidParams("entries", len(others) + len(new), text("refusal.entries", most=MAX_ENTRIES))
    return [*before, *new, *after]


def apply_entry_form(
    entries: Json, edited: Json, algorithm: Json, params: JsonObject, stages_before: Sequence[StageJson], *own: Json
) -> list[ItemJson]:
    """Return the entries, updated with the form's values; parameters as in `build_entries`."""
    new = build_entries(algorithm, params, stages_before, *own)
    return apply_form(entries if study_entries.is_valid(entries) else [], edited, new)


def labels(algorithm: Json) -> dict[str, str]:
    """Return the labels of the form's fields, by their names in refusals."""
    return form_labels(algorithm) | {"label": text("entry.name"), "values": text("entry.values")}


def register(app: Dash, run_service: RunService) -> None:
    """Connect the form to the entries, and its fields to each other."""
    own = (study_ids.LABEL, study_ids.OVER, study_ids.OVER_VALUES)
    fields = tuple(State(field_id, "value") for field_id in own)
    several.register_dialog(app, SEVERAL, run_service, Dialog(form_state, apply_entry_form, labels, fields))

    app.callback(
        Output(study_ids.LABEL, "value"),
        Output(study_ids.OVER, "options"),
        *outputs("value", study_ids.OVER, study_ids.OVER_VALUES),
        Input(ids.ALGORITHM, "value"),
        Input(item_ids.EDITED, "data"),
        running=[(Output(field_id, "disabled"), True, False) for field_id in own],  # any input meanwhile would be lost
    )(other_fields)

    @app.callback(Output(study_ids.OVER_ROW, "hidden"), Input(study_ids.OVER, "value"), prevent_initial_call=False)
    def unfold(parameter: Json) -> bool:
        return not parameter or parameter == NOTHING
