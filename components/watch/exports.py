"""Downloads of a run: pictures, tour, numbers, and the run itself."""

from dash import Dash, html

from components.shell import export_row, ids
from components.shell.start_button import panel_switch
from components.shell.texts import watch as text
from runs.language import per_language

_GROUPS = {
    "picture": (ids.SAVE_PNG, ids.SAVE_SVG, ids.SAVE_PDF, ids.SAVE_TIKZ, ids.SAVE_PLOTTER),
    "animation": (ids.SAVE_GIF, ids.SAVE_VIDEO, ids.SAVE_MOMENTS),
    "data": (ids.SAVE_TOUR, ids.SAVE_CSV, ids.SAVE_JSON, ids.SAVE_PLACES),
    "share": (ids.SAVE_HTML, ids.SAVE_RUN),
}
KINDS = per_language(lambda: {group: tuple(map(_kind, button_ids)) for group, button_ids in _GROUPS.items()})


def _kind(button_id: str) -> export_row.Kind:
    name = button_id.removeprefix("save-")
    return button_id, text(f"save.{name}"), text(f"save.{name}.title")


def panel() -> html.Div:
    """Return the menu of downloads, and the buttons to present and share the run."""
    return export_row.row(KINDS(), panel_switch(), paper=True)


def register(app: Dash) -> None:
    """Connect the buttons, which are disabled until there is a run."""
    export_row.register(app, KINDS(), "watch", "waitForRun", ids.RUN)
