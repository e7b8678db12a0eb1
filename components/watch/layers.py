"""The view of an exact solution by layers: its progress in numbers and bars, and the time that more cities take."""

from dash import html

from components.figures.canvas import canvas
from components.figures.layers import layers_figure
from components.shell import chart_text, ids

#: Labels of the progress facts, by the id of the element that shows each.
FACTS = {
    ids.FRONT_DONE: "of the work done",
    ids.FRONT_SUBSETS: "sets of cities",
    ids.FRONT_STATES: "states",
    ids.FRONT_RATE: "states a second",
    ids.FRONT_MEMORY: "memory",
    ids.FRONT_SECONDS: "time",
}


def view() -> html.Div:
    """The view, empty; `assets/watch/exact/layers.js` fills it."""
    facts = html.Dl([html.Div(_fact(*each)) for each in FACTS.items()], className="front-facts")
    graph = canvas(ids.LAYERS, layers_figure())
    texts = [chart_text.description(ids.LAYERS), chart_text.csv_button(ids.LAYERS, "layers")]
    return html.Div([facts, graph, *texts], className="view layers-view")


def _fact(value_id: str, label: str) -> list:
    return [html.Dt(label), html.Dd("\u2013", id=value_id)]
