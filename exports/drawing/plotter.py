"""A tour as a single line for a pen plotter: plain SVG in millimetres on a sheet of paper."""

import numpy as np

from data.instance import Instance
from exports.drawing.city_map import fit_sheet, format_path

#: Width and height of sheets in portrait (ISO 216), and the margin that stays white, in millimetres.
PAPERS = {"a4": (210, 297), "a3": (297, 420)}
_RIM = 10.0
#: Width of the line for display on a screen; a plotter's pen has its own width.
_LINE = 0.3


def tour_plotter(instance: Instance, order: np.ndarray, paper: str = "a4") -> bytes:
    """Draw a tour as an SVG with a single closed path; the pen is lifted only at the date line.

    The sheet has the orientation of the picture, and the tour is as large as possible.

    Parameters
    ----------
    instance : Instance
    order : ndarray, shape (n,), int32
    paper : str
        One of `PAPERS`.

    Returns
    -------
    bytes
    """
    sheet = fit_sheet(instance, PAPERS[paper], _RIM)
    width, height = sheet.size
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
        f'viewBox="0 0 {width} {height}">\n'
        f'<path d="{format_path(sheet.tour(order), 2)}" fill="none" stroke="#000000" stroke-width="{_LINE}"/>\n</svg>\n'
    ).encode()
