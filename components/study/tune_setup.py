"""A tuning study's setup: the parameters to vary with their ranges, and how to judge trials."""

from collections.abc import Sequence
from typing import NamedTuple, cast

import dash_bootstrap_components as dbc
from dash import ALL, Dash, Input, NoUpdate, Output, State, dcc, html, no_update

from components.instances.references import parse_reference
from components.shell.callbacks import outputs
from components.shell.controls import (
    choices,
    dom_id,
    hyphenate_names,
    labelled_row,
    live_note,
    menu,
    number_input,
    segments,
)
from components.shell.texts import study as text
from components.study import entries as study_entries
from components.study import ids
from components.types import ItemJson, Json, JsonObject, Option, PatternId
from runs.language import per_language
from runs.study_jobs.service import StudyService
from runs.translation import translate
from solvers.core.errors import InvalidParams
from solvers.core.params import Param
from studies.spec.ranges import Range
from studies.spec.space import format_range, is_tuned_by_default, list_declarations, make_default_range, parse_range
from studies.spec.tune import PRUNERS, TRAINING_SEEDS, Tune
from studies.tuning.packages import MISSING, is_missing

KINDS = per_language(lambda: {"compare": text("tune.compare"), "tune": text("tune.tune")})
_PRUNERS = per_language(lambda: {name: text(f"tune.pruner.{name}") for name in PRUNERS})
_TRIALS, _BATCH, _SEED = 50, 4, 1
#: Fields of a tuning study, by their names in `build_tune_json`; the fields of its parameters are `ROWS`.
FIELDS = {
    "kind": (ids.KIND, "value"),
    "tuned": (ids.TUNE_ENTRY, "value"),
    "trials": (ids.TRIALS, "value"),
    "train_seeds": (ids.TRAIN_SEEDS, "value"),
    "tested": (ids.TEST_INSTANCES, "value"),
    "pruner": (ids.PRUNER, "value"),
    "sampler_seed": (ids.SAMPLER_SEED, "value"),
    "batch": (ids.BATCH, "value"),
}
ROWS: tuple[tuple[PatternId, str], ...] = (
    (ids.varied_id(ALL, "on"), "id"),
    (ids.varied_id(ALL, "on"), "value"),
    (ids.varied_id(ALL, "values"), "value"),
)


def kinds() -> html.Div:
    """Return the radio buttons for ordinary and tuning studies."""
    reason = translate(MISSING) if is_missing() else ""
    options: list[Option] = [{"value": "compare", "label": KINDS()["compare"]}]
    options.append({"value": "tune", "label": KINDS()["tune"], "disabled": bool(reason), "title": reason})
    note = html.Div(reason, className="note")
    return html.Div([segments(ids.KIND, text("tune.kind"), options, "compare"), note], className="field")


def panel() -> html.Div:
    """Return a tuning study's fields, hidden in ordinary studies."""
    select = dbc.Select(id=ids.TUNE_ENTRY, options=[], value="0")
    tested = menu(
        ids.TEST_INSTANCES, [], [], multi=True, clearable=True,
        placeholder=text("tune.same-instances"), labels={"search": text("setup.find")},
    )  # fmt: skip
    tested_label = html.Label(
        text("tune.tested"), htmlFor=ids.TEST_INSTANCES, className="field-label", title=text("tune.tested-help")
    )
    seed, trials = number_input(ids.SAMPLER_SEED, _SEED), number_input(ids.TRIALS, _TRIALS)
    pruner = dbc.Select(id=ids.PRUNER, options=choices(_PRUNERS()), value=PRUNERS[0])
    more = [
        html.Div([tested_label, tested], className="field"),
        labelled_row(text("tune.pruner"), ids.PRUNER, pruner, title=text("tune.pruner-help")),
        labelled_row(text("tune.batch"), ids.BATCH, number_input(ids.BATCH, _BATCH), title=text("tune.batch-help")),
        labelled_row(text("tune.seed"), ids.SAMPLER_SEED, seed, title=text("tune.seed-help")),
    ]
    train = number_input(ids.TRAIN_SEEDS, TRAINING_SEEDS.count)
    return html.Div(
        [
            labelled_row(text("tune.entry"), ids.TUNE_ENTRY, select),
            live_note(ids.TUNE_NOTE),
            html.Div(id=ids.TUNE_ROWS, role="group", **hyphenate_names(aria_label=text("tune.rows"))),
            labelled_row(text("tune.trials"), ids.TRIALS, trials, title=text("tune.trials-help")),
            labelled_row(text("tune.train-seeds"), ids.TRAIN_SEEDS, train, title=text("tune.train-seeds-help")),
            html.Details([html.Summary(text("tune.more")), *more], className="more"),
            dcc.Store(id=ids.TUNE_GIVEN),
            dcc.Store(id=ids.TUNE_SHOWN),
        ],
        id=ids.TUNE,
        hidden=True,
    )  # fmt: skip


