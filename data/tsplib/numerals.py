"""Reads numbers strictly: plain ASCII decimals, fewer forms than Python accepts.

The fast path checks the characters of a whole section and converts it at once. If that fails, the section is read again
line by line, to find and report the error.
"""

import re
from collections.abc import Iterator
from itertools import chain

import numpy as np

from data.errors import InvalidInstance
from data.limits import MAX_COORDINATE, MAX_WEIGHT
from data.suggest import quote_name
from data.tsplib.tokens import Section

# With only these characters, float() and int() accept exactly the plain decimals: no underscores, no other scripts'
# digits, no "nan", no hexadecimals.
_FOREIGN = re.compile(r"[^0-9+\-.eE \t\n]")
_INTEGER = re.compile(r"[+-]?[0-9]+", re.ASCII)
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?", re.ASCII)
_NONFINITE = re.compile(r"[+-]?(nan|inf|infinity)", re.IGNORECASE)
_FORTRAN = re.compile(r"(?<=[0-9.])[dD](?=[+\-0-9])")
_WORD = re.compile(r"\S+")
_INT64 = 2**63 - 1


def convert_exponents(text: str) -> str:
    """Convert Fortran's exponents in a section's text, such as ``1.0D+02``, to e."""
    return _FORTRAN.sub("e", text)


def parse_integer(token: str, line: int | None, what: str, limit: int = _INT64) -> int:
    """Parse an integer of ASCII digits, at most `limit` in absolute value.

    Raises
    ------
    InvalidInstance
        ``INT``, ``NUMBER`` (digits with underscores or of another script) or ``RANGE``.
    """
    if fault := _find_integer_fault(token, what, limit):
        raise InvalidInstance(*fault, line)
    return int(token)


def parse_node_rows(section: Section) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows of lines ``id x y``.

    Returns
    -------
    ids : ndarray, shape (k,), int64
    points : ndarray, shape (k, 2), float64
        At most `data.limits.MAX_COORDINATE` in absolute value, and without negative zeros.

    Raises
    ------
    InvalidInstance
        ``COLUMNS``, ``INT``, ``NUMBER``, ``NONFINITE`` or ``RANGE``, with the line.
    """
    text = convert_exponents(section.text)
    rows = [row for row in map(str.split, text.split("\n")) if row]
    try:
        if _FOREIGN.search(text) or any(len(row) != 3 for row in rows):
            raise ValueError
        ids = np.fromiter((int(row[0]) for row in rows), np.int64, len(rows))
        points = np.fromiter(map(float, chain.from_iterable(row[1:] for row in rows)), np.float64, 2 * len(rows))
        # Also false for NaN.
        if not (np.abs(points) <= MAX_COORDINATE).all():
            raise ValueError
    except (ValueError, OverflowError):
        raise _make_node_error(section, text) from None
    return ids, points.reshape(-1, 2) + 0.0


def parse_integers(section: Section, limit: int = MAX_WEIGHT) -> np.ndarray:
    """Return all numbers of a section, whose line breaks do not matter.

    Returns
    -------
    ndarray, shape (k,), int64

    Raises
    ------
    InvalidInstance
        ``INT``, ``NUMBER``, ``NONFINITE`` or ``RANGE``, with the line.
    """
    text = convert_exponents(section.text)
    tokens = text.split()
    try:
        if _FOREIGN.search(text):
            raise ValueError
        values = _convert(tokens, limit)
        if values.size and max(int(values.max()), -int(values.min())) > limit:
            raise ValueError
    except (ValueError, OverflowError):
        raise _make_entry_error(section, text, limit) from None
    return values


def _convert(tokens: list[str], limit: int) -> np.ndarray:
    try:
        return np.fromiter(map(int, tokens), np.int64, len(tokens))
    except ValueError:
        # Integers may be written as 12.0 or 1e3, which are exact as floats only up to 2**53.
        values = np.fromiter(map(float, tokens), np.float64, len(tokens))
        if limit > 2**53 or not (np.abs(values) <= limit).all() or (values != np.rint(values)).any():
            raise
        return values.astype(np.int64)


def locate_word(section: Section, word: int) -> tuple[int, int]:
    """Return a word's line in the file and its column, both from 1, given its index in a section."""
    for line, row in _split_lines(section, section.text):
        if word < len(row):
            return line, row[word].start() + 1
        word -= len(row)
    raise IndexError(word)


