"""A tuning study's trials: the best so far, a table, importances and validation; saves the best as a preset."""

import json
from collections import Counter
from typing import NamedTuple
from urllib.parse import urlencode

import dash_bootstrap_components as dbc
from dash import ALL, Dash, Input, NoUpdate, Output, State, ctx, html, no_update

from components.figures.canvas import Figure
from components.figures.studies import best_figure, empty_figure
from components.shell.callbacks import in_thread, inputs, on_click, outputs
from components.shell.controls import button, hyphenate_names, live_note
from components.shell.errors import REFUSALS, describe_refusal
from components.shell.facts import capitalise, localise
from components.shell.numbers import THIN, format_fixed, format_measure, format_short
from components.shell.texts import study as text
from components.study import ids
from components.study.address import find_open_study
from components.study.curves import chart, connect_scripts, plot_outputs, read_snapshot
from components.study.ids import store
from components.study.tables import TableJson, build_table, place
from components.types import Json
from runs.presets import NoSuchPreset
from runs.study_jobs.service import StudyService
from runs.study_jobs.snapshots import StudySnapshot, TuningState
from runs.translation import translate
from solvers import find
from solvers.core.errors import InvalidParams
from solvers.presets.preset_file import OwnPreset
from studies.report.cautions import join_names
from studies.report.tuning import format_value
from studies.report.verdicts import list_verdicts
from studies.spec.space import list_declarations
from studies.stats.compare import LEVEL
from studies.stats.references import UNKNOWN
from studies.tuning.trials import find_best, list_best_so_far, mean_gap
from studies.tuning.tuner import TUNED_ENTRY

#: Maximum number of trials in the table.
_MAX_ROWS = 30
_HIDDEN, _SHOWN = "studies-tuning none", "studies-tuning"
#: Error raised when a preset is deleted twice.
_GONE = (*REFUSALS, NoSuchPreset)


class TuningView(NamedTuple):
    """The panel's contents."""

    style: str
    words: str
    figure: Figure
    figure_says: str
    trials: TableJson | None
    matters: TableJson | None
    presets: list[html.Li]


def panel() -> html.Section:
    """Return the panel of trials, hidden in ordinary studies."""
    name = dbc.Input(id=ids.PRESET_NAME, type="text", value="", maxlength=80, class_name="words")
    label = html.Label(text("tuning.preset-name"), htmlFor=ids.PRESET_NAME, className="field-label")
    save = button(ids.PRESET_SAVE, text("tuning.preset-help"), "check", text=text("tuning.preset-save"))
    curve = chart(ids.BEST, text("tuning.chart"), explained=text("tuning.chart-help"))
    return html.Section(
        [
            html.H2(text("tuning.heading")),
            html.Div(id=ids.TUNING_SENTENCE, className="studies-words", **hyphenate_names(aria_live="off")),
            html.Div([curve, html.Div([*place(ids.TRIED), *place(ids.MATTERS)])], className="studies-charts"),
            html.Div([label, name, save], className="filters"),
            live_note(ids.PRESET_NOTE),
            html.Ul(id=ids.PRESETS, className="tuning-presets"),
        ],
        id=ids.TUNING,
        className=_HIDDEN,
        **hyphenate_names(aria_label=text("tuning.heading")),
    )


def build_view(studies: StudyService, shown: Json, shade: Json, base_path: str) -> TuningView:
    """Return the current study's trials, hidden unless it is a tuning study."""
    snapshot, _ = read_snapshot(studies, shown)
    if snapshot is None or snapshot.tuning is None:
        return TuningView(_HIDDEN, "", empty_figure(), "", None, None, [])
    figure, sentence = _draw_best(snapshot, snapshot.tuning, shade == "dark")
    saved = presets(studies, _find_algorithm(snapshot), base_path)
    return TuningView(
        _SHOWN,
        describe_trials(snapshot),
        figure,
        sentence,
        build_trial_table(snapshot),
        build_importance_table(snapshot),
        saved,
    )


def _find_algorithm(snapshot: StudySnapshot) -> str:
    return snapshot.spec.entries[0].stages[-1].algorithm


def describe_trials(snapshot: StudySnapshot) -> str:
    """Describe how many trials there are, how they are judged, and whether the result holds."""
    tune, tuning = snapshot.spec.tune, snapshot.tuning
    assert tune is not None
    assert tuning is not None
    states = Counter(trial.state for trial in tuning.trials)
    over = sum(trial.is_final for trial in tuning.trials)
    counts = {name: states[name] for name in ("complete", "pruned", "failed")}
    lines = [text("tuning.trials", over=over, trials=tune.trials, **counts), _describe_measured(snapshot, tuning)]
    lines += [localise(trial.sentence) for trial in tuning.trials if trial.state == "failed"][:1]
    winner = find_best(tuning.trials, tuning.references)
    if over < tune.trials:
        return "\n".join([*lines, text("tuning.later")])
    if winner is None:
        return "\n".join([*lines, text("tuning.nothing")])
    return "\n".join([*lines, _describe_training(tuning), _describe_test(snapshot)])


