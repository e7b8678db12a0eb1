"""Reads tours as programs write them: TSPLIB files, lists of numbers, edges with lengths."""

import re
from dataclasses import replace

import numpy as np

from data.errors import InvalidInstance
from data.instance import Instance
from data.tsplib.numerals import parse_integers
from data.tsplib.text import decode
from data.tsplib.tokens import Section
from data.tsplib.tours import read_tour

#: Recognises the head of a TSPLIB tour. Blanks only: a file of empty lines takes long with \s.
TSPLIB_TOUR = re.compile(r"^[ \t]*(?:TYPE[ \t]*:[ \t]*TOUR\b|TOUR_SECTION\b)", re.MULTILINE | re.IGNORECASE)
# Only bounded repetitions, since unbounded ones are slow in a file of blanks or dashes.
_ARROW = re.compile("-{1,3}>|={1,2}>|\N{RIGHTWARDS ARROW}")
_OPENING = re.compile(r"(?:\w{1,40} ?= ?)?(?:(?:np\.|numpy\.)?array\()?[\[(]")
_CLOSING = re.compile(r"[\])]\)?;?$")
_HEADING = re.compile(r"\"?[A-Za-z_][\w ]{0,40}\"?")
_PLAIN = re.compile(r"[0-9 ,;\t\n]+")
#: A VRPLIB solution with a single route, which begins at city 0 without listing it.
_ROUTE = re.compile(r"Route #1: ?([0-9 ]+)(?:\nCost[ :]*[0-9.]+)?", re.IGNORECASE)
_EDGE_HEAD = re.compile(r"\s*([0-9]{1,9})[ \t]+([0-9]{1,9})[ \t]*\n")
_NO_TOUR = (
    "This is not a tour: send a TSPLIB tour, the numbers of cities as a list or with -> between them, or edges as "
    "linkern writes them."
)


def read(raw: bytes, instance: Instance, warnings: list[str]) -> np.ndarray:
    """Read a tour of an instance.

    Besides a TSPLIB file, the tour may be a list of numbers separated by blanks, commas or line breaks, in the brackets
    of Python or JSON, below a heading such as Kaggle's ``Path``, or with arrows between them, or the only route of a
    VRPLIB solution. The numbers are the instance's own node numbers or, if there is a 0 and no node has this number,
    cities counted from 0. The number of cities may come first, as in Concorde, and the first city may be repeated at
    the end. The tour may also be a list of edges, as in linkern: ``n n``, then two cities counted from 0 and a length
    on each line.

    Parameters
    ----------
    raw : bytes
        The file, plain or a single gzip stream.
    instance : Instance
    warnings : list of str
        Warnings are appended to it.

    Returns
    -------
    ndarray, shape (n,), int32
        Indices of cities from 0.

    Raises
    ------
    InvalidInstance
        As `data.tsplib.tours.read_tour`.
    """
    text, notes = decode(raw)
    if TSPLIB_TOUR.search(text):
        return read_tour(raw, instance, warnings)
    edges = parse_edge_rows(text)
    if edges is not None:
        numbers = _follow_edges(edges, instance.n)
        instance = replace(instance, node_ids=None)
        notes.append("The lengths of the edges in the file were not read.")
    else:
        numbers = parse_integers(Section("The list", extract_numbers(text, notes), 0))
        if numbers.size == instance.n + 1 and numbers[0] == instance.n:
            numbers = numbers[1:]
    lines = ["TYPE: TOUR", "TOUR_SECTION", *map(str, numbers.tolist()), "-1", "EOF"]
    try:
        order = read_tour("\n".join(lines).encode(), instance, notes)
    except InvalidInstance as fault:  # without the line number, which does not refer to the file
        raise InvalidInstance(fault.code, fault.sentence) from None
    warnings.extend(notes)
    return order


