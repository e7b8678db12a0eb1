"""Climbers against accuracy: the lengths of a run's climbers, and how good the best of 1, 10, 100, ... of them is."""

import dash
import dash_bootstrap_components as dbc
from dash import ClientsideFunction, Input, html

from components.shell import ids
from components.shell.controls import attributes, segments
from components.watch.labels import part_options
from solvers.solver import Solver

#: Marks of the histogram, in the order of the ids.
_MARKS = (
    ("best", ids.STUDY_MARK_BEST, ids.STUDY_KEY_BEST),
    ("mean", ids.STUDY_MARK_MEAN, ids.STUDY_KEY_MEAN),
    ("climber", ids.STUDY_MARK_CLIMBER, ids.STUDY_KEY_CLIMBER),
)
#: Heads of the tables: shares of climbers that end near the optimum; and the columns of the groups.
_NEAR, _LOWEST = (
    ("\u2264 1 %", "\u2264 2 %", "\u2264 5 %"),
    ("k climbers", "groups", "mean", "best", "worst", "accuracy"),
)
_HEADLINE = "More climbers find better tours; each factor of ten gains less."
_HELP = (
    "The bars count the climbers by the length of the tour they ended with. Below, the run's climbers are divided into "
    "consecutive groups of k. The lowest length of a group is the result of k climbers; mean, best and worst of the "
    "groups show how much it varies. Accuracy is 100 \u00b7 optimum / mean. "
    "\u2264 1 % is the share of climbers that end at most 1 % above the optimum. Scans: how often a climber evaluated "
    "all moves, on average. Only sums are stored, so ten million climbers take no more memory than ten."
)


def parts(solver: Solver) -> dbc.RadioItems:
    """The choice of the table of climbers or this panel."""
    return segments(ids.STUDY_PART, part_options(solver), "table", "tight parts")


def panel() -> html.Div:
    """The panel, without numbers; `assets/watch/restart_panel.js` fills it."""
    return html.Div(
        [
            html.Div(id=ids.STUDY_MISSING, className="note study-missing"),
            html.Div(
                [
                    _says(),
                    html.Div([_histogram(), _keys()]),
                    _table(ids.STUDY_ALL, "All climbers", "study-all", ("climbers", *_NEAR, "scans", "time")),
                    _table(ids.STUDY_ROWS, "Lowest length of k climbers", "study-lowest", _LOWEST),
                ],
                className="study-body",
            ),
        ],
        id=ids.STUDY,
        className="study",
        **attributes(data_empty="true"),
    )


def _histogram() -> html.Div:
    lines = [html.Div(id=mark, className=f"study-mark {name}") for name, mark, _ in _MARKS]
    plot = html.Div([html.Div(id=ids.STUDY_BARS), *lines], className="study-plot")
    axis = html.Div(id=ids.STUDY_TICKS, className="study-ticks")
    return html.Div([plot, axis], **attributes(aria_hidden="true"))


def _keys() -> html.Div:
    """The legend of the marks."""
    return html.Div(
        [html.Span(id=key, className=f"study-key {name}") for name, _, key in _MARKS], className="study-keys"
    )


def _table(rows_id: str, title: str, style: str, heads: tuple[str, ...]) -> html.Table:
    return html.Table(
        [html.Thead(html.Tr([html.Th(head, scope="col") for head in heads])), html.Tbody(id=rows_id)],
        className=f"study-table {style}",
        **attributes(aria_label=title),
    )


def _says() -> html.Details:
    mark = html.Span("?", className="study-help", title="What this shows", **attributes(aria_label="What this shows"))
    return html.Details([html.Summary([_HEADLINE, " ", mark]), html.P(_HELP)], className="note study-says")


def register(app: dash.Dash) -> None:
    """Show what is chosen."""
    app.clientside_callback(ClientsideFunction("watch", "showStudy"), Input(ids.STUDY_PART, "value"))
