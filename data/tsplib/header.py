"""Checks the header of an instance's file."""

from dataclasses import dataclass

from data.errors import InvalidInstance
from data.instance import KINDS
from data.tsplib import numerals
from data.tsplib.matrix_formats import FORMATS
from data.tsplib.normal_form import check_size
from data.tsplib.tokens import Document, Entry

_DISPLAYS = ("COORD_DISPLAY", "TWOD_DISPLAY", "NO_DISPLAY")
_ENTRIES = ("NAME", "TYPE", "COMMENT", "DIMENSION", "EDGE_WEIGHT_TYPE", "EDGE_WEIGHT_FORMAT", "NODE_COORD_TYPE")


@dataclass(frozen=True, slots=True)
class Head:
    """The checked header of an instance.

    `layout` is empty except for EXPLICIT; `drawable` is whether the header declares positions for drawing the cities.
    """

    name: str
    comment: str
    kind: str
    n: int
    layout: str
    drawable: bool


def head(document: Document) -> Head:
    """Check the header of an instance, adding to the document's warnings.

    Raises
    ------
    InvalidInstance
        ``UNSUPPORTED``, ``MISSING``, ``INT``, ``NUMBER``, ``RANGE`` or ``LIMIT``.
    """
    _check_type(document)
    for keyword in ("CAPACITY", "EDGE_DATA_FORMAT"):
        if entry := document.entries.get(keyword):
            raise InvalidInstance("UNSUPPORTED", f"{keyword} is not supported: send a plain TSP.", entry.line)
    unknown = document.entries.keys() - {*_ENTRIES, "DISPLAY_DATA_TYPE"}
    if unknown:
        document.warnings.append(f"Unknown entries were ignored: {', '.join(sorted(unknown))[:120]}.")
    kind = _choice(document, "EDGE_WEIGHT_TYPE", KINDS)
    entry = _needed(document, "DIMENSION")
    n = numerals.parse_integer(entry.value, entry.line, "DIMENSION")
    check_size(kind, n, entry.line)
    layout = _choice(document, "EDGE_WEIGHT_FORMAT", FORMATS) if kind == "EXPLICIT" else ""
    stray = value_of(document, "EDGE_WEIGHT_FORMAT")
    if not layout and stray not in ("", "FUNCTION"):
        document.warnings.append(f"EDGE_WEIGHT_FORMAT has no meaning with {kind} and was ignored.")
    if value_of(document, "NODE_COORD_TYPE") not in ("", "TWOD_COORDS", "NO_COORDS"):
        line = document.entries["NODE_COORD_TYPE"].line
        raise InvalidInstance("UNSUPPORTED", "NODE_COORD_TYPE must be TWOD_COORDS or NO_COORDS.", line)
    if value_of(document, "DISPLAY_DATA_TYPE") not in ("", *_DISPLAYS):
        document.warnings.append("An unknown DISPLAY_DATA_TYPE was ignored.")
    drawable = kind != "EXPLICIT" or value_of(document, "DISPLAY_DATA_TYPE") in ("COORD_DISPLAY", "TWOD_DISPLAY")
    return Head(_text(document, "NAME"), _text(document, "COMMENT"), kind, n, layout, drawable)


def _text(document: Document, keyword: str) -> str:
    entry = document.entries.get(keyword)
    return entry.value if entry else ""


def value_of(document: Document, keyword: str) -> str:
    """A header entry in upper case; empty if it is missing."""
    return _text(document, keyword).upper()


def _needed(document: Document, keyword: str) -> Entry:
    entry = document.entries.get(keyword)
    if entry is None or not entry.value:
        raise InvalidInstance("MISSING", f"The header has no {keyword}: add it.", entry.line if entry else None)
    return entry


def _choice(document: Document, keyword: str, choices: tuple[str, ...]) -> str:
    entry = _needed(document, keyword)
    value = entry.value.upper()
    if value not in choices:
        raise InvalidInstance("UNSUPPORTED", f"{keyword} must be one of {', '.join(choices)}.", entry.line)
    if value != entry.value:
        document.warnings.append(f"The {keyword} was read as {value}.")
    return value


def _check_type(document: Document) -> None:
    entry = document.entries.get("TYPE")
    if entry is None:
        document.warnings.append("TYPE is missing; the file was read as TSP.")
        return
    word, _, rest = entry.value.partition(" ")
    if word.upper() != "TSP":
        raise InvalidInstance("UNSUPPORTED", "The TYPE must be TSP: no other problem is solved here.", entry.line)
    # Official files have an author's name after it.
    if rest or word != "TSP":
        document.warnings.append("TYPE was read as TSP.")
