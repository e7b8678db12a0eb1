"""Climbers against accuracy: a run's lengths, and how good the best of 1, 10, 100, ... climbers is."""

import dash_bootstrap_components as dbc
from dash import html

from components.shell import chart_text, ids
from components.shell.controls import hyphenate_names, segments
from components.shell.texts import watch as text
from components.watch.labels import part_options
from runs.language import per_language
from solvers.core.solver import Solver

#: Marks of the histogram, in the order of the ids.
_MARKS = (
    ("best", "restarts-mark-best", "restarts-key-best"),
    ("mean", "restarts-mark-mean", "restarts-key-mean"),
    ("climber", "restarts-mark-climber", "restarts-key-climber"),
)
#: Headings of two tables: one on all climbers, with the shares that end near the optimum, and one on groups of
#: climbers.
_ALL = per_language(lambda: (
    text("restarts.climbers"), *(text("restarts.near", percent=percent) for percent in (1, 2, 5)),
    text("restarts.scans"), text("restarts.time"),
))  # fmt: skip
_LOWEST = per_language(lambda: (
    text("restarts.size"), text("restarts.groups"), text("restarts.mean"), text("restarts.best"),
    text("restarts.worst"), text("restarts.accuracy"),
))  # fmt: skip


def parts(solver: Solver) -> dbc.RadioItems:
    """Return the tabs for the table of climbers and this panel."""
    return segments(ids.RESTARTS_PART, text("restarts.choice"), part_options(solver), "table", "tight parts")


def panel() -> html.Div:
    """Return the empty panel, filled by `assets/watch/restarts/panel.js`."""
    return html.Div(
        [
            html.Div(id="restarts-missing", className="note restarts-missing"),
            html.Div(
                [
                    _help(),
                    html.Div([_axes(), _histogram(), _keys()]),
                    _table("restarts-all", text("restarts.all"), "restarts-all", _ALL()),
                    _table("restarts-rows", text("restarts.lowest"), "restarts-lowest", _LOWEST()),
                ],
                className="restarts-body",
            ),
        ],
        id=ids.RESTARTS,
        className="restarts",
        **hyphenate_names(data_empty="true"),
    )


def _axes() -> html.Div:
    """Return the histogram's axes, and buttons to save the panel."""
    known = html.Span(text("restarts.axis.known"), className="by-gap")
    unknown = html.Span(text("restarts.axis.unknown"), className="by-length")
    axes = html.Span([text("restarts.axes"), " ", known, unknown])
    return html.Div(
        [axes, html.Div(chart_text.save_buttons(ids.RESTARTS, csv=True), className="chart-saves")],
        className="restarts-axes",
    )


def _histogram() -> html.Div:
    lines = [html.Div(id=mark, className=f"restarts-mark {name}") for name, mark, _ in _MARKS]
    plot = html.Div([html.Div(id="restarts-bars"), *lines], className="restarts-plot")
    axis = html.Div(id="restarts-ticks", className="restarts-ticks")
    return html.Div([plot, axis], **hyphenate_names(aria_hidden="true"))


def _keys() -> html.Div:
    """Return the legend of the marks."""
    return html.Div(
        [html.Span(id=key, className=f"restarts-key {name}") for name, _, key in _MARKS], className="restarts-keys"
    )


def _table(rows_id: str, title: str, style: str, heads: tuple[str, ...]) -> html.Table:
    return html.Table(
        [html.Thead(html.Tr([html.Th(head, scope="col") for head in heads])), html.Tbody(id=rows_id)],
        className=f"restarts-table {style}",
        **hyphenate_names(aria_label=title),
    )


def _help() -> html.Details:
    help_title = text("restarts.help.title")
    mark = html.Span("?", className="restarts-help", title=help_title, **hyphenate_names(aria_label=help_title))
    summary = html.Summary([text("restarts.headline"), " ", mark])
    return html.Details([summary, html.P(text("restarts.help"))], className="note restarts-sentence")
