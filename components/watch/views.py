"""A run's views besides its tour: tabs, elements, and the row below."""

from dash import ClientsideFunction, Dash, Input, State, html

from components.shell import ids
from components.shell.controls import segments
from components.shell.texts import watch as text
from components.watch import colony, layers, population, tabu
from components.watch.labels import view_options, views_style
from solvers import SOLVERS


def tabs() -> html.Div:
    """Return the tabs of views, shown for algorithms that have any besides the tour."""
    first = SOLVERS[0]
    choice = segments(ids.VIEW, text("views.label"), view_options(first), "tour")
    return html.Div(choice, id=ids.VIEWS, className=views_style(first))


def views() -> list[html.Div]:
    """Return empty elements for the views besides the tour."""
    return [*colony.views(), layers.view(), population.view(), tabu.view()]


def foot() -> html.Div:
    """Return the row below a view: caption and settings."""
    description = html.Div(id=ids.VIEW_SENTENCE, className="note")
    settings = [*colony.switches(), population.switch(), tabu.legend()]
    return html.Div([description, *settings], className="legend view-foot")


def register(app: Dash) -> None:
    """Connect the tabs and settings to the scripts."""
    colony.register(app)
    population.register(app)
    app.clientside_callback(ClientsideFunction("watch", "showView"), Input(ids.VIEW, "value"))
    app.clientside_callback(
        ClientsideFunction("watch", "offerViews"), Input(ids.VIEW, "options"), State(ids.VIEW, "value")
    )
