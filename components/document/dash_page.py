"""A Dash page's HTML document: style sheets, modules, and the theme, set before the first paint."""

import re
from collections.abc import Callable
from html import escape
from pathlib import Path

import dash
import dash_ag_grid  # noqa: F401, whose scripts Dash knows once it is imported
import dash_bootstrap_components  # noqa: F401
from dash.resources import Scripts

from components.shell import assets
from components.shell.texts import common as text
from runs.language import DEFAULT, LANGUAGES, current_language, use_language

# Dash starts when the page's modules are loaded (`assets/common/start.js`), since it imports functions from them.
_DOCUMENT = Path(__file__).with_name("dash_page.html").read_text("utf-8")


#: Scripts of Dash that no page needs: for browsers without modules, which could not run our scripts, and for unused
#: tables.
_UNUSED = re.compile(r'<script src="[^"]*/(?:polyfill@|dash_table/)[^"]*"></script>\s*')
#: Package and script of the grid.
GRID = "dash_ag_grid"


class _Components(Scripts):
    """The scripts of Dash's components and of packages that a page names.

    Dash would load those of every package imported by the process. Those of the packages in `later` are served but
    loaded by a script of the page: the grid's are as large as all others together.
    """

    def __init__(self, packages: tuple[str, ...], later: tuple[str, ...]) -> None:
        super().__init__(serve_locally=True, eager=False)
        self._packages, self._later = packages, later

    def get_all_scripts(self, dev_bundles: bool = False) -> list[dict]:
        served = [{**script, "dynamic": True} for script in self.get_library_scripts(self._later, dev_bundles)]
        return self.get_library_scripts(self._packages, dev_bundles) + served


def configure(
    app: dash.Dash,
    base_path: str,
    page: str,
    *,
    title: Callable[[], str],
    grid: bool = False,
    early: str = "",
    **data: str,
) -> None:
    """Set `app`'s document and title.

    Callbacks registered afterwards are not called when the page loads, unless they request it.

    Parameters
    ----------
    app : dash.Dash
    base_path : str
        Path under which the application is served, with a trailing slash.
    page : str
        One of `components.shell.assets.PAGES`, whose script and style sheet are loaded.
    title : callable
        Returns the title in the language of the request.
    grid : bool
        Whether the page has an AG Grid; a link with `data-grid` names its script, which the page reads later.
    early : str
        A script of ``assets/early/`` that runs before all others.
    **data
        Values that the script reads from its element's ``dataset``.
    """
    place = assets.address(base_path)
    attributes = "".join(f' data-{name}="{escape(value)}"' for name, value in data.items())
    head = [f'<script src="{place}/early/{early}"{attributes}></script>'] if early else []
    if grid:
        suites = f"{app.config.requests_pathname_prefix}_dash-component-suites"
        head.append(f'<link href="{suites}/{GRID}/{GRID}.min.js" data-grid>')
    sheets = ("vendor/bootstrap.min.css", f"pages/{page}.css")
    head += [f'<link rel="stylesheet" href="{place}/{sheet}">' for sheet in sheets]
    # Requested while the scripts load, since the server needs as long for a layout as the browser for scripts. Dash
    # finds the responses in the cache because its requests are the same.
    root = app.config.requests_pathname_prefix
    preload = 'as="fetch" fetchpriority="low" crossorigin'
    head += [f'<link rel="preload" href="{root}_dash-{part}" {preload}>' for part in ("layout", "dependencies")]
    # Plotly is fetched after everything else and run once the page is usable. The bundle of cartesian charts has a
    # third of the size of the full one.
    documents = {name: _document(base_path, page, head, name) for name in LANGUAGES}

    def fill(**parts: str) -> str:
        values = parts | {"title": title(), "scripts": _UNUSED.sub("", parts["scripts"])}
        return re.sub("{%([a-z_]+)%}", lambda match: values[match[1]], documents[current_language()])

    app.index_string = documents[DEFAULT]
    app.interpolate_index = fill  # type: ignore[assignment, method-assign]
    app.renderer = ""
    app.scripts = _Components(("dash", "dash_bootstrap_components"), (GRID,) if grid else ())
    app.title = title()
    app.config.prevent_initial_callbacks = True
    app.config.suppress_callback_exceptions = True
    app.config.update_title = ""


def _document(base_path: str, page: str, head: list[str], name: str) -> str:
    """Return a page's HTML document in a language, with placeholders for Dash's parts."""
    place = assets.address(base_path)
    script = f'<script type="module" src="{place}/pages/{assets.script_name(page, name)}"></script>'
    with use_language(name):
        return _DOCUMENT.format(
            assets=place,
            base=escape(base_path),
            language=name,
            how=assets.script_name("how", name),
            empty=text("chart.empty"),
            head="\n        ".join([*head, script]),
        )
