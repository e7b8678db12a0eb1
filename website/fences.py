"""Pseudo-code in the site, rendered as in the application."""

from typing import Any

from components.shell.markdown import render_pseudo


def pseudo(source: str, *_: Any, **__: Any) -> str:
    """HTML of a block ``pseudo``, for `pymdownx.superfences`."""
    return render_pseudo(source)