def _describe_measured(snapshot: StudySnapshot, tuning: TuningState) -> str:
    tune = snapshot.spec.tune
    assert tune is not None
    names = [row.name for row in tuning.instances]
    parts = []
    for kind in dict.fromkeys(tuning.references.kind):
        on = [name for name, each in zip(names, tuning.references.kind, strict=True) if each == kind]
        if kind != UNKNOWN:
            parts.append(text(f"tuning.above.{kind.replace(' ', '-')}", names=join_names(on)))
    seeds = {"first": str(tune.seeds.first), "last": str(tune.seeds.first + tune.seeds.count - 1)}
    return " ".join([text("tuning.measured", runs=tune.steps, names=join_names(names), **seeds), *parts])


def _describe_training(tuning: TuningState) -> str:
    """Describe the best trial's improvement over the first on training runs."""
    winner, first = find_best(tuning.trials, tuning.references), tuning.trials[0]
    assert winner is not None
    gap = _format_gap(mean_gap(winner, tuning.references))
    if first.state != "complete":
        return text("tuning.trained-alone", trial=winner.number, gap=gap)
    before = mean_gap(first, tuning.references)
    better = mean_gap(winner, tuning.references) < before
    return text(
        "tuning.trained" if better else "tuning.trained-none", trial=winner.number, gap=gap, set=_format_gap(before)
    )


def _describe_test(snapshot: StudySnapshot) -> str:
    """Describe whether the difference holds on other runs, by the study's own comparison."""
    verdict = list_verdicts(snapshot.comparisons[0]).get((TUNED_ENTRY, 0))
    if verdict is None:
        return text("tuning.untested")
    plan, table = snapshot.table.plan, snapshot.table
    waiting = plan is not None and bool((table.counts(table.runs) + plan.failed < plan.planned).any())
    values = {"count": verdict.instances, "wins": verdict.wins, "losses": verdict.losses}
    levels = {"p": format_measure(verdict.p), "level": format_short(LEVEL)}
    kind = verdict.outcome if verdict.outcome in ("alike", "none") else "differs"
    sentence = text(f"tuning.tested.{kind}", **values, **levels)
    return f"{sentence} {text('tuning.so-far')}" if waiting else sentence


def _format_gap(gap: float) -> str:
    return f"{format_fixed(gap, 3)}{THIN}%"


def _draw_best(snapshot: StudySnapshot, tuning: TuningState, dark: bool) -> tuple[Figure, str]:
    """Return the chart, and its last value in words."""
    ended = {
        state: [(t.number, mean_gap(t, tuning.references)) for t in tuning.trials if t.state == state]
        for state in ("complete", "pruned")
    }
    line = list_best_so_far(tuning.trials, tuning.references)
    if not line:
        return empty_figure(), text("charts.none")
    last = max(t.number for t in tuning.trials if t.is_final)
    sentence = text("tuning.chart-sentence", gap=_format_gap(line[-1][1]), count=last + 1, pruned=len(ended["pruned"]))
    figure = best_figure(
        ended["complete"], ended["pruned"], [*line, (last, line[-1][1])], _find_algorithm(snapshot), dark
    )
    return figure, sentence


def build_trial_table(snapshot: StudySnapshot) -> TableJson | None:
    """Return the table of trials with aligned parameters, best first, then pruned and failed ones."""
    tuning = snapshot.tuning
    assert tuning is not None
    order = {"complete": 0, "running": 1, "pruned": 2, "failed": 3}
    ranked = sorted(
        (trial for trial in tuning.trials if trial.count),
        key=lambda each: (order[each.state], mean_gap(each, tuning.references), each.number),
    )
    if not ranked:
        return None
    declared = list_declarations(_find_algorithm(snapshot))
    names = list(ranked[0].params)
    heads = [text("tuning.trial"), text("tuning.state"), text("tuning.gap"), text("table.runs")]
    heads = [capitalise(head) for head in (*heads, *(translate(declared[name].label) for name in names))]
    rows = [
        [
            str(trial.number),
            text(f"tuning.state.{trial.state}"),
            "" if trial.state == "failed" else _format_gap(mean_gap(trial, tuning.references)),
            str(min(trial.counted, trial.count)),
            *(format_value(trial.params[name]) for name in names),
        ]
        for trial in ranked[:_MAX_ROWS]
    ]
    note = text("tuning.cut", most=_MAX_ROWS, all=len(ranked)) if len(ranked) > _MAX_ROWS else text("tuning.first")
    return build_table(text("tuning.table"), heads, rows, note)


