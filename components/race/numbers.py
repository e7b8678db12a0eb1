"""The right side of the race page: a chart of all lanes, a ranking, and the differences between two tours."""

from dash import ClientsideFunction, Dash, Input, html

from components.figures.canvas import canvas
from components.figures.live_charts import race_figure
from components.race import ids
from components.race.lanes import LETTERS
from components.shell.controls import card, choices, hyphenate_names, named_select, segments, switch
from components.shell.texts import race as text
from runs.language import per_language

_COLUMNS = per_language(lambda: tuple(text(f"table.{column}") for column in ("lane", "length", "gap", "at", "compile")))
_X = per_language(lambda: {value: text(f"chart.x.{value}") for value in ("seconds", "iterations", "evaluations")})
_Y = per_language(lambda: {value: text(f"chart.y.{value}") for value in ("gap", "length")})


def panel() -> html.Section:
    """Return the card of the numbers."""
    cursor = html.Div(id=ids.HERE, className="race-here", hidden=True)
    return card(
        "race-numbers",
        text("numbers.label"),
        _chart_head(),
        html.Div([canvas(ids.CHART, race_figure()), cursor], className="chart race-chart"),
        html.P(id=ids.CHART_SENTENCE, className="visually-hidden", **hyphenate_names(aria_live="off")),
        _table(),
        html.Div(text("table.order"), className="note"),
        _difference(),
    )


def _chart_head() -> html.Div:
    gap = segments(ids.CHART_Y, text("chart.y"), _Y(), "gap", "tight")
    seconds = segments(ids.CHART_X, text("chart.x"), _X(), "seconds", "tight")
    return html.Div([gap, switch(ids.CHART_LOG, text("chart.log")), seconds], className="chart-head")


def _table() -> html.Table:
    letter = html.Th(html.Span(text("table.letter"), className="visually-hidden"), scope="col")
    lane, length, *others = _COLUMNS()
    cells = [html.Th(lane, scope="col"), html.Th(length, id=ids.TABLE_LENGTH, scope="col")]
    heads = html.Thead(html.Tr([letter, *cells, *(html.Th(head, scope="col") for head in others)]))
    label = hyphenate_names(aria_label=text("table.label"))
    return html.Table([heads, html.Tbody(id=ids.TABLE)], className="race-table", **label)


def _difference() -> html.Div:
    lanes = choices({str(k): letter for k, letter in enumerate(LETTERS)})
    first = named_select(ids.DIFFER_A, text("differ.first"), lanes, "0")
    second = named_select(ids.DIFFER_B, text("differ.second"), lanes, "1")
    choice = [switch(ids.DIFFER, text("differ.label"), value=False), *first, html.Span(text("differ.and")), *second]
    description = html.Div(id=ids.DIFFER_SENTENCE, className="note", **hyphenate_names(aria_live="off"))
    return html.Div([html.Div(choice, className="differ-row"), description], className="differ")


def register(app: Dash) -> None:
    """Connect the controls to the scripts."""
    for function, chosen in (
        ("setAxes", (ids.CHART_X, ids.CHART_Y, ids.CHART_LOG)),
        ("differ", (ids.DIFFER, ids.DIFFER_A, ids.DIFFER_B)),
    ):
        app.clientside_callback(ClientsideFunction("race", function), *(Input(each, "value") for each in chosen))
