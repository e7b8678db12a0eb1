"""Downloads of a race: picture, animation, video, table and file."""

from dash import Dash, html

from components.race import ids
from components.shell import export_row
from components.shell.start_button import panel_switch
from components.shell.texts import race as text
from runs.language import per_language

KINDS = per_language(
    lambda: {
        "picture": ((ids.SAVE_PNG, "PNG", text("save.png")), (ids.SAVE_SVG, "SVG", text("save.svg"))),
        "animation": (
            (ids.SAVE_GIF, "GIF", text("save.gif")),
            (ids.SAVE_VIDEO, text("save.video"), text("save.video.title")),
        ),
        "data": ((ids.SAVE_CSV, "CSV", text("save.csv")),),
        "share": ((ids.SAVE_FILE, text("save.file"), text("save.file.help")),),
    }
)


def panel() -> html.Div:
    """Return the menu of downloads, and the buttons to present and share the race."""
    return export_row.row(KINDS(), panel_switch())


def register(app: Dash) -> None:
    """Connect the buttons, which are disabled until there is a race."""
    export_row.register(app, KINDS(), "race", "wait", ids.RACE)
