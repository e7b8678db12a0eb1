"""Your studies: the menu in the header, and the page's content where no study is open."""

import dash
from dash import Input, Output, html

from components.shell import facts, ids
from components.shell.callbacks import in_thread
from components.shell.controls import button, live_note
from components.shell.recent_menu import Entry, RecentMenu
from components.shell.texts import study as text
from components.study import entries
from components.study import ids as study_ids
from components.study.address import INSTANCES, address, open_study
from components.study.setup import Launched, launch
from runs.language import per_language
from runs.said import said_part
from runs.study_jobs.service import StudyStatus

#: An example study that takes half a minute on one core.
EXAMPLE = per_language(lambda: {
    "instances": INSTANCES, "entries": entries.DEFAULT, "seeds": 6, "first": 1, "limit": "seconds",
    "amount": 0.5, "device": "cpu", "threads": 1, "title": text("example.title"),
})  # fmt: skip


def _entry(_studies, status: StudyStatus) -> Entry:
    state, when = text(f"recent-state.{status.state}"), facts.when(status.created)
    lines = [
        html.Span(html.B(said_part(status.title)), className="option"),
        html.Small(text("recent.line", when=when, done=status.finished, total=status.total, state=state)),
    ]
    return Entry(status.id, f"?id={status.id}", lines)


MENU = RecentMenu(
    "study", "studies", study_ids.RECENT, study_ids.RECENT_OPEN, study_ids.RECENT_LIST, study_ids.UPLOAD,
    study_ids.UPLOAD_NOTE, study_ids.OPEN, study_ids.ADOPTED, _entry,
    lambda studies, study: address(studies.snapshot(study).spec, study),
)  # fmt: skip


def empty() -> html.Section:
    """What a study is, an example that takes half a minute, and the list of studies."""
    example = html.Div(
        [
            html.H2(text("example.heading"), className="minor"),
            html.P(text("example.explained", instances=", ".join(INSTANCES))),
            button(study_ids.EXAMPLE, text("example.run"), "play", text=text("example.run"), style="primary"),
        ],
        className="studies-card",
    )
    heading = html.H2(text("empty.studies"), className="minor")
    here = html.Div([heading, html.Div(id=study_ids.HERE)], className="studies-card")
    return html.Section(
        [
            html.H1(text("empty.heading")),
            html.P(text("empty.explained")),
            html.Div([example, here], className="studies-cards"),
            live_note(study_ids.EMPTY_NOTE, style="refusal"),
        ],
        id=study_ids.EMPTY,
        className="panel studies-empty",
    )


def register(app: dash.Dash, studies) -> None:
    """Fill the lists, and start the example."""

    def here(stored):
        return [] if open_study(stored) else MENU.links(studies, app.config.requests_pathname_prefix)

    def example(_) -> Launched:
        return launch(studies, EXAMPLE())

    MENU.register(app, studies)
    app.callback(Output(study_ids.HERE, "children"), Input(study_ids.OPEN, "data"), prevent_initial_call=False)(
        in_thread(here)
    )
    app.callback(
        Output(study_ids.OPEN, "data", allow_duplicate=True),
        Output(ids.URL, "search", allow_duplicate=True),
        Output(study_ids.EMPTY_NOTE, "children"),
        Input(study_ids.EXAMPLE, "n_clicks"),
        running=[(Output(study_ids.EXAMPLE, "disabled"), True, False)],
    )(in_thread(example))