def find_repeated(values: np.ndarray) -> int | None:
    """Return the index of the first repeated value; None if all differ."""
    is_first = np.zeros(len(values), bool)
    is_first[np.unique(values, return_index=True)[1]] = True
    return None if is_first.all() else int(is_first.argmin())


def _make_entry_error(section: Section, text: str, limit: int) -> InvalidInstance:
    for line, row in _split_lines(section, text):
        for word in row:
            if fault := _find_whole_fault(word[0], limit):
                return InvalidInstance(*fault, line, word.start() + 1)
    return _make_blank_error(section)


def _find_whole_fault(token: str, limit: int) -> tuple[str, str] | None:
    """Return the error of a matrix or tour entry, which may be an integer such as 12.0 or 1e3."""
    if len(token) < 10 and token.isascii() and token.isdigit():
        return None
    if _NUMBER.fullmatch(token) and not _INTEGER.fullmatch(token) and limit <= 2**53:
        value = float(token)
        if abs(value) > limit:
            return "RANGE", f"This entry is {quote_token(token)}, which is out of range."
        if value.is_integer():
            return None
    return _find_integer_fault(token, "This entry", limit)


def _make_node_error(section: Section, text: str) -> InvalidInstance:
    for line, row in _split_lines(section, text):
        if len(row) not in (0, 3):
            columns = f"{section.name} needs three columns a line, id x y, and this has {len(row)}."
            return InvalidInstance("COLUMNS", columns, line)
        for place, word in enumerate(row):
            fault = find_number_fault(word[0]) if place else _find_integer_fault(word[0], "The node's number", _INT64)
            if fault:
                return InvalidInstance(*fault, line, word.start() + 1)
    return _make_blank_error(section)


def _split_lines(section: Section, text: str) -> Iterator[tuple[int, list[re.Match[str]]]]:
    """Yield a section's lines with number in the file, and words with positions."""
    for line, row in enumerate(text.split("\n"), section.line + 1):
        yield line, list(_WORD.finditer(row))


def _make_blank_error(section: Section) -> InvalidInstance:
    """Return the error if valid tokens are separated by blanks other than space and tab."""
    return InvalidInstance("NUMBER", f"{section.name} has characters that are not part of a number.", section.line)


def _find_integer_fault(token: str, what: str, limit: int) -> tuple[str, str] | None:
    if _NONFINITE.fullmatch(token):
        return "NONFINITE", f"{what} is {quote_token(token)}, which is not a finite number."
    if _INTEGER.fullmatch(token):
        # Length first, since int() of thousands of digits is slow, and fails above 4,300.
        if len(token) > 20 or abs(int(token)) > limit:
            return "RANGE", f"{what} is {quote_token(token)}, which is out of range."
        return None
    if not token.isascii() or "_" in token:
        return "NUMBER", f"{what} is {quote_token(token)}: only the digits 0 to 9 are allowed."
    return "INT", f"{what} is {quote_token(token)}, and must be an integer."


def find_number_fault(token: str) -> tuple[str, str] | None:
    """Return code and sentence of a coordinate's error; None if it is valid."""
    if _NONFINITE.fullmatch(token):
        return "NONFINITE", f"A coordinate is {quote_token(token)}: every coordinate must be a finite number."
    if "\N{DEGREE SIGN}" in token:
        return "NUMBER", f"A coordinate is {quote_token(token)}: write decimal degrees, such as 52.5 or -0.12."
    if not _NUMBER.fullmatch(token):
        return "NUMBER", f"A coordinate is {quote_token(token)}: write plain decimal numbers with a point."
    if abs(float(token)) > MAX_COORDINATE:
        return (
            "RANGE",
            f"A coordinate is {quote_token(token)}, beyond {MAX_COORDINATE:,.0f}: scale the coordinates down.",
        )
    return None


def quote_token(token: str) -> str:
    """Quote and shorten a token for a message."""
    return quote_name(token if len(token) <= 24 else f"{token[:20]}...")
