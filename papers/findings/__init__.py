"""What we see of each table and figure beside what its paper claims, and why it differs: a module a paper.

Each text is made when it is asked for: its figures are medians of committed results (`papers.committed`) or figures of
the papers' texts, so none of them is out of date.
"""

from collections.abc import Callable, Mapping
from importlib import import_module


def finding(paper: str, entry: str) -> str:
    """The text on an entry, in some sentences.

    Raises
    ------
    KeyError
        If there is no such paper or entry.
    """
    return of_paper(paper)[entry]()


def of_paper(paper: str) -> Mapping[str, Callable[[], str]]:
    """What makes the texts of a paper's entries, by their ids."""
    return import_module(f"papers.findings.{paper.replace('-', '_')}").FINDINGS
