"""What was deleted and can still be brought back."""

from typing import Any

from dash import html

from components import catalogue_ids, words
from components.controls import attributes

#: Names of one deletion that are spelt out.
_NAMED = 2


def panel() -> html.Section:
    """The place of the list; the scripts fill it, and hide it while it is empty."""
    return html.Section(
        id=catalogue_ids.TRASH, className="catalogue-trash", hidden=True, **attributes(aria_label="Recently deleted")
    )


def told(trash: list[Any]) -> list[dict[str, Any]]:
    """The deletions, the last first: the token that undoes one, what it took, and when."""
    return [
        {"token": each.token, "names": _names(list(each.names)), "when": words.when(each.when)}
        for each in sorted(trash, key=lambda each: each.when, reverse=True)
    ]


def _names(names: list[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {words.grouped(more)} more" if more > 0 else "")
