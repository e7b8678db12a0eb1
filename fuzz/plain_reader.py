"""A second, minimal reader of TSPLIB files, which shares no code with `data`.

It accepts only the plain form of the fuzzer's seeds, and raises ``ValueError`` for everything else. A file that
`data.tsplib.instances` accepts without a warning must be accepted here too, with the same numbers.
"""

import re
from dataclasses import dataclass, field

_INTEGER = re.compile(r"[+-]?[0-9]+", re.ASCII)
_DECIMAL = re.compile(r"[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eEdD][+-]?[0-9]+)?", re.ASCII)
_KEYWORDS = ("NAME", "TYPE", "COMMENT", "DIMENSION", "EDGE_WEIGHT_TYPE", "EDGE_WEIGHT_FORMAT")
_SECTIONS = ("NODE_COORD_SECTION", "EDGE_WEIGHT_SECTION", "DISPLAY_DATA_SECTION")
_PLANAR = ("EUC_2D", "CEIL_2D", "ATT", "GEO")


@dataclass
class Plain:
    """The contents of a file: `points` by node number, or `weights` as rows."""

    kind: str
    n: int
    points: dict[int, tuple[float, float]] = field(default_factory=dict)
    weights: list[list[int]] = field(default_factory=list)


def plain_read(text: str) -> Plain:
    """Read a file, or raise ``ValueError``."""
    header, bodies = _split(text)
    kind, n = header["EDGE_WEIGHT_TYPE"], whole(header["DIMENSION"])
    plain = Plain(kind, n)
    if header["TYPE"] != "TSP" or n < 1:
        raise ValueError("no TSP")
    if kind in _PLANAR:
        plain.points = _points(bodies["NODE_COORD_SECTION"], n)
    elif kind == "EXPLICIT":
        numbers = [whole(word) for line in bodies["EDGE_WEIGHT_SECTION"] for word in line.split()]
        plain.weights = _square(header["EDGE_WEIGHT_FORMAT"], n, numbers)
        shown = header.get("DISPLAY_DATA_TYPE", "") != "NO_DISPLAY"
        if shown and "DISPLAY_DATA_SECTION" in bodies:
            _points(bodies["DISPLAY_DATA_SECTION"], n)
    else:
        raise ValueError(f"unknown kind {kind}")
    return plain


def whole(word: str) -> int:
    """An integer in ASCII digits; 12.0 and 1e3 are accepted."""
    if _INTEGER.fullmatch(word):
        return int(word)
    if not float(decimal(word)).is_integer():
        raise ValueError(f"{word!r} is not whole")
    return int(decimal(word))


def decimal(word: str) -> float:
    """A decimal number in ASCII digits."""
    if not _DECIMAL.fullmatch(word):
        raise ValueError(f"{word!r} is no number")
    return float(re.sub("[dD]", "e", word))


def _split(text: str) -> tuple[dict[str, str], dict[str, list[str]]]:
    header: dict[str, str] = {}
    bodies: dict[str, list[str]] = {}
    body: list[str] | None = None
    lines = [line.strip(" \t") for line in re.split("\r\n|\r|\n", text)]
    end = next(k for k, line in enumerate([*lines, "EOF"]) if line.removesuffix(":").rstrip(" \t") == "EOF")
    if end == len(lines) or any(line for line in lines[end + 1 :]):
        raise ValueError("EOF must be last")
    for line in filter(None, lines[:end]):
        keyword, colon, value = (part.strip(" \t") for part in line.partition(":"))
        if keyword in _SECTIONS and not value:
            if keyword in bodies:
                raise ValueError(f"{keyword} twice")
            body = bodies.setdefault(keyword, [])
        elif colon:
            if keyword in header and keyword != "COMMENT":
                raise ValueError(f"{keyword} twice")
            if keyword not in (*_KEYWORDS, "DISPLAY_DATA_TYPE", "NODE_COORD_TYPE"):
                raise ValueError(f"unknown {keyword}")
            header[keyword], body = value, None
        elif body is None:
            raise ValueError(f"stray line {line!r}")
        else:
            body.append(line)
    return header, bodies


def _points(lines: list[str], n: int) -> dict[int, tuple[float, float]]:
    points: dict[int, tuple[float, float]] = {}
    for line in lines:
        node, x, y = line.split()
        if not _INTEGER.fullmatch(node) or int(node) in points:
            raise ValueError(f"node {node!r}")
        points[int(node)] = (decimal(x), decimal(y))
    if len(points) != n:
        raise ValueError(f"{len(points)} nodes, not {n}")
    return points


def _square(layout: str, n: int, numbers: list[int]) -> list[list[int]]:
    """The matrix, filled entry by entry; its diagonal is 0."""
    cells = [(i, j) for i in range(n) for j in range(n)]
    if layout != "FULL_MATRIX":
        half, *diagonal, order = layout.split("_")
        if half not in ("UPPER", "LOWER") or diagonal not in ([], ["DIAG"]) or order not in ("ROW", "COL"):
            raise ValueError(f"unknown layout {layout}")
        cells = [(i, j) for i, j in cells if (i < j if half == "UPPER" else i > j) or (diagonal and i == j)]
        if order == "COL":
            cells.sort(key=lambda cell: cell[::-1])
    matrix = [[0] * n for _ in range(n)]
    filled: dict[tuple[int, int], int] = {}
    for (i, j), weight in zip(cells, numbers, strict=True):
        if filled.get((j, i), weight) != weight:
            raise ValueError("not symmetric")
        filled[i, j] = weight
        matrix[i][j] = matrix[j][i] = 0 if i == j else weight
    return matrix
