"""Views of an ant colony: pheromone as a matrix, strongest trails on the map, and ants' lengths."""

from dash import ClientsideFunction, Dash, Input, html

from components.figures.ants import ants_figure
from components.figures.canvas import canvas
from components.shell import chart_text, ids
from components.shell.controls import hyphenate_names, segments, switch
from components.shell.texts import watch as text
from runs.language import per_language

#: Curves in the lower half of the ants' figure.
CURVES = per_language(
    lambda: {
        "lengths": text("ants.curve.lengths"),
        "trails": text("ants.curve.trails"),
        "time": text("ants.curve.time"),
        "shortened": text("ants.curve.shortened"),
        "trials": text("ants.curve.trials"),
    }
)


def views() -> list[html.Div]:
    """Return empty elements for the views, filled by the modules of `assets/watch/colony/`."""
    picture = hyphenate_names(role="img", aria_label=text("trails.label"))
    trails = html.Canvas(id=ids.TRAILS, className="map", **picture)
    ants = canvas(ids.ANTS, ants_figure())
    texts = [chart_text.description(ids.ANTS), chart_text.csv_button(ids.ANTS, "ants")]
    return [
        _heat(),
        html.Div(trails, className="view trails-view"),
        html.Div([ants, *texts], className="view ants-view"),
    ]


def _heat() -> html.Div:
    canvas = html.Canvas(
        id=ids.HEAT_CANVAS, className="heat-canvas", width="1", height="1",
        **hyphenate_names(role="img", aria_label=text("pheromone.label")),
    )  # fmt: skip
    bar = html.Div(
        [html.Div(id=ids.HEAT_BAR, className="heat-bar"), html.Div(id=ids.HEAT_TICKS, className="heat-ticks")],
        className="heat-scale",
    )
    hover = html.Div(id=ids.HEAT_HOVER, className="heat-hover", hidden=True)
    title = html.Div(text("heatmap.scale"), className="heat-title")
    frame = html.Div([canvas, bar, title, _axis("across"), _axis("up"), hover], className="heat-frame")
    return html.Div(frame, id=ids.HEAT, className="view heat-view")


def _axis(name: str) -> html.Div:
    """Return a heatmap axis: first number, label and last number, filled by a script."""
    return html.Div(
        [html.Span(), html.Span(), html.Span()], className=f"heat-axis {name}", **hyphenate_names(aria_hidden="true")
    )


def switches() -> list:
    """Return these views' settings."""
    return [
        switch(ids.HEAT_LOG, text("pheromone.logarithmic"), style="for-pheromone"),
        # The best tour of the whole run, regardless of the iteration in the player.
        switch(ids.TRAILS_BEST, text("trails.best"), style="for-trails"),
        html.Div(segments(ids.ANTS_CURVE, text("ants.curve"), CURVES(), "lengths", "tight"), className="for-ants"),
    ]


def register(app: Dash) -> None:
    """Connect the settings to the scripts."""
    for function, control in (
        ("setHeatLog", ids.HEAT_LOG),
        ("showBestOnTrails", ids.TRAILS_BEST),
        ("setCurve", ids.ANTS_CURVE),
    ):
        app.clientside_callback(ClientsideFunction("watch", function), Input(control, "value"))
