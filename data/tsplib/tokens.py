"""A strict tokenizer that splits TSPLIB text into header entries and sections, with lines.

It reports what a lenient parser ignores (repeated entries, lines that are neither entry nor section, text after EOF).
It checks only the structure: `data.tsplib.instances` interprets the values, `data.tsplib.numerals` reads the numbers.
"""

import re
from dataclasses import dataclass, field

from data.errors import InvalidInstance
from data.limits import MAX_HEADERS

#: Header keywords of TSPLIB 95 (Reinelt, 1995, section 1.1).
KEYWORDS = {
    *("NAME", "TYPE", "COMMENT", "DIMENSION", "CAPACITY", "EDGE_WEIGHT_TYPE", "EDGE_WEIGHT_FORMAT"),
    *("EDGE_DATA_FORMAT", "NODE_COORD_TYPE", "DISPLAY_DATA_TYPE"),
}
#: A section whose keyword official files also write like an entry's, ``FIXED_EDGES :``.
FIXED_EDGES = "FIXED_EDGES_SECTION"
_BLANKS = re.compile(r"[ \t\n]*")
_ENTRY = re.compile(r"([A-Za-z][A-Za-z0-9_]*)[ \t]*:(.*)", re.ASCII)
_SECTION = re.compile(
    r"([A-Za-z][A-Za-z0-9_]*_SECTION|FIXED_EDGES(?=[ \t]*:)|EOF)[ \t]*(?::[ \t]*)?", re.ASCII | re.IGNORECASE
)
#: Sections of nodes, which some programs end with a mark as in a tour.
_OF_NODES = ("NODE_COORD_SECTION", "DISPLAY_DATA_SECTION")
_END_MARK = re.compile(r"^[ \t]*-1\s*\Z", re.MULTILINE)
# End of a section's body. Data lines start with a digit or a sign, so this fails at their first character.
_END_OF_BODY = re.compile(
    r"^[ \t]*(?=[A-Za-z])(?:(?:[A-Za-z0-9_]+_SECTION|EOF)[ \t]*(?::[ \t]*)?$|[A-Za-z0-9_]+[ \t]*:)",
    re.ASCII | re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Entry:
    """A header entry's value and line."""

    value: str
    line: int


@dataclass(frozen=True, slots=True)
class Section:
    """A section's body; `line` is its keyword's line."""

    name: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Document:
    """A tokenized file. Keywords are upper-case; several COMMENT entries are joined with spaces in `comments`."""

    entries: dict[str, Entry] = field(default_factory=dict)
    sections: dict[str, Section] = field(default_factory=dict)
    comments: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def tokenize(text: str, warnings: list[str], head_only: bool = False) -> Document:
    """Split a text into header entries and sections.

    Parameters
    ----------
    text : str
        Text with LF line breaks; see `data.tsplib.text.decode`.
    warnings : list of str
        Warnings of the previous steps; the document continues this list.
    head_only : bool
        Whether to stop at the first section, which may then be truncated.

    Raises
    ------
    InvalidInstance
        ``NO_HEADER``, ``HEADER``, ``DUPLICATE`` or ``LIMIT``.
    """
    document = Document(warnings=warnings)
    position, line, count = 0, 1, 0
    while True:
        start = _BLANKS.match(text, position).end()  # type: ignore[union-attr]  # matches the empty string too
        line += text.count("\n", position, start)
        if start == len(text):
            warnings.append("The file ends without EOF.")
            break
        position = _find_line_end(text, start)
        content = text[start:position].rstrip(" \t")
        if section := _SECTION.fullmatch(content):
            name = _normalise_keyword(section[1], warnings)
            name = FIXED_EDGES if name == "FIXED_EDGES" else name
            if name == "EOF":
                if text[position:].strip(" \t\n"):
                    warnings.append("Text after EOF was ignored.")
                break
            if head_only:
                break
            body_end = _END_OF_BODY.search(text, min(position + 1, len(text)))
            stop = body_end.start() if body_end else len(text)
            if first := document.sections.get(name):
                raise InvalidInstance("DUPLICATE", f"{name} is in line {first.line} already: keep one.", line)
            body = text[position + 1 : stop]
            if name in _OF_NODES and (mark := _END_MARK.search(body)):
                body = body[: mark.start()]
                warnings.append(f"The -1 at the end of {name} was left out.")
            document.sections[name] = Section(name, body, line)
            line += text.count("\n", position, stop)
            position = stop
        else:
            _add_entry(document, content, line)
        count += 1
        if count > MAX_HEADERS:
            raise InvalidInstance("LIMIT", f"The header has more than {MAX_HEADERS:,} lines: shorten it.", line)
    if comment := document.entries.get("COMMENT"):
        document.entries["COMMENT"] = Entry(" ".join(filter(None, document.comments)).strip(), comment.line)
    if not document.entries.keys() & KEYWORDS:
        raise InvalidInstance(
            "NO_HEADER", "The TSPLIB header is missing: the file must start with entries such as NAME."
        )
    return document


def _find_line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def _normalise_keyword(keyword: str, warnings: list[str]) -> str:
    note = "Keywords in lower case were read as upper case."
    if keyword != keyword.upper() and note not in warnings:
        warnings.append(note)
    return keyword.upper()


def _add_entry(document: Document, content: str, line: int) -> None:
    match = _ENTRY.fullmatch(content)
    if match is None:
        is_keyword = content.partition(" ")[0].upper() in KEYWORDS
        if not is_keyword and not document.entries and not document.sections:
            raise InvalidInstance(
                "NO_HEADER", "This is not a TSPLIB file: it must start with entries such as NAME.", line
            )
        raise InvalidInstance("HEADER", "This line is neither 'KEYWORD: value' nor a section: correct it.", line)
    keyword, value = _normalise_keyword(match[1], document.warnings), match[2].strip(" \t")
    first = document.entries.get(keyword)
    if keyword == "COMMENT":
        document.comments.append(value)
        document.entries.setdefault(keyword, Entry("", line))
    elif first:
        where = f"{keyword[:40]} is in line {first.line} already: keep one."
        raise InvalidInstance("DUPLICATE", where, line)
    else:
        document.entries[keyword] = Entry(value, line)
