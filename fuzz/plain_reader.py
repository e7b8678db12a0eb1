"""A second, minimal reader of TSPLIB files, which shares no code with `data`.

It accepts only the plain form of the fuzzer's seeds, and raises ``ValueError`` for everything else. A file that
`data.tsplib.instances` accepts without a warning must be accepted here too, with the same numbers.
"""

import re
from dataclasses import dataclass, field

_INTEGER = re.compile(r"[+-]?[0-9]+", re.ASCII)
_DECIMAL = re.compile(r"[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eEdD][+-]?[0-9]+)?", re.ASCII)
_KEYWORDS = ("NAME", "TYPE", "COMMENT", "DIMENSION", "EDGE_WEIGHT_TYPE", "EDGE_WEIGHT_FORMAT", "EDGE_DATA_FORMAT")
_SECTIONS = ("NODE_COORD_SECTION", "EDGE_WEIGHT_SECTION", "EDGE_DATA_SECTION", "DISPLAY_DATA_SECTION")
_PLANAR = ("EUC_2D", "CEIL_2D", "ATT", "GEO", "HAVERSINE_KM", "HAVERSINE_M")


@dataclass
class Plain:
    """Contents of a file: `points` by node number, or `weights` as rows; `missing` are pairs of indices."""

    kind: str
    n: int
    points: dict[int, tuple[float, float]] = field(default_factory=dict)
    weights: list[list[int]] = field(default_factory=list)
    missing: set[tuple[int, int]] = field(default_factory=set)


def plain_read(text: str) -> Plain:
    """Read a file, or raise ``ValueError``."""
    header, bodies = _split(text)
    problem, n = header["TYPE"], parse_whole(header["DIMENSION"])
    kind = "" if problem == "HCP" else header["EDGE_WEIGHT_TYPE"]
    plain = Plain(kind or "EXPLICIT", n)
    if problem not in ("TSP", "ATSP", "HCP") or n < 1:
        raise ValueError("another problem")
    if kind in _PLANAR:
        plain.points = _parse_points(bodies["NODE_COORD_SECTION"], n)
    elif kind == "EXPLICIT":
        numbers = [parse_whole(word) for line in bodies["EDGE_WEIGHT_SECTION"] for word in line.split()]
        plain.weights = _fill_matrix(header["EDGE_WEIGHT_FORMAT"], n, numbers, problem == "ATSP")
        plain.missing = _find_missing_entries(plain.weights)
        has_display = header.get("DISPLAY_DATA_TYPE", "") != "NO_DISPLAY"
        if has_display and "DISPLAY_DATA_SECTION" in bodies:
            _parse_points(bodies["DISPLAY_DATA_SECTION"], n)
    elif problem == "HCP":
        plain.weights = [[1] * n for _ in range(n)]
    else:
        raise ValueError(f"unknown kind {kind}")
    if "EDGE_DATA_FORMAT" in header:
        if problem == "ATSP":
            raise ValueError("a list of edges has no directions")
        numbers = [parse_whole(word) for line in bodies["EDGE_DATA_SECTION"] for word in line.split()]
        present = _parse_edges(header["EDGE_DATA_FORMAT"], n, numbers)
        plain.missing |= {(i, j) for i in range(n) for j in range(n) if i != j and {i + 1, j + 1} not in present}
    for i in range(n if plain.weights else 0):
        plain.weights[i][i] = 0
    return plain


def parse_whole(word: str) -> int:
    """Parse an integer in ASCII digits; 12.0 and 1e3 are accepted."""
    if _INTEGER.fullmatch(word):
        return int(word)
    if not float(parse_decimal(word)).is_integer():
        raise ValueError(f"{word!r} is not whole")
    return int(parse_decimal(word))


def parse_decimal(word: str) -> float:
    """Parse a decimal number in ASCII digits."""
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


def _parse_points(lines: list[str], n: int) -> dict[int, tuple[float, float]]:
    points: dict[int, tuple[float, float]] = {}
    for line in lines:
        node, x, y = line.split()
        if not _INTEGER.fullmatch(node) or int(node) in points:
            raise ValueError(f"node {node!r}")
        points[int(node)] = (parse_decimal(x), parse_decimal(y))
    if len(points) != n:
        raise ValueError(f"{len(points)} nodes, not {n}")
    return points


def _parse_edges(layout: str, n: int, numbers: list[int]) -> list[set[int]]:
    """The listed pairs of nodes."""
    if numbers.pop() != -1:
        raise ValueError("no end")
    groups: list[list[int]] = [[]]
    for number in numbers:
        if number == -1:
            groups.append([])
        else:
            groups[-1].append(number)
    if layout == "EDGE_LIST" and len(groups) == 1:
        pairs = [groups[0][k : k + 2] for k in range(0, len(groups[0]), 2)]
    elif layout == "ADJ_LIST" and groups.pop() == [] and all(groups):
        pairs = [[group[0], other] for group in groups for other in group[1:]]
    else:
        raise ValueError(f"not a list of edges: {layout}")
    if any(len(set(pair)) != 2 or not 1 <= min(pair) <= max(pair) <= n for pair in pairs):
        raise ValueError("no edge of the graph")
    return [set(pair) for pair in pairs]


def _find_missing_entries(weights: list[list[int]]) -> set[tuple[int, int]]:
    """Entries outside the diagonal that equal all of the diagonal, and are at least twice all other entries."""
    n, mark = len(weights), weights[0][0]
    cells = {(i, j): weights[i][j] for i in range(n) for j in range(n) if i != j}
    others = [weight for weight in cells.values() if weight != mark]
    if mark <= 0 or any(weights[i][i] != mark for i in range(n)) or not others or 2 * max(others) > mark:
        return set()
    return {cell for cell, weight in cells.items() if weight == mark}


def _fill_matrix(layout: str, n: int, numbers: list[int], directed: bool) -> list[list[int]]:
    """The matrix, filled entry by entry; a triangle without diagonal has 0 there."""
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
        if not directed and filled.get((j, i), weight) != weight:
            raise ValueError("not symmetric")
        filled[i, j] = matrix[i][j] = weight
        if layout != "FULL_MATRIX":
            matrix[j][i] = weight
    return matrix
