"""What was deleted and can still be brought back."""

from typing import Any

from dash import html

from components.library import ids
from components.library.rows import counted
from components.shell import text
from components.shell.controls import attributes
from runs.library.service import Trashed

#: Names of one deletion that are spelt out.
_NAMED = 2


def panel() -> html.Section:
    """The place of the list; the scripts fill it, and hide it while it is empty."""
    return html.Section(
        id=ids.TRASH, className="catalogue-trash", hidden=True, **attributes(aria_label="Recently deleted")
    )


def told(trash: list[Trashed]) -> list[dict[str, Any]]:
    """The deletions, the last first: the token that undoes one, what it took, and when."""
    return [
        {"token": each.token, "names": _names(each), "when": text.when(each.when)}
        for each in sorted(trash, key=lambda each: each.when, reverse=True)
    ]


def _names(each: Trashed) -> str:
    """Its name; of several how many there are first, for a narrow column shows no more."""
    if len(each.names) == 1:
        return each.names[0]
    more = len(each.names) - _NAMED
    ending = f" and {text.grouped(more)} more" if more > 0 else ""
    return f"{counted(each.keys)}: {', '.join(each.names[:_NAMED])}{ending}"
