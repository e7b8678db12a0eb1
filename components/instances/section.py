"""The section for choosing an instance: the menu, and the dialogs for instances and uploads."""

from dash import Dash, dcc, html

from components.instances import columns, dialog, own_instances, picker, uploads
from components.shell import ids
from runs.service import RunService


def stores() -> list[dcc.Store]:
    """Return the page's stores: the dialog's choice, the uploaded file, its table, and missing options."""
    return [dcc.Store(id=ids.CHOICE), dcc.Store(id=ids.FILE), dcc.Store(id=ids.TABLE), own_instances.store()]


def dialogs() -> list[html.Dialog]:
    """Return the closed dialogs for instances and a table's columns."""
    return [dialog.dialog(), columns.dialog()]


def register(app: Dash, run_service: RunService, tours: bool = True, has_note: bool = False) -> None:
    """Connect the dialogs to `picker.panel`'s menu and note; without `tours`, uploaded tours are refused."""
    picker.register(app, run_service, has_note)
    own_instances.register(app, run_service)
    uploads.register(app, run_service, tours)
    dialog.register(app)
    columns.register(app)
