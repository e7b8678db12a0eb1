"""The right side of the page: the convergence chart with the rate, and the table of climbers or restarts."""

import asyncio
import json
from collections.abc import Sequence

import dash_ag_grid as dag
from dash import ClientsideFunction, Dash, Input, Output, State, html
from dash.development.base_component import Component

from components.figures.canvas import canvas
from components.figures.live_charts import convergence_figure
from components.shell import chart_text, facts, ids
from components.shell.callbacks import inputs, outputs
from components.shell.controls import card, hyphenate_names, segments
from components.shell.numbers import NONE
from components.shell.texts import watch as text
from components.types import Json, JsonObject, Property
from components.watch import restarts
from components.watch.address import read_spec
from components.watch.labels import axis_options, choose_words, explain_table, label_evaluations
from components.watch.launch import find_shown_run
from runs.service import RunService
from solvers import SOLVERS, find
from solvers.core.errors import InvalidParams
from solvers.core.solver import Solver

#: Colours as variables of the style sheet, so that the table follows the theme.
GRID_THEME = """themeQuartz.withParams({
    backgroundColor: 'transparent', foregroundColor: 'var(--ink)', borderColor: 'var(--line)',
    headerBackgroundColor: 'transparent', headerTextColor: 'var(--mute)', headerFontWeight: 500,
    accentColor: 'var(--accent)', rowHoverColor: 'var(--hover)', selectedRowBackgroundColor: 'var(--selected)',
    fontFamily: 'inherit', fontSize: 13, headerFontSize: 12.5, rowHeight: 28, headerHeight: 32,
    cellHorizontalPadding: 6, wrapperBorder: false, wrapperBorderRadius: 0, headerColumnResizeHandleDisplay: 'none',
    browserColorScheme: 'inherit'
})"""


def panel(more: Sequence[Component] = ()) -> html.Section:
    """Return the card of numbers, followed by further components."""
    first = SOLVERS[0]
    graph = canvas(ids.CONVERGENCE, convergence_figure())
    numbers = [html.B(NONE, id=ids.TILE_RATE), html.Span(label_evaluations(first), id=ids.TILE_RATE_LABEL)]
    rate = html.Span(numbers, className="note rate")
    saves = [chart_text.csv_button(ids.CONVERGENCE, "convergence"), *chart_text.save_buttons(ids.CONVERGENCE)]
    foot = html.Div([rate, html.Div(saves, className="chart-saves")], className="chart-foot")
    chart = html.Div([graph, foot], className="chart")
    axis = segments(ids.CONVERGENCE_X, text("chart.axis"), axis_options(first), "climb", "tight")
    return card(
        "numbers",
        text("numbers.label"),
        html.Div([html.Span(text("chart.axis"), className="field-label"), axis], className="chart-head"),
        chart,
        chart_text.description(ids.CONVERGENCE),
        html.Div(id="tour-shared", className="note tour-shared", hidden=True),
        html.Div(id="shortened", className="note shortened"),
        html.Div(
            [
                restarts.parts(first),
                _table(),
                html.Div(explain_table(first), id=ids.CLIMBERS_NOTE, className="note"),
                restarts.panel(),
            ],
            className="finished",
        ),
        *more,
        data_part="table",
    )


def _columns() -> list[JsonObject]:
    """Return the table's columns; a script names the first after the algorithm's iteration."""
    return [
        _column("climber", 58, facts.translate_unit(SOLVERS[0].iteration_unit)),
        _column("length", 78, text("table.length")),
        _column("gap", 76, text("table.gap")),
        _column("moves", 56, text("table.moves")),
        _column("seconds", 66, text("table.time")),
    ]


def _table() -> html.Div:
    """Return the table's placeholder with its grid as JSON, from which a script creates it later."""
    grid = json.dumps(_grid().to_plotly_json())
    return html.Div(id="climbers-place", className="climbers", **hyphenate_names(data_grid=grid))


def _grid() -> dag.AgGrid:
    return dag.AgGrid(
        id="climbers",
        columnDefs=_columns(),
        rowData=[],
        columnSize="responsiveSizeToFit",
        defaultColDef={"sortable": True, "resizable": False, "suppressMovable": True, "type": "rightAligned"},
        dashGridOptions={
            "theme": {"function": GRID_THEME},
            "rowSelection": {"mode": "singleRow", "checkboxes": False, "enableClickSelection": True},
            "tabToNextCell": {"function": "leaveTable(params)"},
            "onCellKeyDown": {"function": "playRow(params)"},
            "animateRows": False,
            "suppressNoRowsOverlay": True,
            "suppressScrollOnNewData": True,
        },
        style={"height": "100%"},
    )


def _column(field: str, width: int, header: str) -> JsonObject:
    return {
        "field": field,
        "headerName": header,
        "minWidth": width,
        "width": width,  # all columns fit from the start, and then share the available width
        "valueFormatter": {"function": f"{field}Text(params.value)"},
        "sortingOrder": ["asc", "desc"],
    }


def find_shown_solver(run_service: RunService, shown: Json, algorithm: Json) -> Solver:
    """Return the current run's algorithm, else the form's, else the first."""
    run = find_shown_run(shown)
    summary = run_service.summary(run) if run else None
    try:
        return find(read_spec(summary).stages[-1].algorithm if summary else algorithm)
    except InvalidParams:
        return SOLVERS[0]


def register(app: Dash, run_service: RunService) -> None:
    """Update labels with the algorithm, and the chart with the x axis."""

    @app.callback(
        *outputs("options", ids.CONVERGENCE_X, ids.RESTARTS_PART),
        *outputs("children", ids.TILE_RATE_LABEL, ids.CLIMBERS_NOTE, ids.CLIMB_NAME, ids.MOVE_NAME),
        *outputs("className", ids.LEGEND, ids.VIEWS),
        Output(ids.VIEW, "options"),
        Output(ids.RESTARTS_PART, "value"),
        Input(ids.RUN, "data"),
        Input(ids.ALGORITHM, "value"),
        State(ids.RESTARTS_PART, "value"),
    )
    async def update_labels(shown: Json, algorithm: Json, part: Json) -> tuple[Property, ...]:
        words = choose_words(await asyncio.to_thread(find_shown_solver, run_service, shown, algorithm))
        offered = part in {option["value"] for option in words.parts}
        return *words, part if offered else "table"

    app.clientside_callback(
        ClientsideFunction("watch", "columns"), Input(ids.RUN, "data"), Input(ids.ALGORITHM, "value")
    )
    app.clientside_callback(
        ClientsideFunction("watch", "tiles"),
        *(Output(tile, "children") for tile in (ids.TILE_BEST, ids.TILE_GAP, ids.TILE_RATE)),
        Input(ids.PROGRESS, "data"),
    )
    app.clientside_callback(
        ClientsideFunction("watch", "describeLegend"), Input(ids.LEGEND, "className"), State(ids.RUN, "data")
    )
    app.clientside_callback(
        ClientsideFunction("watch", "numbers"),
        *inputs("data", ids.PROGRESS, ids.ROWS),
        *inputs("value", ids.CONVERGENCE_X, ids.RESTARTS_PART),
    )
