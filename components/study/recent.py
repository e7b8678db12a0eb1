"""Recent studies: the header's menu, and the page's content while no study is open."""

from typing import cast

import dash
from dash import Input, Output, ctx, html

from components.shell import assets, facts, ids
from components.shell.callbacks import in_thread
from components.shell.controls import button, live_note
from components.shell.recent_menu import Entry, RecentMenu
from components.shell.texts import study as text
from components.study import entries
from components.study import ids as study_ids
from components.study.address import INSTANCES, find_open_study, make_address
from components.study.setup import LaunchResult, launch
from components.types import Json, JsonObject
from runs.language import per_language
from runs.study_jobs.service import StudyService, StudyStatus
from runs.translation import translate_part

_HALF_A_MINUTE = {"seeds": 6, "first": 1, "limit": "seconds", "amount": 0.5, "device": "cpu", "threads": 1}
#: Instances on which half a second suffices to distinguish local searches.
LARGER = ["lin318", "pcb442", "pr1002"]
_LOCAL = [entries.entry(name) for name in ("lin-kernighan", "two-opt", "max-min-ant-system")]
#: Example studies by the buttons that start them, as values of the form; each takes half a minute on one core.
EXAMPLES = per_language(lambda: {
    study_ids.EXAMPLE: {
        "instances": INSTANCES, "entries": entries.DEFAULT, "title": text("example.title"), **_HALF_A_MINUTE,
    },
    study_ids.EXAMPLE_LOCAL: {
        "instances": LARGER, "entries": _LOCAL, "title": text("example-local.title"), **_HALF_A_MINUTE,
    },
})  # fmt: skip


def _entry(_studies: StudyService, status: StudyStatus) -> Entry:
    state, when = text(f"recent-state.{status.state}"), facts.format_local_time(status.created)
    counts = {"when": when, "done": status.finished, "total": status.total, "state": state}
    lines = [
        html.Span(html.B(translate_part(status.title)), className="option"),
        html.Small(text("recent.line-failed" if status.failed else "recent.line", failed=status.failed, **counts)),
    ]
    return Entry(status.id, f"?id={status.id}", lines)


MENU = RecentMenu(
    "study", "studies", study_ids.OPEN, _entry,
    lambda studies, study: make_address(studies.snapshot(study).spec, study),
)  # fmt: skip


def introduction(base_path: str) -> html.Section:
    """Return an introduction to studies, two examples of half a minute each, and the list of studies.

    The chart is of the first example: its median gaps on an AMD EPYC.
    """
    chart = html.Img(
        src=f"{assets.address(base_path)}/study/example.svg", alt=text("example.chart"), className="studies-example",
        width=560, height=250,
    )  # fmt: skip
    example = html.Div(
        [
            html.H2(text("example.heading"), className="minor"),
            html.P(text("example.explained", instances=", ".join(INSTANCES))),
            chart,
            button(study_ids.EXAMPLE, text("example.run"), "play", text=text("example.run")),
            html.P(text("example-local.explained", instances=", ".join(LARGER))),
            button(study_ids.EXAMPLE_LOCAL, text("example-local.run"), "play", text=text("example-local.run")),
        ],
        className="studies-card",
    )
    heading = html.H2(text("empty.studies"), className="minor")
    recent_links = html.Div([heading, html.Div(id=study_ids.HERE)], className="studies-card")
    return html.Section(
        [
            html.Div([html.H1(text("empty.heading")), html.P(text("empty.explained"))], className="on-comparing"),
            html.Div([html.H1(text("empty.tune.heading")), html.P(text("empty.tune"))], className="on-tuning"),
            html.Div([example, recent_links], className="studies-cards"),
            live_note(study_ids.EMPTY_NOTE, style="refusal"),
        ],
        id="study-empty",
        className="panel studies-empty",
    )


def register(app: dash.Dash, studies: StudyService) -> None:
    """Fill the lists and start the examples."""

    def recent_links(stored: Json) -> list:
        return [] if find_open_study(stored) else MENU.links(studies, app.config.requests_pathname_prefix)

    def example(*_: Json) -> LaunchResult:
        values = EXAMPLES().get(ctx.triggered_id)
        if values is None:  # a request in which no button was pressed
            raise dash.exceptions.PreventUpdate
        return launch(studies, cast(JsonObject, values))

    MENU.register(app, studies)
    app.callback(Output(study_ids.HERE, "children"), Input(study_ids.OPEN, "data"), prevent_initial_call=False)(
        in_thread(recent_links)
    )
    app.callback(
        Output(study_ids.OPEN, "data", allow_duplicate=True),
        Output(ids.URL, "search", allow_duplicate=True),
        Output(study_ids.EMPTY_NOTE, "children"),
        *(Input(button_id, "n_clicks") for button_id in EXAMPLES()),
        running=[(Output(button_id, "disabled"), True, False) for button_id in EXAMPLES()],
    )(in_thread(example))
