"""Puts instances that the visitor uploaded, drew or generated back into the menu after a reload."""

from dash import ClientsideFunction, Dash, Input, Output, State, dcc, no_update

from components.instances.picker import instance_option, is_listed, with_option
from components.instances.references import parse_reference
from components.shell import ids
from components.shell.callbacks import in_thread
from components.types import Json, Payload, Property
from data.errors import InvalidInstance
from runs.service import RunService

#: Maximum number of instances added at once.
_MAX_OWN = 20


def store() -> dcc.Store:
    """Return the store for instances known to the browser that the menu lacks (`assets/instances/own_instances.js`)."""
    return dcc.Store(id=ids.LACKING)


def add(run_service: RunService, values: Json, options: Json) -> Property:
    """Add instances to the menu's options by value, except those that the server lacks."""
    now: Payload = options
    for value in values[:_MAX_OWN] if isinstance(values, list) else ():
        if is_listed(now, value):
            continue
        try:
            reference = parse_reference(value)
            now = with_option(now, instance_option(reference, run_service.instance(reference)))
        except InvalidInstance:
            continue
    return no_update if now is options else now


def register(app: Dash, run_service: RunService, menu: str = ids.INSTANCE) -> None:
    """Connect a menu of instances to the list stored in the browser."""
    app.clientside_callback(
        ClientsideFunction("instances", "lacking"),
        Output(ids.LACKING, "data"),
        Input(menu, "value"),
        Input(menu, "options"),
        prevent_initial_call=False,
    )

    app.callback(Output(menu, "options", allow_duplicate=True), Input(ids.LACKING, "data"), State(menu, "options"))(
        in_thread(add, run_service)
    )
