"""Tours as figures for papers: vector PDF, and TikZ.

A figure contains no text, since the paper has a caption; metadata or a comment names its subject.
"""

from collections.abc import Callable

import numpy as np

from data.instance import Instance
from exports.drawing.canvas import CITY, TOUR, choose_dot_radius, make_arrowheads
from exports.drawing.city_map import fit, is_closed

#: Length of the longer side, 12 cm in points of PDF (1/72 inch); and millimetres per point.
_SIDE, _MILLIMETRE = 340.0, 25.4 / 72
#: Width of the tour's line, and size of its arrowheads, in points.
_LINE, _HEAD = 0.7, 4.0


def _make_arrowheads(instance: Instance, lines: list[np.ndarray]) -> list[list[list[float]]]:
    """Return the arrowheads of a directed tour."""
    return [head for line in lines for head in make_arrowheads(line, _HEAD).tolist()] if instance.directed else []


def _list_corners(line: np.ndarray) -> list[list[float]]:
    """Return a line's points; a closed line's first point occurs once."""
    return line[: len(line) - is_closed(line)].tolist()


def tour_pdf(instance: Instance, order: np.ndarray, length: int) -> bytes:
    """Draw a tour as a one-page PDF of the picture's size.

    Parameters
    ----------
    instance : Instance
    order : ndarray, shape (n,), int32
    length : int
        Length of the tour, for the title.

    Returns
    -------
    bytes
    """
    cities = fit(instance, _SIDE).upwards()
    (width, height), lines = cities.size, cities.tour(order)
    line = " ".join(f"{_format_path(_list_corners(line))} {'s' if is_closed(line) else 'S'}" for line in lines)
    heads = " ".join(f"{_format_path(head)} f" for head in _make_arrowheads(instance, lines))
    # A line of length zero with round ends is a disc.
    dots = " ".join(f"{x:.2f} {y:.2f} m {x:.2f} {y:.2f} l" for x, y in cities.places.tolist())
    drawing = (
        f"{_format_colour(TOUR)} RG {_format_colour(TOUR)} rg 1 j {_LINE} w {line} {heads} "
        f"{_format_colour(CITY)} RG 1 J {2 * choose_dot_radius(instance.n, round(_SIDE)):.2f} w {dots} S"
    ).encode()
    title = f"{instance.name}: tour of length {instance.with_unit(str(length))}".encode("utf-16")
    objects = (
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] /Contents 4 0 R /Resources << >> >>".encode(),
        b"<< /Length %d >>\nstream\n%b\nendstream" % (len(drawing), drawing),
        b"<< /Title <%b> /Producer (TourScope) >>" % title.hex().encode(),
    )
    return _assemble_pdf(objects)


def _format_path(points: list[list[float]]) -> str:
    return " ".join(f"{x:.2f} {y:.2f} {'l' if k else 'm'}" for k, (x, y) in enumerate(points))


def _format_colour(colour: str) -> str:
    return " ".join(f"{int(colour[k : k + 2], 16) / 255:.3f}" for k in (1, 3, 5))


def _assemble_pdf(objects: tuple[bytes, ...]) -> bytes:
    """Assemble a PDF from objects: first the catalogue, last the document information."""
    file, places = bytearray(b"%PDF-1.4\n"), []
    for number, each in enumerate(objects, 1):
        places.append(len(file))
        file += b"%d 0 obj\n%b\nendobj\n" % (number, each)
    table, size = len(file), len(objects) + 1
    file += b"xref\n0 %d\n0000000000 65535 f \n" % size
    file += b"".join(b"%010d 00000 n \n" % place for place in places)
    file += b"trailer\n<< /Size %d /Root 1 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, size - 1, table)
    return bytes(file)


def tour_tikz(instance: Instance, order: np.ndarray, length: int) -> bytes:
    """Draw a tour as a ``tikzpicture``, 12 cm long, for ``\\input`` in a document that loads tikz.

    Parameters
    ----------
    instance : Instance
    order : ndarray, shape (n,), int32
    length : int
        Length of the tour, for the comment.

    Returns
    -------
    bytes
    """
    cities = fit(instance, _SIDE).upwards()
    lines, radius = cities.tour(order), choose_dot_radius(instance.n, round(_SIDE)) * _MILLIMETRE
    tours = [
        f"\\draw[tour, line width={_LINE}pt] "
        f"{_join_points(_list_corners(line))}{' -- cycle' if is_closed(line) else ''};"
        for line in lines
    ]
    heads = [f"\\fill[tour] {_join_points(head)} -- cycle;" for head in _make_arrowheads(instance, lines)]
    dots = [f"\\fill[city] {_join_points([place])} circle[radius={radius:.3f}];" for place in cities.places.tolist()]
    name = " ".join(instance.name.split())
    rows = (
        f"% {name}: tour of length {instance.with_unit(str(length))}, {instance.n} cities; needs \\usepackage{{tikz}}",
        "\\begin{tikzpicture}[x=1mm, y=1mm, line join=round]",
        f"\\definecolor{{tour}}{{HTML}}{{{TOUR[1:].upper()}}}",
        f"\\definecolor{{city}}{{HTML}}{{{CITY[1:].upper()}}}",
        *tours,
        *heads,
        *dots,
        "\\end{tikzpicture}",
    )
    return ("\n".join(rows) + "\n").encode()


def _join_points(points: list[list[float]]) -> str:
    """Join points in millimetres as a TikZ path."""
    return " --\n  ".join(f"({_MILLIMETRE * x:.2f},{_MILLIMETRE * y:.2f})" for x, y in points)


#: The function that draws a figure of an instance, a tour and its length, by kind of file.
PAPER_FILES: dict[str, Callable[[Instance, np.ndarray, int], bytes]] = {"pdf": tour_pdf, "tikz": tour_tikz}
