"""Validates names and tags."""

import unicodedata
from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from runs.library.entry import BadName

MAX_NAME, MAX_TAG, MAX_TAGS = 120, 32, 20
#: Joiners, needed by scripts such as Persian and by composed emoji; other characters of category Cf are refused.
_JOINERS = "\u200c\u200d"


class Label(NamedTuple):
    """A name, possibly empty, and tags."""

    name: str = ""
    tags: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the label as a JSON value."""
        return {"name": self.name, "tags": list(self.tags)}


def clean_name(text: Any) -> str:
    """Normalise a name to one line; it may be empty.

    Raises
    ------
    BadName
    """
    return _clean_line(text, "A name", MAX_NAME)


def clean_tag(text: Any) -> str:
    """Normalise a tag.

    Raises
    ------
    BadName
    """
    tag = _clean_line(text, "A tag", MAX_TAG)
    if not tag:
        raise BadName("A tag has at least one character.")
    if "," in tag:
        raise BadName("A tag has no comma.")
    return tag


def parse_label(value: Any) -> Label:
    """Parse a label from a JSON value.

    Raises
    ------
    BadName
        If the value is not a label.
    """
    if not isinstance(value, dict) or not isinstance(value.get("tags"), list):
        raise BadName("This is not a label.")
    return Label(clean_name(value.get("name")), clean_tags(value["tags"]))


def _clean_line(text: Any, subject: str, longest: int) -> str:
    if not isinstance(text, str) or any(_is_control(character) for character in text):
        raise BadName(f"{subject} is a text without control characters.")
    line = unicodedata.normalize("NFC", " ".join(text.split()))
    if len(line) > longest:
        raise BadName(f"{subject} has at most {longest} characters, and this one has {len(line)}.")
    return line


def _is_control(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") and character not in _JOINERS


def clean_tags(texts: Iterable[Any], exclude: Collection[str] = ()) -> tuple[str, ...]:
    """Validate tags and drop those in `exclude`; of tags differing only in case, keep the first."""
    excluded, tags = {tag.casefold() for tag in exclude}, dict[str, str]()
    for tag in map(clean_tag, texts):
        if tag.casefold() not in excluded:
            tags.setdefault(tag.casefold(), tag)
    if len(tags) > MAX_TAGS:
        raise BadName(f"An entry has at most {MAX_TAGS} tags.")
    return tuple(tags.values())
