"""The race page, two to four runs on one instance: layout and callbacks."""

from dash import Dash, dcc, html

from components.algorithm import several, variant_table
from components.document.dash_page import configure
from components.instances import section
from components.race import address, exports, lane_dialog, lanes, numbers, recent, stage
from components.race import ids as race_ids_module
from components.race import setup as race_setup_module
from components.shell import header, scaffold
from components.shell.texts import common
from components.shell.texts import race as text
from components.types import JsonObject
from runs.races.service import RaceService


def build(app: Dash, races: RaceService, base_path: str) -> None:
    """Set up the page in `app`.

    Parameters
    ----------
    app : dash.Dash
        Application without a layout, at its own paths. Callbacks are registered only on it.
    races : runs.races.service.RaceService
        Source of races; its run service is the source of instances.
    base_path : str
        Path under which the application is served, with a trailing slash.
    """
    configure(app, base_path, "race", title=lambda: text("page.title"))
    app.layout = lambda: layout(races.run_service.status(), base_path)
    for part in (race_setup_module, address.BAR, recent.MENU):
        part.register(app, races)
    for part in (lanes, numbers, exports, variant_table):
        part.register(app)
    lane_dialog.register(app, races.run_service)
    section.register(app, races.run_service, tours=False)
    header.register(app)


def layout(status: JsonObject, base_path: str) -> html.Div:
    """Return the whole page in its initial state.

    Parameters
    ----------
    status : dict
        Result of `RunService.status`.
    base_path : str
        Path under which the application is served, with a trailing slash.
    """
    setup = race_setup_module.panel(status)
    parts = [
        *scaffold.address(),
        dcc.Store(id=race_ids_module.LANES, data=lanes.DEFAULT),
        dcc.Store(id=race_ids_module.VIEWS, data=lanes.describe_lanes(lanes.DEFAULT)),
        *scaffold.stores(race_ids_module.RACE),
        *several.stores(lanes.SEVERAL),
        *section.stores(),
        scaffold.main("race", scaffold.lesson(), setup, stage.panel(), numbers.panel(), title=common("page.race")),
        lane_dialog.dialog(status),
        variant_table.dialog(),
        *section.dialogs(),
    ]
    return scaffold.page(status, base_path, "race", recent.MENU.panel(), parts, text("stage.skip"))
