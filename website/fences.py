"""Pseudo-code in the site, drawn as the application draws it."""

from typing import Any

from components.shell.markdown import pseudo_html


def pseudo(source: str, *_: Any, **__: Any) -> str:
    """The HTML of a block ``pseudo``: what `pymdownx.superfences` calls."""
    return pseudo_html(source)
