"""A run's views besides its tour, filled by scripts: tabs, elements, and the row of settings below."""

from dash import ClientsideFunction, Dash, Input, State, html

from components.figures.canvas import Figure, canvas
from components.figures.live_charts import ants_figure, layers_figure
from components.shell import chart_text, ids
from components.shell.controls import hyphenate_names, segments, switch
from components.shell.numbers import NONE
from components.shell.texts import watch as text
from components.watch.labels import view_options, views_style
from runs.language import per_language
from solvers import SOLVERS

#: Curves in the lower half of the ants' figure, and of a population's figure.
ANTS_CURVES = per_language(
    lambda: {name: text(f"ants.curve.{name}") for name in ("lengths", "trails", "time", "shortened", "trials")}
)
POPULATION_CURVES = per_language(lambda: {name: text(f"population.curve.{name}") for name in ("lengths", "diversity")})
#: An exact solution's progress in numbers, by id.
FACTS = per_language(
    lambda: {
        "front-done": text("layers.done"),
        "front-subsets": text("layers.subsets"),
        "front-states": text("layers.states"),
        "front-rate": text("layers.rate"),
        "front-memory": text("layers.memory"),
        "front-seconds": text("layers.time"),
    }
)


def tabs() -> html.Div:
    """Return the tabs of views, shown for algorithms that have any besides the tour."""
    first = SOLVERS[0]
    choice = segments(ids.VIEW, text("views.label"), view_options(first), "tour")
    return html.Div(choice, id=ids.VIEWS, className=views_style(first))


def views() -> list[html.Div]:
    """Return the empty views, filled by `assets/watch/colony/`, `exact/`, `population/` and `tabu/`."""
    facts = [html.Div([html.Dt(label), html.Dd(NONE, id=value)]) for value, label in FACTS().items()]
    return [
        _heat(),
        _map_view("trails", "trails", text("trails.label")),
        _chart_view("ants", ids.ANTS, ants_figure()),
        _chart_view("layers", ids.LAYERS, layers_figure(), html.Dl(facts, className="front-facts")),
        _chart_view("population", ids.POPULATION, ants_figure()),
        _map_view("tabu", "tabu", text("tabu.label")),
    ]


def _map_view(name: str, canvas_id: str, label: str) -> html.Div:
    picture = html.Canvas(id=canvas_id, className="map", **hyphenate_names(role="img", aria_label=label))
    return html.Div(picture, className=f"view {name}-view")


def _chart_view(name: str, canvas_id: str, figure: Figure, *above: html.Dl) -> html.Div:
    texts = [chart_text.description(canvas_id), chart_text.csv_button(canvas_id, name)]
    return html.Div([*above, canvas(canvas_id, figure), *texts], className=f"view {name}-view")


def _heat() -> html.Div:
    canvas = html.Canvas(
        id="heat-canvas", className="heat-canvas", width="1", height="1",
        **hyphenate_names(role="img", aria_label=text("pheromone.label")),
    )  # fmt: skip
    bar = html.Div(
        [html.Div(id="heat-bar", className="heat-bar"), html.Div(id="heat-ticks", className="heat-ticks")],
        className="heat-scale",
    )
    hover = html.Div(id="heat-hover", className="heat-hover", hidden=True)
    title = html.Div(text("heatmap.scale"), className="heat-title")
    frame = html.Div([canvas, bar, title, _axis("across"), _axis("up"), hover], className="heat-frame")
    return html.Div(frame, id="heat", className="view heat-view")


def _axis(name: str) -> html.Div:
    """Return a heatmap axis: first number, label and last number, filled by a script."""
    return html.Div(
        [html.Span(), html.Span(), html.Span()], className=f"heat-axis {name}", **hyphenate_names(aria_hidden="true")
    )


def foot() -> html.Div:
    """Return the row below a view: caption and settings."""
    population = segments(ids.POPULATION_CURVE, text("population.curve"), POPULATION_CURVES(), "lengths", "tight")
    settings = [
        html.Div(id="view-sentence", className="note"),
        switch(ids.HEAT_LOG, text("pheromone.logarithmic"), style="for-pheromone"),
        switch(ids.TRAILS_BEST, text("trails.best"), style="for-trails"),
        html.Div(segments(ids.ANTS_CURVE, text("ants.curve"), ANTS_CURVES(), "lengths", "tight"), className="for-ants"),
        html.Div(population, className="for-population"),
        _tabu_legend(),
    ]
    return html.Div(settings, className="legend view-foot")


def _tabu_legend() -> html.Div:
    """Return the legend of a tabu search's colours, and the step of the picture."""
    names = {"removed": text("tabu.removed"), "added": text("tabu.added"), "tour": text("legend.tour")}
    keys = [html.Span([html.I(className=f"swatch {swatch}"), name]) for swatch, name in names.items()]
    return html.Div([*keys, html.Span(id="tabu-at")], className="legend for-tabu")


def register(app: Dash) -> None:
    """Connect the tabs and settings to the scripts."""
    for function, control in (
        ("setHeatLog", ids.HEAT_LOG),
        ("showBestOnTrails", ids.TRAILS_BEST),
        ("setCurve", ids.ANTS_CURVE),
        ("setPopulationCurve", ids.POPULATION_CURVE),
        ("showView", ids.VIEW),
    ):
        app.clientside_callback(ClientsideFunction("watch", function), Input(control, "value"))
    app.clientside_callback(
        ClientsideFunction("watch", "offerViews"), Input(ids.VIEW, "options"), State(ids.VIEW, "value")
    )
