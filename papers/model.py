"""What is known of a paper: its entries, each a table or a figure with published figures, a recipe and a drawing."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

#: What stands in place of figures where a chart has none in our source, which is the paper's text.
DRAWING_ONLY = "drawing only"


@dataclass(frozen=True, slots=True)
class Table:
    """Published figures.

    Attributes
    ----------
    head : str
        What the rows are: ``"Instance"``.
    columns : tuple of str
    units : tuple of str
        One for each column: ``"ms"``, ``"x"`` (a ratio), or empty.
    rows : mapping of str to tuple of float or None
        A figure for each column; None where the paper has none.
    spread : mapping of str to tuple of float or None
        The standard deviation of each figure, for the rows of which the paper tells it.
    """

    head: str
    columns: tuple[str, ...]
    units: tuple[str, ...]
    rows: Mapping[str, tuple[float | None, ...]]
    spread: Mapping[str, tuple[float | None, ...]] = field(default_factory=dict)

    def figure(self, row: str, column: str) -> float | None:
        """The figure in a row and column; None if there is none."""
        return dict(zip(self.columns, self.rows.get(row, ()), strict=False)).get(column)

    def to_json(self) -> dict[str, Any]:
        """The table as a JSON value."""
        value: dict[str, Any] = {"head": self.head, "columns": list(self.columns), "units": list(self.units)}
        value["rows"] = {row: list(figures) for row, figures in self.rows.items()}
        return value | ({"spread": {row: list(each) for row, each in self.spread.items()}} if self.spread else {})


def in_order(rows: Iterable[str]) -> list[str]:
    """Names of rows, each once: numbers such as ``1,000`` by their size, else as they come."""
    found = list(dict.fromkeys(rows))
    try:
        return sorted(found, key=lambda row: float(row.replace(",", "")))
    except ValueError:
        return found


@dataclass(frozen=True, slots=True)
class AuthorsCode:
    """What the authors' own code does on a GPU of today, on which it was built and run beside ours.

    Attributes
    ----------
    name : str
        Which code.
    figures : Table
    machine, date : str
    """

    name: str
    figures: Table
    machine: str = "NVIDIA H200"
    date: str = "2026-11-20"

    def to_json(self) -> dict[str, Any]:
        """The figures with their units, as a JSON value."""
        return {"code": self.name, "machine": self.machine, "date": self.date, **self.figures.to_json()}


@dataclass(frozen=True, slots=True)
class Recipe:
    """How our result of an entry is measured.

    Attributes
    ----------
    summary : str
        What is measured, how often, and what is left out, in one or two sentences.
    function : str
        ``module:function`` below `papers.recipes`, which is given a `papers.recipes.plan.Plan` and the arguments.
    devices : tuple of str
        ``cuda`` and ``cpu``, as far as it can measure there; the paper's own first.
    arguments : mapping
        What tells entries with the same function apart.
    """

    summary: str
    function: str
    devices: tuple[str, ...] = ("cuda", "cpu")
    arguments: Mapping[str, Any] = field(default_factory=dict)

    def load(self) -> Callable[..., Any]:
        """Import the function; only now may that need Numba."""
        module, _, name = self.function.partition(":")
        return getattr(import_module(f"papers.recipes.{module}"), name)


@dataclass(frozen=True, slots=True)
class Drawing:
    """How an entry is shown: a table, or a chart of its rows over its columns or of its columns over its rows.

    Attributes
    ----------
    kind : str
        ``table``, ``lines``, ``bars`` or ``tour``.
    x, y : str
        Titles of the axes with units; empty for a table.
    log : str
        The axes that are logarithmic: ``""``, ``"x"``, ``"y"`` or ``"xy"``.
    """

    kind: str = "table"
    x: str = ""
    y: str = ""
    log: str = ""


#: What stands in a `Likeness` where nothing differs.
SAME = "the same"


@dataclass(frozen=True, slots=True)
class Likeness:
    """What is the same as in the paper, and what differs, each in some words: `SAME`, or how ours differs.

    Attributes
    ----------
    quantity, parameters, instance : str
    """

    quantity: str = SAME
    parameters: str = SAME
    instance: str = SAME


@dataclass(frozen=True, slots=True)
class Entry:
    """A table or a figure of a paper.

    Attributes
    ----------
    id : str
        As in an address: ``table-ii``.
    place : str
        Where it stands: ``Table II, section V.A``.
    title : str
        What it shows, in our words.
    recipe : Recipe
    drawing : Drawing
    headline : str
        What the text says of it, in one sentence.
    published : Table or None
        None where it is a drawing whose figures neither the paper nor its authors' repository has.
    note : str
        What to know when both are compared: what differs in how they are measured.
    authors : AuthorsCode or None
        None where their code was not run, or does not say this.
    run : str
        The algorithm whose run it is of, if it is of one run: see `papers.runs`.
    likeness : Likeness or None
        How ours compares with the paper's; None for this program's own charts.
    """

    id: str
    place: str
    title: str
    recipe: Recipe
    drawing: Drawing
    headline: str
    published: Table | None = None
    note: str = ""
    authors: AuthorsCode | None = None
    run: str = ""
    likeness: Likeness | None = None

    def figures(self) -> dict[str, dict[str, float]]:
        """The published figures by row and column; empty where the paper has none."""
        rows = self.published.rows if self.published else {}
        columns = self.published.columns if self.published else ()
        return {
            row: {column: each for column, each in zip(columns, figures, strict=True) if each is not None}
            for row, figures in rows.items()
        }


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper and its entries, in the paper's order.

    Attributes
    ----------
    id : str
        As in an address: ``uchida``.
    authors, year, title, venue : str and int
    machine : str
        What it was measured on.
    claim : str
        Its claim, in one sentence.
    entries : tuple of Entry
    """

    id: str
    authors: str
    year: int
    title: str
    venue: str
    machine: str
    claim: str
    entries: tuple[Entry, ...]

    def entry(self, entry_id: str) -> Entry:
        """The entry of that id.

        Raises
        ------
        KeyError
            If there is none.
        """
        return {entry.id: entry for entry in self.entries}[entry_id]
