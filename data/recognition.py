"""Reads any file with an instance, recognised by its contents: TSPLIB, a table, places on a map.

`detect_kind` determines the kind of a file from its beginning; `read` reads it. The page, the command line and the
Python interface use these two functions, so all of them read the same files in the same way.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from data.errors import InvalidInstance
from data.files import read_bytes
from data.instance import Instance
from data.limits import MAX_OWN_BYTES
from data.map_files import json_places, places, xml_places
from data.tables import numpy_file, plain_tour, table
from data.tables.dialect import find_common_width, find_dialect
from data.tables.sheet import NUMBER_LIKE
from data.tsplib import instances
from data.tsplib.normal_form import reduce_to_line
from data.tsplib.text import decompress_gzip

_HEAD = 65_536
_MAX_STEM = 64
# Blanks only, no line breaks: with \s, a file of empty lines would take a minute.
_TSPLIB = re.compile(
    r"^[ \t]*((DIMENSION|EDGE_WEIGHT_TYPE)[ \t]*:|(NODE_COORD|EDGE_WEIGHT|EDGE_DATA)_SECTION\b)", re.M | re.I
)
_MARKUP = re.compile(r"<(?:\?xml|gpx|kml|osm|!--)", re.I)
#: Kinds by file name suffix, for content that does not reveal its kind.
_KINDS_BY_SUFFIX = {
    **dict.fromkeys(("tour", "sol", "cyc", "edges"), "tour"),
    **dict.fromkeys(("csv", "tsv", "txt", "tab", "dat", "xy"), "table"),
}
_UNKNOWN = (
    "This file is of no kind that is read: TSPLIB, a table such as CSV, NumPy's .npy, GPX, KML, GeoJSON, "
    "OpenStreetMap or Google Takeout."
)
_NO_TOUR = "This is a tour, not an instance: open it on the page, where its instance is chosen."


def detect_kind(raw: bytes, filename: str) -> str:
    """Return a file's kind (``tour``, ``table`` or ``instance``) by its start, or else its suffix.

    Unknown files count as instances, whose reader then reports the error.
    """
    if raw.startswith(numpy_file.MAGIC):
        return "table"
    head = _decode_head(raw)
    if plain_tour.TSPLIB_TOUR.search(head):
        return "tour"
    if _TSPLIB.search(head) or _find_places_reader(_start(head)):
        return "instance"
    suffix = filename.lower().removesuffix(".gz").rpartition(".")[2]
    if _KINDS_BY_SUFFIX.get(suffix) == "tour" or plain_tour.is_list(head, len(raw) <= _HEAD):
        return "tour"
    return "table" if _KINDS_BY_SUFFIX.get(suffix) or _is_table(head) else "instance"


def read(raw: bytes, name: str, source: str = "uploaded") -> Instance:
    """Read the instance in a file of any kind.

    Parameters
    ----------
    raw : bytes
        The file, plain or a single gzip stream.
    name : str
        File name; its stem is the instance's name if the file has none.
    source : str
        ``uploaded``, or ``folder`` for the user's own files, which may be larger.

    Raises
    ------
    InvalidInstance
        ``UNSUPPORTED`` for a tour; otherwise the errors of the kind's reader.
    """
    kind, short = detect_kind(raw, name), stem(name)
    if kind == "tour":
        raise InvalidInstance("UNSUPPORTED", _NO_TOUR)
    if kind == "table":
        return replace(table.read_guess(raw, short, source), source=source)
    if reader := _find_places_reader(_start(_decode_head(raw))):
        return replace(places.read(raw, reader, short), source=source)
    try:
        instance = instances.read(raw, source, MAX_OWN_BYTES) if source == "folder" else instances.read_checked(raw)
    except InvalidInstance as fault:
        if fault.code == "NO_HEADER" and not _TSPLIB.search(_decode_head(raw)):
            raise InvalidInstance("NO_HEADER", _UNKNOWN) from None
        raise
    return replace(instance, name=short) if instance.name == "unnamed" and short else instance


def stem(filename: str) -> str:
    """Return a file name without folders and suffixes, for display only."""
    return reduce_to_line(re.split(r"[/\\]", filename)[-1].split(".")[0], _MAX_STEM)


def read_file(path: Path) -> Instance:
    """Read the instance in the file at a path; see `read`.

    Raises
    ------
    InvalidInstance
        ``UNREADABLE``, or the errors of `read`.
    """
    return read(read_bytes(path, MAX_OWN_BYTES), path.name, "folder")


def _decode_head(raw: bytes) -> str:
    """Return a file's start as text without byte order mark, with LF line breaks.

    Only its ASCII characters matter.
    """
    try:
        raw = decompress_gzip(raw, _HEAD, prefix=True)
    except InvalidInstance:
        return ""
    text = raw[:_HEAD].replace(b"\0", b"").decode("utf-8", "replace").lstrip("\ufeff\ufffd")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _start(head: str) -> str:
    """Strip leading white space from a file's start."""
    return head.lstrip(" \t\n")


def _find_places_reader(start: str) -> Callable[[bytes], places.Places] | None:
    if _MARKUP.match(start):
        return xml_places.read
    if start.startswith("{") or re.match(r"\[\s*\{", start[:100]):
        return json_places.read
    return None


def _is_table(head: str) -> bool:
    """Return whether most rows have the same number of cells, at least one of them numeric."""
    rows = find_dialect(head).sample(head)
    width = find_common_width(rows)
    regular = [cells for cells in rows if len(cells) == width > 1]
    return 3 * len(regular) >= 2 * len(rows) and any(NUMBER_LIKE.match(cell) for cells in regular for cell in cells)
