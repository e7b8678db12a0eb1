"""The HTML document of a page without Dash, whose head sets the theme before the first paint."""

from html import escape
from pathlib import Path

from components.shell import assets
from runs.language import current_language

_PAGE = Path(__file__).with_name("plain_page.html").read_text("utf-8")


def plain_page(
    title: str, body: str, base_path: str, script: str, sheets: tuple[str, ...], links: tuple[str, ...] = ()
) -> str:
    """Return a page's HTML in the language of the request.

    Parameters
    ----------
    title : str
        Unescaped title.
    body : str
        Body as HTML.
    base_path : str
        Path under which the application is served, with a trailing slash.
    script : str
        One of `components.shell.assets.PAGES`, whose script the page uses.
    sheets : tuple of str
        Pages of `components.shell.assets.PAGES` whose style sheets are used besides Bootstrap's.
    links : tuple of str
        Names of further scripts that the page's scripts load when needed; for each, a link with the attribute ``data-``
        and the name holds the address.
    """
    place = assets.address(base_path)
    scripts = {name: f"{place}/pages/{assets.script_name(name, current_language())}" for name in (script, *links)}
    head = [f'<link href="{scripts[name]}" data-{name}>' for name in links]
    styles = ("vendor/bootstrap.min.css", *(f"pages/{sheet}.css" for sheet in sheets))
    head += [f'<link rel="stylesheet" href="{place}/{sheet}">' for sheet in styles]
    head.append(f'<script type="module" src="{scripts[script]}"></script>')
    return _PAGE.format(
        language=current_language(), title=escape(title), assets=place, head="\n        ".join(head), body=body
    )
