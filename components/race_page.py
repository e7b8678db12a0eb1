"""The race page: two to four runs of one instance side by side, on one clock; its layout and all of its callbacks."""

from typing import Any

import dash
from dash import dcc, html

from components import (
    compare_panel,
    header,
    ids,
    instance_choice,
    race_address,
    race_form,
    race_ids,
    race_lanes,
    race_numbers,
    race_recent,
    race_save,
    race_setup,
    race_stage,
)
from components.controls import attributes
from components.document import ASSETS, dress_alone

#: Below the path of the application.
PATH = "race/"
#: The scripts that are not the race's alone.
_SHARED = (
    "base.js", "axes.js", "clientside.js", "columns.js", "connect.js", "course.js", "download.js", "edges.js",
    "faults.js", "format.js", "frames.js", "hotkeys.js", "map.js", "pen.js", "stats.js", "stream.js", "theme.js",
    "thinning.js", "ways.js",
)  # fmt: skip


def scripts() -> list[str]:
    """The scripts that the page loads."""
    return [*_SHARED, *instance_choice.SCRIPTS, *(path.name for path in ASSETS.glob("race*.js"))]


def build(app: dash.Dash, races, base_path: str) -> None:
    """Give `app` the page.

    Parameters
    ----------
    app : dash.Dash
        Without a layout, its paths below `PATH`. Callbacks are registered on it alone.
    races : runs.races.Races
        Asked by the callbacks for races, and its desk for instances.
    base_path : str
        Path under which the application is served, with a slash at its end.
    """
    dress_alone(app, scripts(), "TourScope: race")
    app.layout = lambda: layout(races.desk.status(), base_path)
    for part in (race_setup, race_address, race_recent):
        part.register(app, races)
    for part in (race_lanes, race_numbers, race_save):
        part.register(app)
    race_form.register(app, races.desk)
    instance_choice.register(app, races.desk)
    header.register_bar(app)


def layout(status: dict[str, Any], base_path: str) -> html.Div:
    """The whole page, as the first visit sees it.

    Parameters
    ----------
    status : dict
        What `Desk.status` tells.
    base_path : str
        Path under which the application is served, with a slash at its end.
    """
    setup = race_setup.panel(status)
    setup.children.append(race_save.panel())
    return html.Div(
        [
            dcc.Location(id=ids.URL, refresh=False),
            dcc.Store(id=ids.THEME, storage_type="local"),
            dcc.Store(id=ids.STATUS, data=status),
            dcc.Store(id=race_ids.LANES, data=race_lanes.DEFAULT),
            dcc.Store(id=race_ids.VIEWS, data=race_lanes.views(race_lanes.DEFAULT)),
            dcc.Store(id=race_ids.RACE),
            dcc.Store(id=race_ids.ADOPTED),
            *race_form.stores(),
            *instance_choice.stores(),
            header.bar(status, base_path, "Race", race_recent.menu()),
            html.Main([setup, race_stage.panel(), race_numbers.panel()], className="columns race"),
            race_form.dialog(status),
            compare_panel.dialog(),
            *instance_choice.dialogs(),
        ],
        id=ids.PAGE,
        **attributes(data_base_path=base_path),
    )
