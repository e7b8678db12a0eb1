"""The page's typeface has every character that pages use: none depends on the fonts of the machine."""

import re
from functools import cache

from PIL import ImageFont

from components.shell.bundle import FOLDER

_TYPEFACE = FOLDER / "vendor" / "inter.woff2"
_SOURCES = [
    path
    for folder in (FOLDER, FOLDER.parent / "components")
    for path in [*sorted(folder.rglob("*")), FOLDER.parent / "data/number_text.py"]
    if path.suffix in {".html", ".js", ".json", ".py"}
    and "vendor" not in path.parts
    and path.name != "column_names.json"  # whose words are read in tables of others, and shown nowhere
]
#: Signs that join or part words, which browsers and the drawing of pictures need no shape for.
_SHAPELESS = {"\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u2028", "\u2029"}


@cache
def _shape(letter: str) -> tuple[tuple[int, int], bytes]:
    mask = ImageFont.truetype(_TYPEFACE, 40).getmask(letter)
    return mask.size, bytes(mask)


def _missing(letters: set[str]) -> set[str]:
    return {each for each in letters - _SHAPELESS if _shape(each) == _shape("\U0010fffe")}


def _letters(source: str) -> set[str]:
    """The non-ASCII characters, including escaped ones."""
    escaped = {chr(int(code, 16)) for code in re.findall(r"\\u([0-9a-fA-F]{4})", source)}
    return {each for each in {*source, *escaped} if ord(each) > 0x9F and not 0xD800 <= ord(each) < 0xE000}


def test_missing_letter_is_noticed():
    assert _missing({"\u2264", "\u222a", "\u2501"}) == {"\u222a", "\u2501"}


def test_typeface_has_every_character_of_the_pages():
    letters = set().union(*(_letters(path.read_text()) for path in _SOURCES))
    assert "\u202f" in letters
    assert _missing(letters) == set()


def test_typeface_has_the_letters_of_european_names():
    assert _missing({chr(code) for code in range(0x100, 0x180)} - {"\u0149", "\u017f"} | set("ȘșȚțßÅøÉ")) == set()
