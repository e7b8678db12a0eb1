"""Figures of a paper's entries, as published and as measured here."""

from papers.catalogue import load_paper
from papers.committed import cite_entry, figure


class PaperFigures:
    """The figures of one paper.

    Parameters
    ----------
    paper : str
    column : str
        The column of an entry where none is named.
    """

    def __init__(self, paper: str, column: str = "") -> None:
        self.paper, self._column = load_paper(paper), column

    def published(self, entry: str, row: str, column: str = "") -> float:
        """Return a published figure."""
        return self.paper.entry(entry).figures()[row][column or self._column]

    def ours(self, entry: str, row: str, column: str = "") -> float:
        """Return a figure of the shipped result."""
        return figure(f"{self.paper.id}/{entry}", row, column or self._column)

    def machine(self, entry: str) -> str:
        """Return the hardware and date of the shipped result."""
        return cite_entry(f"{self.paper.id}/{entry}")
