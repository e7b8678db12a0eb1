"""Decodes a file to text, refusing binary data before it is parsed."""

import codecs
import contextlib
import re
import zlib

from data.errors import InvalidInstance
from data.limits import MAX_BYTES, MAX_LINE
from data.tsplib.encodings import decode_legacy, decode_utf16

#: Suffixes of instance files; each may be followed by ``.gz``.
INSTANCE_SUFFIXES = (".tsp", ".atsp", ".hcp")
_GZIP = b"\x1f\x8b"
_ZIP = b"PK\x03\x04"
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
# All control characters except tab and line breaks, and the C1 block, which is common in binary read as text.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_CONTROL_BYTE = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def is_instance_file(name: str) -> bool:
    """Return whether a file name has the suffix of an instance file."""
    return name.removesuffix(".gz").endswith(INSTANCE_SUFFIXES)


def _make_size_error(limit: int) -> InvalidInstance:
    return InvalidInstance("LIMIT", f"The file is larger than {limit // 1_000_000} MB, the most that is read.")


def decompress_gzip(raw: bytes, limit: int = MAX_BYTES, prefix: bool = False) -> bytes:
    """Decompress `raw` if it is a single gzip stream; return other bytes unchanged.

    Parameters
    ----------
    raw : bytes
        A file, or its beginning with `prefix`.
    limit : int
        Limit in bytes; decompression stops one byte later, so that a zip bomb cannot fill the memory.
    prefix : bool
        Whether to return only the beginning of the content, without requiring the end of the stream.

    Raises
    ------
    InvalidInstance
        ``LIMIT`` or, for a damaged stream or data after it, ``GZIP``.
    """
    if len(raw) > limit and not prefix:
        raise _make_size_error(limit)
    if raw[:2] != _GZIP:
        return raw[:limit]
    stream = zlib.decompressobj(wbits=31)
    try:
        inflated = stream.decompress(raw, limit if prefix else limit + 1)
    except zlib.error:
        raise InvalidInstance("GZIP", "The gzip data is damaged: compress the file again.") from None
    if prefix:
        return inflated
    if len(inflated) > limit:
        raise _make_size_error(limit)
    if not stream.eof or stream.unused_data:
        raise InvalidInstance("GZIP", "The gzip data is not one whole stream: compress the file again.")
    return inflated


def decode(raw: bytes, limit: int = MAX_BYTES, max_line: int = MAX_LINE) -> tuple[str, list[str]]:
    """Decode a file to text with LF line breaks.

    Accepts UTF-8 with or without a byte order mark, UTF-16 with one, and, with a warning, UTF-16 without one and the
    encodings of `data.tsplib.encodings`.

    Parameters
    ----------
    raw : bytes
        The file, plain or a single gzip stream.
    limit : int
        Maximum size in bytes, before and after decompression.
    max_line : int
        Maximum number of characters per line.

    Returns
    -------
    text : str
    warnings : list of str

    Raises
    ------
    InvalidInstance
        ``EMPTY``, ``NOT_TEXT``, ``LIMIT`` or ``GZIP``.
    """
    text, encoding = _decode_bytes(decompress_gzip(raw, limit))
    warnings = [f"The file is not UTF-8; it was read as {encoding}."] if encoding else []
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text or text.isspace():
        raise InvalidInstance("EMPTY", "The file is empty.")
    if control := _CONTROL.search(text):
        line = text.count("\n", 0, control.start()) + 1
        raise InvalidInstance(
            "NOT_TEXT", "The file is not text: send TSPLIB, a table, a map or a tour as text, plain or as .gz.", line
        )
    lengths = list(map(len, text.split("\n")))
    if max(lengths) > max_line:
        number = next(number for number, length in enumerate(lengths, 1) if length > max_line)
        raise InvalidInstance("LIMIT", f"A line is longer than {max_line:,} characters: break it up.", number)
    return text, warnings


def _decode_bytes(raw: bytes) -> tuple[str, str]:
    """Decode bytes, and name their encoding if guessed."""
    if raw.startswith(_ZIP):
        raise InvalidInstance(
            "NOT_TEXT", "This is a ZIP archive, such as .xlsx, .ods or .kmz: save a table as CSV, a map as KML or GPX."
        )
    with contextlib.suppress(UnicodeDecodeError):
        if raw[:2] in _UTF16:
            return raw.decode("utf-16"), ""
        if (text := decode_utf16(raw)) is not None:
            return text, "UTF-16"
        return raw.decode("utf-8-sig"), ""
    if not _CONTROL_BYTE.search(raw) and (guess := decode_legacy(raw)):
        return guess
    return raw.decode("latin-1"), "Latin-1"
