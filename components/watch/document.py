"""The Watch page's HTML document, which the server sends before building the page."""

import dash

from components.document.dash_page import configure
from components.instances import DEFAULT


def set_document(app: dash.Dash) -> None:
    """Set `app`'s document; call this before `components.watch.page.build`."""
    base_path = app.config.requests_pathname_prefix
    configure(app, base_path, "watch", title=lambda: "TourScope", grid=True, early="watch.js", instance=DEFAULT)