def entry_options(entries: Sequence[ItemJson]) -> list[Option]:
    """Return the setup's entries as options for the one to tune."""
    styles = study_entries.series_style(entries)
    return [
        {"value": str(k), "label": f"{style['letter']} {style['title']}", "disabled": not _is_tunable(entries, k)}
        for k, style in enumerate(styles)
    ]


def _is_tunable(entries: Sequence[ItemJson], position: int) -> bool:
    """Return whether an entry's last algorithm has a parameter that affects its tours."""
    try:
        return bool(list_declarations(entries[position]["stages"][-1]["algorithm"]))
    except InvalidParams:
        return False


def find_tuned_algorithm(entries: Sequence[ItemJson], tuned: Json) -> str:
    """Return the algorithm whose parameters would vary, the entry's last."""
    return entries[_find_tuned_position(entries, tuned)]["stages"][-1]["algorithm"]


def _find_tuned_position(entries: Sequence[ItemJson], tuned: Json) -> int:
    """Return the tuned entry's position: the chosen one, or the first that can be tuned."""
    places = range(len(entries))
    chosen = int(str(tuned)) if str(tuned) in {str(k) for k in places} else 0
    return next((k for k in (chosen, *places) if _is_tunable(entries, k)), chosen)


def rows(algorithm: str, current: Json) -> list[html.Div]:
    """Return a row per parameter that can vary, with a switch and its range.

    Parameters
    ----------
    algorithm : str
    current : dict or None
        Values of an address: ``algorithm``, and the ranges ``vary`` as JSON.

    Raises
    ------
    InvalidParams
        If the algorithm has no such parameter.
    """
    filled = current if isinstance(current, dict) and current.get("algorithm") == algorithm else {}
    stored = filled.get("vary")
    return [
        _row(declared, stored if isinstance(stored, dict) else None)
        for declared in list_declarations(algorithm).values()
    ]


def _row(declared: Param, stored: JsonObject | None) -> html.Div:
    usual = make_default_range(declared)
    is_on = is_tuned_by_default(declared) if stored is None else declared.name in stored
    shown = Range.from_json(declared.name, stored[declared.name]) if stored and declared.name in stored else usual
    on, values = ids.varied_id(declared.name, "on"), ids.varied_id(declared.name, "values")
    label = translate(declared.label)
    return html.Div(
        [
            dbc.Checkbox(id=on, value=is_on, label=label, class_name="tune-on"),
            html.Label(text("tune.values", parameter=label), htmlFor=dom_id(values), className="visually-hidden"),
            dbc.Input(id=values, type="text", value=format_range(shown), maxlength=2000, class_name="words"),
        ],
        className="tune-row",
        title=translate(declared.help),
    )


