"""The HTML around the app: style sheets in order, and the theme, which is set before anything is painted."""

import re
from collections.abc import Iterable
from pathlib import Path

import dash

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
        {%css%}
    </head>
    <body data-run-state="none">
        {%app_entry%}
        <footer>
            <script src="SUITES/plotly/package_data/plotly.min.js"></script>
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
    suites = app.config.requests_pathname_prefix + "_dash-component-suites"
    # Plotly is named in the document: if only the first graph asked for it, it would load after layout and chunks.
    app.index_string = _DOCUMENT.replace("ASSETS", assets).replace("SUITES", suites)
    app.config.assets_path_ignore = [f"^{folder}$" for folder in BY_HAND]
    app.config.assets_ignore = "|".join(f"^{re.escape(name)}$" for name in without)
    app.title = title
    app.config.prevent_initial_callbacks = True
    app.config.update_title = ""


def configure_document(app: dash.Dash, scripts: Iterable[str], title: str) -> None:
    """Call `configure_scripts` for a page that loads only these scripts of `assets/`."""
    loaded = set(scripts)
    configure_scripts(app, [path.name for path in ASSETS.glob("*.js") if path.name not in loaded], title)
