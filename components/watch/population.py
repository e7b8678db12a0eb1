"""The view of a population: its lengths, and how they and the diversity change."""

from dash import ClientsideFunction, Dash, Input, html

from components.figures.canvas import canvas
from components.figures.population import population_figure
from components.shell import chart_text, ids
from components.shell.controls import segments
from components.shell.texts import watch as text
from runs.language import per_language

#: Curves in the lower half of the figure.
CURVES = per_language(
    lambda: {"lengths": text("population.curve.lengths"), "diversity": text("population.curve.diversity")}
)


def view() -> html.Div:
    """Return the empty view, filled by `assets/watch/population/population.js`."""
    graph = canvas(ids.POPULATION, population_figure())
    texts = [chart_text.description(ids.POPULATION), chart_text.csv_button(ids.POPULATION, "population")]
    return html.Div([graph, *texts], className="view population-view")


def switch() -> html.Div:
    """Return the radio buttons for the curve."""
    choice = segments(ids.POPULATION_CURVE, text("population.curve"), CURVES(), "lengths", "tight")
    return html.Div(choice, className="for-population")


def register(app: Dash) -> None:
    """Connect the curve to the script."""
    app.clientside_callback(ClientsideFunction("watch", "setPopulationCurve"), Input(ids.POPULATION_CURVE, "value"))
