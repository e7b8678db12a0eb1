"""Finds components that callbacks name and the page lacks; Dash itself does not check (`dash_page.configure`)."""

from collections.abc import Iterator

import dash


def dangling(app: dash.Dash, page) -> set[str]:
    """Ids of a page's callbacks that its layout lacks; those of patterns, which begin with a brace, are left out."""
    present = {each.id for each in [page, *page._traverse()] if isinstance(getattr(each, "id", None), str)}
    return {name for name in _named(app) if not name.startswith("{")} - present


def _named(app: dash.Dash) -> Iterator[str]:
    for callback in app._callback_list:
        yield from (dependency["id"] for side in ("inputs", "state") for dependency in callback[side])
        for output in callback["output"].strip(".").split("..."):
            name, _, _property = output.partition("@")[0].rpartition(".")
            if name:  # else the callback has none, and a number of its own
                yield name