def extract_numbers(text: str, notes: list[str]) -> str:
    """Return the numbers in a list, separated by blanks.

    Raises
    ------
    InvalidInstance
        ``NOT_A_TOUR``.
    """
    body = text.strip()
    if route := _ROUTE.fullmatch(body):
        return f"0 {route[1]}"
    opening, closing = _OPENING.match(body), _CLOSING.search(body[-3:])
    if opening and closing:
        body = body[opening.end() : len(body) - len(closing[0])].rstrip().removesuffix(",")
    elif _ARROW.search(body):
        body = _extract_from_arrows(body, notes)
    else:
        head, _, rest = body.partition("\n")
        if rest and _HEADING.fullmatch(head.strip()):
            body = rest
    if not _PLAIN.fullmatch(body):
        raise InvalidInstance("NOT_A_TOUR", _NO_TOUR)
    return re.sub("[,;]", " ", body)


def is_list(head: str, whole: bool) -> bool:
    """Return whether a text starts like a tour: numbers in brackets, with arrows, one per line, or edges.

    Parameters
    ----------
    head : str
        Beginning of the text.
    whole : bool
        Whether this is the whole text.
    """
    lines = [line for line in map(str.strip, head.split("\n")) if line]
    if not lines:
        return False
    if _ROUTE.match(lines[0]):
        return True
    if opening := _OPENING.match(lines[0]):
        return _PLAIN.fullmatch("\n".join(lines)[opening.end() :].rstrip("])}; ")) is not None
    if any(len(_ARROW.findall(line)) > 1 or (_ARROW.search(line) and line[0].isdigit()) for line in lines[:40]):
        return True
    edges = _EDGE_HEAD.match(f"{lines[0]}\n")
    if edges and edges[1] == edges[2] and len(lines) > 1 and len(lines[1].split()) == 3:
        return True
    rows = [re.sub("[,;]", " ", line).split() for line in lines[bool(_HEADING.fullmatch(lines[0])) :]]
    words = [word for row in rows for word in row]
    if not words or not all(word.isascii() and word.isdigit() for word in words):
        return False
    counted = whole and len(rows[0]) == 1 and words[0] == str(len(words) - 1)
    return all(len(row) == 1 for row in rows) or (len(rows) == 1 and len(words) > 2) or counted


def _extract_from_arrows(text: str, notes: list[str]) -> str:
    """Return the numbers between arrows.

    Lines without arrows and lines with a single number are left out, with a warning.
    """
    lines: list[str] = []
    ignored = 0
    for line in filter(None, map(str.strip, text.split("\n"))):
        numbers = _ARROW.sub(" ", line)
        if _PLAIN.fullmatch(numbers) and (numbers != line or lines):
            lines.append(numbers)
        else:
            ignored += 1
    if ignored:
        notes.append(f"Lines that are not part of the tour were left out: {ignored:,}.")
    return " ".join(lines)


def parse_edge_rows(text: str) -> np.ndarray | None:
    """Return the edges in a file of edges, (n, 2) int64; None for other files."""
    head = _EDGE_HEAD.match(text)
    if not head or head[1] != head[2]:
        return None
    numbers = text[head.end() :].split()
    n = int(head[1])
    ends = [word for place, word in enumerate(numbers) if place % 3 < 2]
    if len(numbers) != 3 * n or not all(city.isascii() and city.isdigit() for city in ends):
        return None
    return parse_integers(Section("The list of edges", " ".join(ends), 0)).reshape(n, 2)


def _follow_edges(edges: np.ndarray, n: int) -> np.ndarray:
    """Return the cities along edges, counted from 0, from city 0 in the direction of its first edge.

    Raises
    ------
    InvalidInstance
        ``NOT_A_TOUR`` if they do not form a single cycle through n cities.
    """
    if len(edges) != n or edges.max() >= n or (np.bincount(edges.ravel(), minlength=n) != 2).any():
        sentence = f"The edges are not a tour of {n:,} cities: each city, counted from 0, needs two edges."
        raise InvalidInstance("NOT_A_TOUR", sentence)
    beside: list[list[int]] = [[] for _ in range(n)]
    for a, b in edges.tolist():
        beside[a].append(b)
        beside[b].append(a)
    order, before, city = [0], 0, beside[0][0]
    while city != 0:
        order.append(city)
        first, second = beside[city]
        before, city = city, second if first == before else first
    if len(order) != n:
        sentence = f"The edges are several cycles: the first has {len(order):,} of {n:,} cities."
        raise InvalidInstance("NOT_A_TOUR", sentence)
    return np.array(order)
