"""The HTML around the app: style sheets in order, and the theme, which is set before anything is painted."""

import re
from collections.abc import Iterable
from pathlib import Path

import dash
from dash.resources import Scripts

#: The folder of scripts and style sheets.
ASSETS = Path(__file__).resolve().parents[2] / "assets"
#: Folders of `assets/` that Dash must not load by itself: it would load them after the page's own files.
BY_HAND = ("early", "vendor")

_DOCUMENT = """<!DOCTYPE html>
<html lang="en" data-bs-theme="light">
    <head>
        {%metas%}
        <title>{%title%}</title>
        <link rel="icon" href="ASSETS/mark.svg" type="image/svg+xml">
        <script src="ASSETS/early/theme.js"></script>
        <link rel="preload" href="ASSETS/vendor/inter-latin.woff2" as="font" type="font/woff2" crossorigin>
        <link rel="stylesheet" href="ASSETS/vendor/bootstrap.min.css">
        <script defer src="ASSETS/vendor/plotly-cartesian.min.js"></script>
        {%css%}
    </head>
    <body data-run-state="none">
        {%app_entry%}
        <footer>
            {%config%}
            {%scripts%}
            {%renderer%}
        </footer>
    </body>
</html>"""


def configure_scripts(app: dash.Dash, without: Iterable[str] = (), title: str = "TourScope") -> None:
    """Give `app` its document and its title; Bootstrap is loaded first, and once.

    Callbacks that are registered after it are not called as the page loads, unless they ask for it themselves.

    Parameters
    ----------
    app : dash.Dash
    without : iterable of str
        Files of `assets/` that the page does not load.
    title : str
    """
    assets = app.config.requests_pathname_prefix + app.config.assets_url_path.strip("/")
    # Plotly is named in the document: if only the first graph asked for it, it would load after layout and chunks. It
    # is read while Dash waits for the layout. The bundle without maps and solids is a third of the whole.
    app.index_string = _DOCUMENT.replace("ASSETS", assets)
    app.config.assets_path_ignore = [f"^{folder}$" for folder in BY_HAND]
    app.config.assets_ignore = "|".join(f"^{re.escape(name)}$" for name in without)
    app.title = title
    app.config.prevent_initial_callbacks = True
    app.config.update_title = ""


class _WithoutGrid(Scripts):
    """The scripts of Dash's own components and of Bootstrap's.

    Dash loads those of every package that the process has imported; those of the grid are as large as all others.
    """

    def get_all_scripts(self, dev_bundles=False):
        return self.get_library_scripts(("dash", "dash_bootstrap_components"), dev_bundles)


def configure_document(app: dash.Dash, scripts: Iterable[str], title: str) -> None:
    """Call `configure_scripts` for a page that loads only these scripts of `assets/`, and has no grid."""
    app.scripts = _WithoutGrid(serve_locally=True, eager=False)
    loaded = set(scripts)
    configure_scripts(app, [path.name for path in ASSETS.glob("*.js") if path.name not in loaded], title)
