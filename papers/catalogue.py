"""All papers, read from ``papers/published``, with a lookup of entries by address."""

import json
from functools import cache
from pathlib import Path
from string import Template

from data import command_line
from data.suggest import describe_unknown
from papers.model import Entry, Paper

_FOLDER = Path(__file__).with_name("published")


@cache
def load_paper(paper: str) -> Paper:
    """Load a paper; each ``${name}`` in its file stands for one of the file's ``texts``."""
    text = (_FOLDER / f"{paper}.json").read_text(encoding="utf-8")
    texts = json.loads(text).get("texts", {})
    return Paper.from_json(json.loads(Template(text).substitute(texts)))


#: The papers, ordered by topic: 2-opt, ants, exact solutions.
PAPERS = tuple(map(load_paper, ("utne-hansen", "oneil-burtscher", "uchida", "qin-han", "bitner")))
#: Contents of the page: the papers, and this program's own charts of time and throughput.
ALL_PAPERS = (*PAPERS, load_paper("speed"))


class NoSuchEntry(Exception):
    """There is no paper or entry with this name; the message is a sentence."""


def list_entries() -> list[tuple[Paper, Entry]]:
    """Return all entries with their papers, in order."""
    return [(paper, entry) for paper in PAPERS for entry in paper.entries]


def name_entry(paper: Paper, entry: Entry) -> str:
    """Return the name of an entry on the command line and in links, such as ``uchida/table-ii``."""
    return f"{paper.id}/{entry.id}"


def format_command(paper: Paper, entry: Entry) -> str:
    """Return the command line that measures an entry."""
    return f"{command_line.format_command('papers')} measure {name_entry(paper, entry)}"


def find(name: str) -> tuple[Paper, Entry]:
    """Find the entry with this name.

    Raises
    ------
    NoSuchEntry
        If there is none; the message suggests a similar name.
    """
    by_name = {name_entry(paper, entry): (paper, entry) for paper in ALL_PAPERS for entry in paper.entries}
    if name not in by_name:
        raise NoSuchEntry(describe_unknown("entry", name, by_name))
    return by_name[name]
