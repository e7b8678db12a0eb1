"""Papers as cards that link to their entries."""

from collections import Counter

from dash import html

from components.papers import ids
from components.shell.controls import hyphenate_names
from components.shell.facts import localise
from components.shell.texts import papers as text
from papers.catalogue import ALL_PAPERS
from papers.model import Paper
from runs.translation import translate


def panel() -> html.Nav:
    """Return all papers in the catalogue's order."""
    return html.Nav(
        [_card(paper) for paper in ALL_PAPERS], id=ids.CARDS, className="panel papers-cards",
        **hyphenate_names(aria_label=text("cards.label")),
    )  # fmt: skip


def _card(paper: Paper) -> html.A:
    lines = [
        html.B(shorten_authors(paper)),
        html.Small(format_venue(paper)),
        html.Span(localise(paper.claim), className="paper-claim"),
        html.Small(translate(paper.machine)),
        html.Small(describe_counts(paper)),
    ]
    return html.A(lines, href=f"?paper={paper.id}", className="paper-card", **hyphenate_names(data_paper=paper.id))


def shorten_authors(paper: Paper) -> str:
    """Return the authors' last names, such as Uchida, Ito, Nakano."""
    return ", ".join(name.split()[-1] for name in paper.authors.split(", "))


def format_venue(paper: Paper) -> str:
    """Return a paper's venue and year of publication."""
    year = str(paper.year)
    return paper.venue if year in paper.venue else f"{translate(paper.venue)}, {year}"


def describe_counts(paper: Paper) -> str:
    """Return how many tables, figures and slides are included."""
    kinds = Counter(entry.place.split()[0].lower() for entry in paper.entries)
    return ", ".join(text(f"cards.{kind}", count=count) for kind, count in sorted(kinds.items(), reverse=True))
