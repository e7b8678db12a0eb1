"""Order of the site's pages: that of ``docs/index.md``, which the application uses too."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from runs.language import LANGUAGES

#: Sections, each with the titles and paths of its pages.
Sections = dict[str, list[tuple[str, str]]]
_ENTRY = re.compile(r"- \[([^\]]+)\]\(([\w./-]+\.md)\)")


def parse_sections(index: str) -> Sections:
    """Sections of the list, in order.

    Parameters
    ----------
    index : str
        Text of ``docs/index.md``.
    """
    found: Sections = {}
    for section in re.split(r"^## ", index, flags=re.MULTILINE)[1:]:
        title, _, body = section.partition("\n")
        found[title] = [(match[1], match[2]) for match in map(_ENTRY.match, body.splitlines()) if match]
    return found


def build_navigation(found: Sections, lessons: Sequence[tuple[str, str]], more: Sections) -> list[Any]:
    """Navigation of the site.

    Parameters
    ----------
    found : dict
        Result of `parse_sections`.
    lessons : sequence of (str, str)
        Titles and paths of the lessons, added to the end of the first section.
    more : dict
        Further pages by section, added to the end of each; sections that are not in the list come last.
    """
    navigation: list[Any] = [{"All documents": "index.md"}]
    for at, (title, pages) in enumerate({**found, **{name: [] for name in more if name not in found}}.items()):
        entries: list[Any] = [{name: path} for name, path in (*found.get(title, pages), *more.get(title, []))]
        if not at:
            entries.append({"The lessons": [{name: path} for name, path in lessons]})
        navigation.append({title: entries})
    return navigation


def find_unlisted(found: Sections, folder: Path) -> list[str]:
    """Documents of a folder that the list lacks; lessons have their own order, and translations are never listed."""
    listed = {path for pages in found.values() for _, path in pages} | {"index.md"}
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*.md")}
    return sorted(path for path in there - listed if path.split("/")[0] not in ("lessons", *LANGUAGES))
