"""Downloads of a run: pictures, the tour, the numbers, the run itself."""

import dash
from dash import html

from components.shell import export_row, ids
from components.shell.start_button import panel_switch
from components.shell.texts import watch as text
from runs.language import per_language

KINDS = per_language(
    lambda: (
        {
            "picture": (
                (ids.SAVE_PNG, text("save.png"), text("save.png.title")),
                (ids.SAVE_SVG, text("save.svg"), text("save.svg.title")),
                (ids.SAVE_PDF, text("save.pdf"), text("save.pdf.title")),
                (ids.SAVE_TIKZ, text("save.tikz"), text("save.tikz.title")),
                (ids.SAVE_PLOTTER, text("save.plotter"), text("save.plotter.title")),
            ),
            "animation": (
                (ids.SAVE_GIF, text("save.gif"), text("save.gif.title")),
                (ids.SAVE_VIDEO, text("save.video"), text("save.video.title")),
                (ids.SAVE_MOMENTS, text("save.moments"), text("save.moments.title")),
            ),
            "data": (
                (ids.SAVE_TOUR, text("save.tour"), text("save.tour.title")),
                (ids.SAVE_CSV, text("save.csv"), text("save.csv.title")),
                (ids.SAVE_JSON, text("save.json"), text("save.json.title")),
                (ids.SAVE_PLACES, text("save.places"), text("save.places.title")),
            ),
            "share": (
                (ids.SAVE_HTML, text("save.html"), text("save.html.title")),
                (ids.SAVE_RUN, text("save.run"), text("save.run.title")),
            ),
        }
    )
)


def panel() -> html.Div:
    """Return the menu of downloads, with the buttons to present the run and to share it."""
    return export_row.row(KINDS(), panel_switch(), paper=True)


def register(app: dash.Dash) -> None:
    """Connect the buttons, and disable them until there is a run."""
    export_row.register(app, KINDS(), "watch", "waitForRun", ids.RUN)
