"""The view of an exact solution: its progress in numbers and bars, and the time for more cities."""

from dash import html

from components.figures.canvas import canvas
from components.figures.layers import layers_figure
from components.shell import chart_text, ids
from components.shell.numbers import NONE
from components.shell.texts import watch as text
from runs.language import per_language

#: Labels of the facts about the progress, by element id.
FACTS = per_language(
    lambda: {
        ids.FRONT_DONE: text("layers.done"),
        ids.FRONT_SUBSETS: text("layers.subsets"),
        ids.FRONT_STATES: text("layers.states"),
        ids.FRONT_RATE: text("layers.rate"),
        ids.FRONT_MEMORY: text("layers.memory"),
        ids.FRONT_SECONDS: text("layers.time"),
    }
)


def view() -> html.Div:
    """Return the empty view, filled by `assets/watch/exact/layers.js`."""
    facts = html.Dl([html.Div(_fact(*each)) for each in FACTS().items()], className="front-facts")
    graph = canvas(ids.LAYERS, layers_figure())
    texts = [chart_text.description(ids.LAYERS), chart_text.csv_button(ids.LAYERS, "layers")]
    return html.Div([facts, graph, *texts], className="view layers-view")


def _fact(value_id: str, label: str) -> list:
    return [html.Dt(label), html.Dd(NONE, id=value_id)]
