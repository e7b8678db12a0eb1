"""The part that the layouts of all pages share."""

from typing import Any

from dash import dcc, html

from components.shell import header, ids
from components.shell.controls import attributes


def page(status: dict[str, Any], base_path: str, name: str, menu: Any, parts: list, **more: str) -> html.Div:
    """A page under its header.

    Parameters
    ----------
    status : dict
        What `RunService.status` returns.
    base_path : str
        Path under which the application is served, with a slash at its end.
    name : str
        One of `components.shell.header.PAGES`.
    menu : Component
        The page's menu of recent entries.
    parts : list
        The components below the header, and the page's own stores.
    **more
        More attributes for the scripts, as `attributes` takes them.
    """
    shared = [dcc.Store(id=ids.THEME, storage_type="local"), dcc.Store(id=ids.STATUS, data=status)]
    return html.Div(
        [*shared, header.bar(status, base_path, name, menu), *parts],
        id=ids.PAGE,
        **attributes(data_base_path=base_path, **more),
    )


def stores(*store_ids: str) -> list[dcc.Store]:
    """Empty stores."""
    return [dcc.Store(id=store_id) for store_id in store_ids]


def address() -> list[Any]:
    """What an `AddressBar` reads."""
    return [dcc.Location(id=ids.URL, refresh=False), *stores(ids.ADDRESS)]
