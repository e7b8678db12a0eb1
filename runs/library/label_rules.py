"""Which names and tags there can be."""

import unicodedata
from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from runs.library.entry import BadName

LONGEST_NAME, LONGEST_TAG, MOST_TAGS = 120, 32, 20
#: Joiners that scripts such as Persian and pictures of several people are written with; all else of category Cf steers.
_JOINERS = "\u200c\u200d"


class Label(NamedTuple):
    """A name, empty without one, and tags."""

    name: str = ""
    tags: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The label as a JSON value."""
        return {"name": self.name, "tags": list(self.tags)}


def name_of(text: Any) -> str:
    """A name as it is kept, of one line; empty if there is nothing in it.

    Raises
    ------
    BadName
    """
    return _line(text, "A name", LONGEST_NAME)


def tag_of(text: Any) -> str:
    """A tag as it is kept.

    Raises
    ------
    BadName
    """
    tag = _line(text, "A tag", LONGEST_TAG)
    if not tag:
        raise BadName("A tag has one character at least.")
    if "," in tag:
        raise BadName("A tag has no comma.")
    return tag


def label_of(value: Any) -> Label:
    """A label of a JSON value.

    Raises
    ------
    BadName
        If it is none.
    """
    if not isinstance(value, dict) or not isinstance(value.get("tags"), list):
        raise BadName("This is no label.")
    return Label(name_of(value.get("name")), tags_of(value["tags"]))


def _line(text: Any, what: str, longest: int) -> str:
    if not isinstance(text, str) or any(_steers(character) for character in text):
        raise BadName(f"{what} is a text without control characters.")
    line = unicodedata.normalize("NFC", " ".join(text.split()))
    if len(line) > longest:
        raise BadName(f"{what} has at most {longest} characters, and this one has {len(line)}.")
    return line


def _steers(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") and character not in _JOINERS


def tags_of(texts: Iterable[Any], gone: Collection[str] = ()) -> tuple[str, ...]:
    """Tags, each once, whatever its letters' case; the first spelling stays."""
    left, kept = {tag.casefold() for tag in gone}, dict[str, str]()
    for tag in map(tag_of, texts):
        if tag.casefold() not in left:
            kept.setdefault(tag.casefold(), tag)
    if len(kept) > MOST_TAGS:
        raise BadName(f"An entry has at most {MOST_TAGS} tags.")
    return tuple(kept.values())