def build_importance_table(snapshot: StudySnapshot) -> TableJson | None:
    """Return each parameter's importance, and how many trials it is based on."""
    tuning = snapshot.tuning
    assert tuning is not None
    if not tuning.importances:
        return None
    declared = list_declarations(_find_algorithm(snapshot))
    shares = tuning.importances.items()
    rows = [[translate(declared[name].label), f"{format_fixed(100 * share, 0)}{THIN}%"] for name, share in shares]
    heads = (text("tuning.parameter"), text("tuning.share"))
    return build_table(text("tuning.matters"), heads, rows, text("tuning.matters-note", count=tuning.complete))


def presets(studies: StudyService, algorithm: str, base_path: str) -> list[html.Li]:
    """Return a user's own presets of an algorithm, each with file, link and delete button."""
    return [
        html.Li(
            [
                html.B(saved.preset.name),
                html.A(
                    text("tuning.preset-file"), href=f"{base_path}presets/{saved.id}", className="save", download=""
                ),
                html.A(
                    text("tuning.preset-watch"), href=f"{base_path}?{make_watch_query(saved.preset)}", className="save"
                ),
                html.Button(
                    text("tuning.preset-delete"),
                    id=ids.kept_preset("delete", saved.id),
                    type="button",
                    className="save",
                    **hyphenate_names(aria_label=text("tuning.preset-delete-named", name=saved.preset.name)),
                ),
            ],
            title=saved.preset.source,
        )
        for saved in studies.run_service.presets.list_visible(algorithm)
    ]


def make_watch_query(preset: OwnPreset) -> str:
    """Return the Watch page's query for a run with a preset's parameters."""
    values = {name: v if isinstance(v, str) else json.dumps(v) for name, v in preset.params.items()}
    return urlencode({"algorithm": preset.algorithm, **values})


def save(studies: StudyService, stored: Json, name: Json) -> str:
    """Save the best trial of the open tuning study as a preset; return the message."""
    study, preset_name = find_open_study(stored), str(name or "").strip()
    if study is None:
        return ""
    try:
        if not preset_name:
            raise InvalidParams("preset", preset_name, text("refusal.preset"))
        preset = studies.preset(study, preset_name)
        if any(preset.name == preset_name for preset in find(preset.algorithm).presets):
            raise InvalidParams("preset", preset_name, text("refusal.preset-taken"))
        studies.run_service.presets.save(preset)
    except REFUSALS as refusal:
        return describe_refusal(refusal)
    return text("tuning.preset-saved", name=preset_name, algorithm=translate(find(preset.algorithm).title))


def delete(studies: StudyService, preset: Json) -> str:
    """Delete a saved preset; return the message."""
    try:
        studies.run_service.presets.delete(str(preset))
    except _GONE as refusal:
        return describe_refusal(refusal)
    return text("tuning.preset-deleted")


def register(app: Dash, studies: StudyService, base_path: str) -> None:
    """Update the trials when results change; save and delete presets."""

    def show(shown: Json, shade: Json, _note: Json) -> TuningView:
        return build_view(studies, shown, shade, base_path)

    app.callback(
        Output(ids.TUNING, "className"),
        Output(ids.TUNING_SENTENCE, "children"),
        *plot_outputs(ids.BEST),
        *outputs("data", store(ids.TRIED), store(ids.MATTERS)),
        Output(ids.PRESETS, "children"),
        *inputs("data", ids.LATER, ids.SHADE),
        Input(ids.PRESET_NOTE, "children"),
    )(in_thread(show))
    connect_scripts(app, "plot", ids.BEST)
    connect_scripts(app, "table", ids.TRIED, ids.MATTERS)
    app.callback(
        Output(ids.PRESET_NOTE, "children"),
        Input(ids.PRESET_SAVE, "n_clicks"),
        State(ids.OPEN, "data"),
        State(ids.PRESET_NAME, "value"),
    )(on_click(save, studies))

    def remove(clicks: list[int | None]) -> str | NoUpdate:
        pressed = ctx.triggered_id
        return delete(studies, pressed["kept-preset"]) if any(clicks) and pressed else no_update

    app.callback(
        Output(ids.PRESET_NOTE, "children", allow_duplicate=True),
        Input(ids.kept_preset("delete", ALL), "n_clicks"),
    )(remove)
