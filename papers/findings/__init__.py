"""Comments on each table and figure: our results, the paper's claim, and the reasons for differences.

`papers.model.Entry.finding` is the text. Its figures are filled in on request, from medians of committed results
(`papers.committed`) and figures in the papers' texts, so they are never out of date. A module per paper computes
those that are neither measured nor published as they stand, such as ratios.
"""

from importlib import import_module

from papers.findings.paper_figures import PaperFigures


def compose_finding(paper: str, entry: str) -> str:
    """Return the text on an entry, in a few sentences.

    Raises
    ------
    KeyError
        If there is no such paper or entry.
    """
    module = import_module(f"papers.findings.{paper.replace('-', '_')}")
    figures: PaperFigures = module.FIGURES
    text = figures.paper.entry(entry).finding
    values = module.VALUES[entry]() if entry in module.VALUES else {}
    return text.format_map({**figures.to_lookups(entry), **getattr(module, "CONSTANTS", {}), **values})
