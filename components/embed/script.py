"""Script and style sheet of standalone runs, bundled from the page's own modules and sheets."""

import json
import re
from functools import cache

from components.shell import bundle
from components.shell.bundle import FOLDER
from runs.language import DEFAULT

#: What can be shown standalone, and the module that shows it.
_ENTRIES = {"run": "embed/main.js", "race": "embed/race.js"}
#: Replacements of modules that need a server or the whole page.
REPLACEMENTS = {
    "common/callbacks.js": "embed/callbacks.js",
    "common/host/source.js": "embed/source.js",
    "common/stream.js": "embed/stream.js",
    "watch/player/position.js": "embed/position.js",
}
#: The module that gives the others the part of the document to draw in; an argument of the generated function.
_ARGUMENTS = {"common/host/root.js": "root"}
_SHEETS = (
    "common/colours.css",
    "common/buttons.css",
    "common/icons.css",
    "common/lanes.css",
    "common/sliders.css",
    "common/stage.css",
    "watch/colony/colony.css",
    "watch/explain/explain.css",
    "watch/tabu/tabu.css",
    "race/race.css",
    "embed/embed.css",
)
#: Selectors for the document, and the selectors for the host element that replace them.
_HOSTS = (
    (r":root\b", ":host"),
    (r'html\[data-bs-theme="dark"\]', ':host([data-bs-theme="dark"])'),
    (r"html:not\(\[data-present\]\) ", ""),  # an embedded run has no view for presenting
)


def list_modules() -> set[str]:
    """Return all modules of the script, including replacements."""
    loaded = {module for entry in _ENTRIES.values() for module in bundle.list_modules(entry, REPLACEMENTS)}
    return {REPLACEMENTS.get(module, module) for module in loaded} - _ARGUMENTS.keys()


@cache
def build_player(what: str = "run", language: str = DEFAULT) -> str:
    """Return the source of a function that shows a run in an element: ``(host, embedded, bytes, alone) => ...``.

    Each call has its own modules, so that several runs can be in one document, each in the shadow of its element.

    Parameters
    ----------
    what : str
        ``run`` or ``race``.
    language : str
        Language of its texts.
    """
    make = bundle.build_maker(_ENTRIES[what], REPLACEMENTS, _ARGUMENTS, language)
    return (
        "(host, embedded, bytes, alone) => {\n"
        "const root = host.attachShadow({ mode: 'open' });\n"
        "const sheet = new CSSStyleSheet();\n"
        f"sheet.replaceSync({json.dumps(build_sheet())});\n"
        "root.adoptedStyleSheets = [sheet];\n"
        f"return ({make})(root).open(embedded, bytes, alone);\n}}"
    )


@cache
def build_sheet() -> str:
    """Return the style sheet for an element's shadow."""
    text = "\n".join(bundle.read_sheet(FOLDER / path) for path in _SHEETS)
    for of_document, of_host in _HOSTS:
        text = re.sub(of_document, of_host, text)
    return re.sub(r"/\*.*?\*/\s*", "", text, flags=re.DOTALL)
