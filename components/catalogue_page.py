"""The library's page: every run, race and study that is kept; its layout and all of its callbacks."""

from typing import Any

import dash
from dash import Input, Output, dcc, html

from components import (
    catalogue_actions,
    catalogue_bar,
    catalogue_compare,
    catalogue_filters,
    catalogue_ids,
    catalogue_list,
    catalogue_pictures,
    header,
    ids,
)
from components.controls import attributes
from components.document import ASSETS, dress_alone

#: Below the path of the application.
PATH = "library/"
#: The scripts that are not the library's alone.
_SHARED = (
    "base.js", "clientside.js", "connect.js", "download.js", "faults.js", "format.js", "frames.js", "hotkeys.js",
    "pen.js", "stats.js", "stream.js", "studiessave.js", "studiestables.js", "theme.js", "upload.js",
)  # fmt: skip


def scripts() -> list[str]:
    """The scripts that the page loads."""
    return [*_SHARED, *(path.name for path in ASSETS.glob("catalogue*.js"))]


def build(app: dash.Dash, catalogue, desk, races, base_path: str) -> None:
    """Give `app` the page.

    Parameters
    ----------
    app : dash.Dash
        Without a layout, its paths below `PATH`. Callbacks are registered on it alone.
    catalogue : runs.catalogue.Catalogue
    desk : runs.desk.Desk
    races : runs.races.Races
        Asked for the tours of what is pictured and compared.
    base_path : str
        Path under which the application is served, with a slash at its end.
    """
    dress_alone(app, scripts(), "TourScope: library")
    app.layout = lambda: layout(desk.status(), base_path)
    catalogue_list.register(app, catalogue, base_path)
    catalogue_actions.register(app, catalogue)
    catalogue_compare.register(app, catalogue, desk)
    catalogue_pictures.register(app, catalogue, desk, races)
    adopted = Input(catalogue_ids.ADOPTED, "data")
    app.clientside_callback(dash.ClientsideFunction("catalogue", "adopted"), adopted)
    header.register_bar(app)
    app.clientside_callback(
        dash.ClientsideFunction("catalogue", "shade"), Output(catalogue_ids.SHADE, "data"), Input(ids.THEME, "data")
    )


def layout(status: dict[str, Any], base_path: str) -> html.Div:
    """The whole page, as the first visit sees it.

    Parameters
    ----------
    status : dict
        What `Desk.status` tells.
    base_path : str
        Path under which the application is served, with a slash at its end.
    """
    stores = ("ASK", "PAGE", "DO", "DONE", "COMPARE", "WANTED", "PICTURES", "SHADE", "ADOPTED")
    listed = html.Section(
        [*catalogue_list.panel(base_path), catalogue_compare.panel(), catalogue_bar.bar()],
        className="panel catalogue-main",
        **attributes(aria_label="Runs, races and studies"),
    )
    return html.Div(
        [
            dcc.Store(id=ids.THEME, storage_type="local"),
            dcc.Store(id=ids.STATUS, data=status),
            *(dcc.Store(id=getattr(catalogue_ids, name)) for name in stores),
            dcc.Download(id=catalogue_ids.EXPORT),
            header.bar(status, base_path, "Library", html.Span(hidden=True)),
            html.Main([catalogue_filters.panel(), listed], className="columns catalogue"),
            catalogue_bar.toast(),
        ],
        id=ids.PAGE,
        **attributes(data_base_path=base_path),
    )
