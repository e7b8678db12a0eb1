"""A map of the edges of many tours, drawn stronger the more tours share them."""

from dataclasses import dataclass

import numpy as np

from components.figures.canvas import MUTED, Figure, Part, bare_layout
from components.figures.studies import pack_array
from components.shell.numbers import THIN, decimal_mark
from components.shell.texts import study as text
from data.instance import Instance
from exports.drawing.date_line import split_at_date_line
from studies.stats.backbone import Backbone

#: Colours of trails in `assets/common/colours.css`, weakest first, in the light and in the dark theme.
COLOURS = (
    ("#c9dcf9", "#a3c4f6", "#74a6f1", "#4286ea", "#1c62cf", "#123f88"),
    ("#1d3251", "#234677", "#2c60a8", "#3c7fd8", "#6ba6fb", "#b4d3ff"),
)
_WIDTHS = (1.0, 1.2, 1.6, 2.0, 2.6, 3.4)
#: Minimum number of cities for which lines are thin.
_MANY = 600


@dataclass(frozen=True, slots=True)
class Band:
    """Edges that occur in `minimum` to `maximum` tours."""

    minimum: int
    maximum: int
    colour: int


def make_bands(tours: int) -> list[Band]:
    """Group the edges, rarest first: a band per fifth of the tours, and one for edges in all tours."""
    bands = []
    for fifth in range(5):
        minimum, maximum = fifth * tours // 5 + 1, min((fifth + 1) * tours // 5, tours - 1)
        if minimum <= maximum:
            bands.append(Band(minimum, maximum, fifth))
    return [*bands, Band(tours, tours, 5)]


def backbone_figure(instance: Instance, backbone: Backbone, dark: bool) -> Figure:
    """Draw the map with a legend that counts each band's edges.

    Parameters
    ----------
    instance : Instance
        An instance with drawing positions, `Instance.display`.
    backbone : Backbone
        Edges of at least one tour.
    dark : bool
    """
    xy, thin = instance.display, 0.6 if instance.n > _MANY else 1.0
    data = []
    for band in make_bands(backbone.tours):
        rows = (backbone.count >= band.minimum) & (backbone.count <= band.maximum)
        if rows.any():
            name = _name(band, backbone.tours, int(rows.sum()))
            lines = _lines(instance, backbone.edges[rows])
            data.append(_edges(lines, COLOURS[dark][band.colour], thin * _WIDTHS[band.colour], name))
    data.append(_cities(xy, instance.n))
    axis = {"visible": False, "fixedrange": True}
    ratio = 1.0
    if instance.is_on_globe:  # degrees of longitude get shorter towards the poles
        ratio = 1.0 / max(0.1, float(np.cos(np.radians(xy[:, 1].mean()))))
    layout = bare_layout(
        margin={"l": 8, "r": 8, "t": 8, "b": 8}, xaxis=axis, showlegend=True, separators=f"{decimal_mark()}{THIN}",
        yaxis=axis | {"scaleanchor": "x", "scaleratio": ratio},
        legend={"orientation": "h", "y": -0.02, "yanchor": "top", "x": 0, "traceorder": "reversed"},
    )  # fmt: skip
    columns = {"from": backbone.edges[:, 0] + 1, "to": backbone.edges[:, 1] + 1, "tours": backbone.count}
    if backbone.optimal is not None:
        columns["optimal"] = backbone.optimal
    layout["meta"] = {"columns": {name: pack_array(values) for name, values in columns.items()}}
    return {"data": data, "layout": layout}


def _name(band: Band, tours: int, edges: int) -> str:
    if band.minimum == tours:
        return text("backbone.every", count=tours, edges=edges)
    if band.minimum == band.maximum:
        return text("backbone.exactly", count=band.minimum, edges=edges)
    return text("backbone.some", least=band.minimum, most=band.maximum, edges=edges)


def _lines(instance: Instance, edges: np.ndarray) -> np.ndarray:
    """Return one line per edge, followed by a gap and cut at the date line."""
    points = np.full((len(edges), 3, 2), np.nan)
    points[:, :2] = instance.display[edges]
    flat = points.reshape(-1, 2)
    return split_at_date_line(flat) if instance.is_on_globe else flat


def _edges(lines: np.ndarray, colour: str, width: float, name: str) -> Part:
    return {
        "type": "scatter", "mode": "lines", "x": pack_array(lines[:, 0]), "y": pack_array(lines[:, 1]), "name": name,
        "line": {"color": colour, "width": width}, "hoverinfo": "skip",
    }  # fmt: skip


def _cities(xy: np.ndarray, n: int) -> Part:
    size = 4 if n <= 250 else 2.5 if n <= _MANY else 1.5
    return {
        "type": "scatter", "mode": "markers", "x": pack_array(xy[:, 0]), "y": pack_array(xy[:, 1]),
        "name": text("backbone.cities"), "showlegend": False, "marker": {"size": size, "color": MUTED},
        "hoverinfo": "skip",
    }  # fmt: skip
