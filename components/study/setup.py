"""The left side of the study page: instances, entries, seeds and budget, with minimum duration and Start."""

from typing import NamedTuple, cast

from dash import ALL, Dash, Input, NoUpdate, Output, State, html, no_update

from components.algorithm import setup
from components.algorithm.devices import LABELS, known_devices
from components.instances.picker import instance_options
from components.instances.references import parse_reference
from components.shell import ids
from components.shell.callbacks import outputs
from components.shell.controls import (
    choices,
    device_row,
    labelled_row,
    live_note,
    menu,
    named_select,
    number_input,
)
from components.shell.errors import REFUSALS, describe_form_error
from components.shell.numbers import format_measure, format_short, format_span
from components.shell.start_button import release, start_button
from components.shell.texts import study as text
from components.shell.upload_area import drop_area
from components.study import entries, tune_setup
from components.study import ids as study_ids
from components.study.address import FIELDS, INSTANCES, LIMITS, SECONDS, SEEDS, make_address
from components.study.entries import words_input
from components.types import Json, JsonObject, Option
from data.limits import MAX_BYTES
from runs.bounded_pool import run_in_thread
from runs.language import per_language
from runs.study_jobs.service import StudyService
from runs.translation import translate
from runs.visitors import current_visitor
from solvers import find
from solvers.core.errors import InvalidParams
from solvers.spec import VERSION
from studies.spec.spec import MAX_CELLS, MAX_SEEDS, StudySpec
from studies.spec.tune import Tune
from studies.stats.compare import LEVEL
from studies.stats.seeds import Pairs, min_corrected_p, min_seeds

#: Labels of the fields, by the fields' names in error messages.
_LABELS = per_language(
    lambda: {
        "instances": text("setup.instances"),
        "entries": text("setup.algorithms"),
        "seeds": text("setup.seeds"),
        "seed": text("setup.first-seed"),
        "title": text("setup.title"),
        "seconds": text("setup.limit"),
        "iterations": text("setup.limit"),
        "device": text("setup.device"),
        "threads": text("setup.threads"),
        "trials": text("tune.trials"),
        "batch": text("tune.batch"),
        "vary": text("tune.rows"),
    }
)


class LaunchResult(NamedTuple):
    """Outputs of Start."""

    open: JsonObject | NoUpdate = no_update
    search: str | NoUpdate = no_update
    note: str = ""


def panel(base_path: str) -> html.Section:
    """Return the card of the setup."""
    settings = [
        tune_setup.kinds(),
        _instances(base_path),
        entries.panel(),
        tune_setup.panel(),
        *_amounts(),
        _advanced(),
    ]
    start = html.Div([start_button(text("setup.start"), "primary")], className="commands")
    note = live_note(ids.START_NOTE, style="refusal")
    return setup.panel(text("setup.panel"), settings, [live_note(study_ids.COST), start, note])


def _instances(base_path: str) -> html.Div:
    chosen = menu(
        study_ids.INSTANCES, instance_options(), INSTANCES, multi=True, clearable=True,
        placeholder=text("setup.choose"), labels={"search": text("setup.find")},
    )  # fmt: skip
    label = html.Label(_LABELS()["instances"], htmlFor=study_ids.INSTANCES, className="field-label")
    area = drop_area(ids.UPLOAD, ids.UPLOAD_NOTE, text("setup.files"), MAX_BYTES)
    own = html.P(html.A(text("setup.own"), href=base_path), className="note")
    return html.Div([label, chosen, live_note("study-instances-note"), *area, own], className="field")


def _amounts() -> list[html.Div]:
    unit = named_select(study_ids.LIMIT, text("setup.unit"), choices(LIMITS()), "seconds")
    amount = html.Div([number_input(study_ids.AMOUNT, SECONDS), *unit], className="amount studies-amount")
    seeds = labelled_row(
        _LABELS()["seeds"], study_ids.SEEDS, number_input(study_ids.SEEDS, SEEDS), title=text("setup.seeds-help")
    )
    return [
        html.Div([seeds, live_note(study_ids.SEEDS_NOTE)], className="field"),
        labelled_row(_LABELS()["seconds"], study_ids.AMOUNT, amount, title=text("setup.limit-help")),
    ]


def _advanced() -> html.Details:
    title = words_input(study_ids.TITLE, text("setup.no-title"), 200)
    threads = number_input(ids.THREADS, 1)
    fields = [
        labelled_row(_LABELS()["title"], study_ids.TITLE, title),
        labelled_row(_LABELS()["seed"], study_ids.FIRST_SEED, number_input(study_ids.FIRST_SEED, 1)),
        labelled_row(_LABELS()["threads"], ids.THREADS, threads, title=text("setup.threads-help")),
        html.Div([device_row(LABELS()), live_note(ids.DEVICE_NOTE)], className="field"),
    ]
    return html.Details([html.Summary(text("setup.more")), *fields], className="more")