def build_tune_json(form: JsonObject, first: Json) -> JsonObject:
    """Return the spec's part ``tune`` from the form's values.

    Parameters
    ----------
    form : dict
        Values of `FIELDS`; those of `ROWS` as ``names``, ``on`` and ``values``; ``instances`` and ``entries``.
    first : int
        First training seed.

    Raises
    ------
    InvalidParams, InvalidInstance
    """
    declared = list_declarations(find_tuned_entry(form)["stages"][-1]["algorithm"])
    names, on, ranges = (cast(list, form[name]) for name in ("names", "on", "values"))  # ids with Dash's wildcards
    vary: JsonObject = {
        name: parse_range(declared[name], str(values or "")).to_json()
        for name, is_on, values in zip(names, on, ranges, strict=True)
        if is_on and name in declared
    }
    if not vary:
        raise InvalidParams("tune", "", "", text("refusal.vary"))
    return {
        "vary": vary,
        "trials": form["trials"],
        "batch": form["batch"],
        "seed": form["sampler_seed"],
        "pruner": form["pruner"],
        "instances": [parse_reference(value) for value in cast(list[Json], form["instances"])],
        "seeds": {"first": first, "count": form["train_seeds"]},
    }


def find_tuned_entry(form: JsonObject) -> ItemJson:
    """Return the setup's entry to tune."""
    entries = cast(list[ItemJson], form["entries"])
    return entries[_find_tuned_position(entries, form["tuned"])]


def count_runs(form: JsonObject) -> int | None:
    """Return a tuning study's number of runs without pruning; None if the form is incomplete."""
    if not any(cast(list, form["on"])):
        return None
    trials, train_seeds, seeds = form["trials"], form["train_seeds"], form["seeds"]
    if not (isinstance(trials, int) and isinstance(train_seeds, int) and isinstance(seeds, int)):
        return None
    trained, tested = (len(cast(list[Json], each)) for each in (form["instances"], form["tested"] or form["instances"]))
    return trials * train_seeds * trained + 2 * seeds * tested if min(trials, train_seeds, seeds) > 0 else None


def fill_fields(tune: Tune, algorithm: str, tested: list[str]) -> JsonObject:
    """Return the fields' values for a tuning study."""
    return {
        "kind": "tune",
        "trials": tune.trials,
        "train_seeds": tune.seeds.count,
        "tested": tested,
        "pruner": tune.pruner,
        "sampler_seed": tune.seed,
        "batch": tune.batch,
        "given": {"algorithm": algorithm, "vary": {range_.name: range_.to_json() for range_ in tune.vary}},
    }


class TuneView(NamedTuple):
    """The contents of a tuning study's fields."""

    hidden: bool
    entries: list[Option] | NoUpdate = no_update
    instances: Json | NoUpdate = no_update
    rows: list[html.Div] | NoUpdate = no_update
    shown: JsonObject | NoUpdate = no_update
    note: str | NoUpdate = no_update
    tuned: str | NoUpdate = no_update


def update(kind: Json, entries: Json, tuned: Json, current: Json, instances: Json, shown: Json) -> TuneView:
    """Update a tuning study's fields, or hide them for others; rows change only with the algorithm."""
    if kind != "tune" or not study_entries.is_valid(entries):
        return TuneView(kind != "tune")
    options, algorithm = entry_options(entries), find_tuned_algorithm(entries, tuned)
    now: JsonObject = {"algorithm": algorithm, "given": current}
    note = translate(MISSING) if is_missing() else text("tune.note")
    place = str(_find_tuned_position(entries, tuned))
    place_update = no_update if place == tuned else place
    if shown == now:
        return TuneView(False, options, instances, note=note, tuned=place_update)
    try:
        return TuneView(False, options, instances, rows(algorithm, current), now, note, place_update)
    except InvalidParams:
        return TuneView(False, options, instances, [], now, text("tune.nothing"))


def register(app: Dash, _studies: StudyService) -> None:
    """Show the fields, with the chosen entry's parameters."""
    app.callback(
        Output(ids.TUNE, "hidden"),
        *outputs("options", ids.TUNE_ENTRY, ids.TEST_INSTANCES),
        Output(ids.TUNE_ROWS, "children"),
        Output(ids.TUNE_SHOWN, "data"),
        Output(ids.TUNE_NOTE, "children"),
        Output(ids.TUNE_ENTRY, "value"),
        Input(ids.KIND, "value"),
        Input(ids.ENTRIES, "data"),
        Input(ids.TUNE_ENTRY, "value"),
        Input(ids.TUNE_GIVEN, "data"),
        Input(ids.INSTANCES, "options"),
        State(ids.TUNE_SHOWN, "data"),
    )(update)
