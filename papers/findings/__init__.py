"""Comments on each table and figure: our results, the paper's claim, and the reasons for differences; a module per
paper.

Texts are composed on request from medians of committed results (`papers.committed`) and figures in the papers' texts,
so they are never out of date.
"""

from collections.abc import Callable, Mapping
from importlib import import_module


def compose_finding(paper: str, entry: str) -> str:
    """Return the text on an entry, in a few sentences.

    Raises
    ------
    KeyError
        If there is no such paper or entry.
    """
    return load_findings(paper)[entry]()


def load_findings(paper: str) -> Mapping[str, Callable[[], str]]:
    """Return the functions that compose the texts of a paper's entries, by id."""
    return import_module(f"papers.findings.{paper.replace('-', '_')}").FINDINGS
