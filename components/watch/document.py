"""The HTML around the Watch page, which the server answers with before it has made the page itself."""

import dash

from components.document.dash_page import configure
from components.instances import DEFAULT


def give_document(app: dash.Dash) -> None:
    """Give `app` the document; before `components.watch.page.build`."""
    base_path = app.config.requests_pathname_prefix
    configure(app, base_path, "watch", title=lambda: "TourScope", grid=True, early="watch.js", instance=DEFAULT)
