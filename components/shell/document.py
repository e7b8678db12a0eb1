"""The HTML around a page: its style sheets and modules, and the theme, which is set before anything is painted."""

import dash
from dash.resources import Scripts

from components.shell import assets
from components.shell.texts import common as text

# Dash starts when the page's modules are there (`assets/common/start.js`): its functions are then what they import.
_DOCUMENT = """<!DOCTYPE html>
<html lang="en" data-bs-theme="light">
    <head>
        {{%metas%}}
        <title>{{%title%}}</title>
        <link rel="icon" href="{assets}/mark.svg" type="image/svg+xml">
        <script src="{assets}/early/theme.js"></script>
        <link rel="preload" href="{assets}/vendor/inter-latin.woff2" as="font" type="font/woff2" crossorigin>
        <link{plotly} as="script" href="{assets}/vendor/plotly-cartesian.min.js" data-plotly>
        {head}
        {{%css%}}
    </head>
    <body data-run-state="none" style="--chart-empty: '{empty}'">
        {{%app_entry%}}
        {{%config%}}
        {{%scripts%}}
        {{%renderer%}}
    </body>
</html>"""


class _Components(Scripts):
    """The scripts of Dash's own components and of packages that a page names.

    Dash loads those of every package that the process has imported; those of the grid are as large as all others.
    """

    def __init__(self, packages: tuple[str, ...]) -> None:
        super().__init__(serve_locally=True, eager=False)
        self._packages = packages

    def get_all_scripts(self, dev_bundles=False):
        return self.get_library_scripts(self._packages, dev_bundles)


def configure(
    app: dash.Dash, base_path: str, page: str, *shared: str, title: str, grid: bool = False, early: str = ""
) -> None:
    """Give `app` its document and its title.

    Callbacks that are registered after it are not called as the page loads, unless they ask for it themselves.

    Parameters
    ----------
    app : dash.Dash
    base_path : str
        Path under which the application is served, with a slash at its end.
    page : str
        The page's folder of ``assets/``; its module ``main.js`` is loaded with all that it imports, and its sheets.
    *shared : str
        More folders whose sheets are loaded, before those of the page.
    title : str
    grid : bool
        Whether the page has an AG Grid.
    early : str
        A script of ``assets/early/`` that runs before all others. A page that has one fetches Plotly by itself.
    """
    place = assets.address(base_path)
    head = [f'<script src="{place}/early/{early}"></script>'] if early else []
    styles = ["vendor/bootstrap.min.css", *assets.sheets("common", *shared, page)]
    head += [f'<link rel="stylesheet" href="{place}/{sheet}">' for sheet in styles]
    head += [f'<link rel="modulepreload" href="{place}/{module}">' for module in assets.modules(f"{page}/main.js")]
    head += [f'<script type="module" src="{place}/{page}/main.js"></script>']
    # Plotly is fetched from the first moment on, and read while Dash waits for the layout. The bundle without maps and
    # solids is a third of the whole.
    plotly = "" if early else ' rel="preload"'
    app.index_string = _DOCUMENT.format(
        assets=place, empty=text("chart.empty"), plotly=plotly, head="\n        ".join(head)
    )
    app.renderer = ""
    app.scripts = _Components(("dash", "dash_bootstrap_components", *(["dash_ag_grid"] if grid else [])))
    app.title = title
    app.config.prevent_initial_callbacks = True
    app.config.update_title = ""