def build_spec(form: JsonObject) -> StudySpec:
    """Return the study of the form's values.

    Parameters
    ----------
    form : dict
        ``instances``, ``entries``, ``seeds``, ``first``, ``limit``, ``amount``, ``device``, ``threads``, ``title``; for
        a tuning study also the values of `components.study.tune_setup.build_tune_json`.

    Raises
    ------
    InvalidParams, InvalidInstance
        If a value is invalid.
    """
    chosen, limit = form["instances"], form["limit"]
    if not isinstance(chosen, list) or not chosen:
        raise InvalidParams("instances", chosen, text("refusal.instances"))
    if not isinstance(limit, str) or limit not in LIMITS() or form["amount"] is None:
        raise InvalidParams("seconds", form["amount"], text("refusal.amount"))
    value: JsonObject = {
        "v": VERSION,
        "title": str(form["title"] or "").strip(),
        "instances": [parse_reference(value) for value in chosen],
        "entries": form["entries"],
        "seeds": {"first": form["first"], "count": form["seeds"]},
        "budget": {limit: form["amount"]},
        "device": form["device"],
        "threads": form["threads"],
    }
    if form.get("kind") != "tune":
        return StudySpec.from_json(value)
    tune = tune_setup.build_tune_json(form, form["first"])
    training = Tune.from_json(tune, ()).seeds
    tested = form["tested"] if isinstance(form["tested"], list) and form["tested"] else chosen
    return StudySpec.from_json(
        value
        | {
            "entries": [tune_setup.find_tuned_entry(form)],
            "instances": [parse_reference(name) for name in tested],
            "seeds": {"first": training.first + training.count, "count": form["seeds"]},
            "tune": tune,
        }
    )


def describe_cost(form: JsonObject, cores: int) -> str:
    """Return how many runs the form's study has, and the least time they take."""
    instances, compared, seeds, threads = form["instances"], form["entries"], form["seeds"], form["threads"]
    if not (isinstance(instances, list) and isinstance(compared, list) and instances and compared):
        return ""
    if not (isinstance(seeds, int) and isinstance(threads, int) and min(seeds, threads) > 0):
        return ""
    runs = tune_setup.count_runs(form) if form.get("kind") == "tune" else len(instances) * len(compared) * seeds
    if runs is None:
        return ""
    if seeds > MAX_SEEDS or runs > MAX_CELLS:
        return text("cost.too-many", count=runs, most=MAX_CELLS)
    slots = max(1, cores // threads)
    amount = form["amount"]
    if form["limit"] == "seconds" and isinstance(amount, int | float) and amount > 0:
        return text("cost.limited", count=runs, slots=slots, time=format_span(-(-runs // slots) * amount))
    return text("cost.unknown", count=runs, slots=slots)


def describe_seeds(form: JsonObject) -> str:
    """Say whether the form's seeds can show a difference, and how many are needed.

    The text is empty if the form is incomplete.
    """
    instances, seeds, compared = form["instances"], form["seeds"], form["entries"]
    if (
        not isinstance(seeds, int)
        or seeds < 1
        or not isinstance(instances, list)
        or not entries.is_valid(compared)
        or form.get("kind") == "tune"
    ):
        return ""
    random = [any(find(stage["algorithm"]).chance for stage in lane["stages"]) for lane in compared]
    pairs = Pairs.count_pairs(random, len(instances))
    if not any(random):
        return ""
    needed = min_seeds(pairs) if sum(pairs) else SEEDS
    if seeds == 1:
        return text("seeds.single", needed=needed)
    if seeds >= needed or not sum(pairs):
        return text("seeds.enough", needed=needed) if sum(pairs) else ""
    reachable = min_corrected_p(pairs, seeds)
    values = {"p": format_measure(max(reachable)), "level": format_short(LEVEL), "needed": needed, "seeds": seeds}
    if reachable[0] < LEVEL:  # enough except for comparisons with a deterministic algorithm
        return text("seeds.few-mixed", **values)
    return text("seeds.few", count=sum(pairs), **values)


def launch(studies: StudyService, form: JsonObject) -> LaunchResult:
    """Start the study of the form's values, or return a sentence saying why not."""
    try:
        spec = build_spec(form)
        study = studies.start(spec, current_visitor().id)
    except REFUSALS as refusal:
        return LaunchResult(note=describe_form_error(refusal, _LABELS()))
    return LaunchResult({"study": study}, make_address(spec, study))


def explain_missing_gpu(status: Json) -> str:
    """Return why no GPU can be chosen; empty if one can."""
    gpu = (known_devices(status) or {}).get("cuda")
    return "" if gpu is None or gpu["available"] else translate(gpu["reason"])


def register(app: Dash, studies: StudyService) -> None:
    """Register the callbacks of the fields and of the Start button."""

    @app.callback(
        *outputs("children", study_ids.COST, study_ids.SEEDS_NOTE),
        *(Input(*field) for field in FIELDS.values()),
        Input(study_ids.varied_id(ALL, "on"), "value"),
        prevent_initial_call=False,
    )
    def update_cost(*values: Json) -> tuple[str, str]:
        *fields, on = values
        form = dict(zip(FIELDS, fields, strict=True)) | {"on": on}
        return describe_cost(form, studies.cores), describe_seeds(form)

    @app.callback(
        Output(study_ids.OPEN, "data"),
        Output(ids.URL, "search"),
        Output(ids.START_NOTE, "children"),
        Input(ids.START, "n_clicks"),
        *(State(*field) for field in FIELDS.values()),
        *(State(*field) for field in tune_setup.ROWS),
        running=[(Output(ids.START, "disabled"), True, False)],
    )
    async def start(_: Json, *values: Json) -> LaunchResult:
        *fields, row_ids, on, ranges = values
        names = [item["name"] for item in cast(list[dict[str, str]], row_ids)]
        form = dict(zip(FIELDS, fields, strict=True)) | {"names": names, "on": on, "values": ranges}
        return await run_in_thread(launch, studies, form)

    release(app, (study_ids.INSTANCES, "value"))

    @app.callback(
        Output(ids.DEVICE, "options"),
        Output(ids.DEVICE_NOTE, "children"),
        Input(ids.STATUS, "data"),
        prevent_initial_call=False,
    )
    def update_device(status: Json) -> tuple[list[Option], str]:
        note = explain_missing_gpu(status)
        options = choices(LABELS())
        for option in options:
            option["disabled"] = option["value"] == "cuda" and bool(note)
        return options, note
