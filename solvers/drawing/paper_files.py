"""Tours as figures of papers: PDF, in lines rather than pixels, and TikZ.

A figure has no words, since its caption is the paper's; what it is of stands in its metadata, or in a comment.
"""

from collections.abc import Callable

import numpy as np

from data.instance import Instance
from solvers.drawing.canvas import CITY, TOUR, arrowheads, dot_radius, fit, positions

#: Length of the longer side, 12 cm in points of PDF (1/72 inch), and millimetres of such a point.
_SIDE, _MILLIMETRE = 340.0, 25.4 / 72
#: Width of the tour's line, and size of its arrowheads, in points.
_LINE, _HEAD = 0.7, 4.0


def _placed(instance: Instance) -> tuple[np.ndarray, tuple[int, int]]:
    """Positions of the cities in points, (n, 2), with y upwards; width and height."""
    places, (width, height) = fit(positions(instance), _SIDE)
    places[:, 1] = height - places[:, 1]
    return places, (width, height)


def _heads(instance: Instance, points: np.ndarray) -> list[list[list[float]]]:
    """The arrowheads of a tour that has a direction."""
    return arrowheads(points, np.roll(points, -1, axis=0), _HEAD).tolist() if instance.directed else []


def tour_pdf(instance: Instance, order: np.ndarray, length: int) -> bytes:
    """A tour as a PDF of one page, as large as the picture.

    Parameters
    ----------
    instance : Instance
    order : ndarray, shape (n,), int32
    length : int
        Of the tour, for the title.

    Returns
    -------
    bytes
    """
    places, (width, height) = _placed(instance)
    line = " ".join(f"{x:.2f} {y:.2f} {'l' if k else 'm'}" for k, (x, y) in enumerate(places[order].tolist()))
    heads = " ".join(
        " ".join(f"{x:.2f} {y:.2f} {'l' if k else 'm'}" for k, (x, y) in enumerate(head)) + " f"
        for head in _heads(instance, places[order])
    )
    # A line of no length with round ends is a disc.
    dots = " ".join(f"{x:.2f} {y:.2f} m {x:.2f} {y:.2f} l" for x, y in places.tolist())
    drawing = (
        f"{_rgb(TOUR)} RG {_rgb(TOUR)} rg 1 j {_LINE} w {line} s {heads} "
        f"{_rgb(CITY)} RG 1 J {2 * dot_radius(instance.n, round(_SIDE)):.2f} w {dots} S"
    ).encode()
    title = f"{instance.name}: tour of length {instance.with_unit(str(length))}".encode("utf-16")
    objects = (
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] /Contents 4 0 R /Resources << >> >>".encode(),
        b"<< /Length %d >>\nstream\n%b\nendstream" % (len(drawing), drawing),
        b"<< /Title <%b> /Producer (TourScope) >>" % title.hex().encode(),
    )
    return _pdf(objects)


def _rgb(colour: str) -> str:
    return " ".join(f"{int(colour[k : k + 2], 16) / 255:.3f}" for k in (1, 3, 5))


def _pdf(objects: tuple[bytes, ...]) -> bytes:
    """A PDF of these objects: the first is the catalogue, the last says what it is of."""
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
    """A tour as a ``tikzpicture``, 12 cm long, for ``\\input`` where the package tikz is loaded.

    Parameters
    ----------
    instance : Instance
    order : ndarray, shape (n,), int32
    length : int
        Of the tour, for the comment.

    Returns
    -------
    bytes
    """
    places, _ = _placed(instance)
    places *= _MILLIMETRE
    radius = dot_radius(instance.n, round(_SIDE)) * _MILLIMETRE
    tour = " --\n  ".join(f"({x:.2f},{y:.2f})" for x, y in places[order].tolist())
    corners = [(np.array(head) * _MILLIMETRE).tolist() for head in _heads(instance, places[order] / _MILLIMETRE)]
    heads = ["\\fill[tour] " + " -- ".join(f"({x:.2f},{y:.2f})" for x, y in head) + " -- cycle;" for head in corners]
    dots = [f"\\fill[city] ({x:.2f},{y:.2f}) circle[radius={radius:.3f}];" for x, y in places.tolist()]
    name = " ".join(instance.name.split())
    lines = (
        f"% {name}: tour of length {instance.with_unit(str(length))}, {instance.n} cities; needs \\usepackage{{tikz}}",
        "\\begin{tikzpicture}[x=1mm, y=1mm, line join=round]",
        f"\\definecolor{{tour}}{{HTML}}{{{TOUR[1:].upper()}}}",
        f"\\definecolor{{city}}{{HTML}}{{{CITY[1:].upper()}}}",
        f"\\draw[tour, line width={_LINE}pt] {tour} -- cycle;",
        *heads,
        *dots,
        "\\end{tikzpicture}",
    )
    return ("\n".join(lines) + "\n").encode()


#: What makes a figure of an instance, a tour and its length, by the kind of file.
PAPER_FILES: dict[str, Callable[[Instance, np.ndarray, int], bytes]] = {"pdf": tour_pdf, "tikz": tour_tikz}
