"""The model of a paper: its entries, each a table or a figure with published figures, a recipe and a drawing."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

#: Shown instead of figures that our source, the paper's text, does not contain.
DRAWING_ONLY = "drawing only"


@dataclass(frozen=True, slots=True)
class Table:
    """A table of published figures.

    Attributes
    ----------
    head : str
        Heading of the rows: ``"Instance"``.
    columns : tuple of str
    units : tuple of str
        Unit of each column: ``"ms"``, ``"x"`` (a ratio), or empty.
    rows : mapping of str to tuple of float or None
        Figures of each column; None where the paper has none.
    spread : mapping of str to tuple of float or None
        Standard deviation of each figure, for rows that have it in the paper.
    """

    head: str
    columns: tuple[str, ...]
    units: tuple[str, ...]
    rows: Mapping[str, tuple[float | None, ...]]
    spread: Mapping[str, tuple[float | None, ...]] = field(default_factory=dict)

    def figure(self, row: str, column: str) -> float | None:
        """Return the figure in a row and column; None if there is none."""
        return dict(zip(self.columns, self.rows.get(row, ()), strict=False)).get(column)

    def to_json(self) -> dict[str, Any]:
        """Return the table as a JSON value."""
        value: dict[str, Any] = {"head": self.head, "columns": list(self.columns), "units": list(self.units)}
        value["rows"] = {row: list(figures) for row, figures in self.rows.items()}
        return value | ({"spread": {row: list(values) for row, values in self.spread.items()}} if self.spread else {})


def sort_rows(rows: Iterable[str]) -> list[str]:
    """Sort distinct row names: numbers such as ``1,000`` by size, all others in their original order."""
    names = list(dict.fromkeys(rows))
    try:
        return sorted(names, key=lambda row: float(row.replace(",", "")))
    except ValueError:
        return names


@dataclass(frozen=True, slots=True)
class AuthorsCode:
    """Results of the authors' own code, built and run on a current GPU beside ours.

    Attributes
    ----------
    name : str
        Name of the code.
    figures : Table
    machine, date : str
    """

    name: str
    figures: Table
    machine: str = "NVIDIA H200"
    date: str = "2026-11-20"

    def to_json(self) -> dict[str, Any]:
        """Return the results with their units as a JSON value."""
        return {"code": self.name, "machine": self.machine, "date": self.date, **self.figures.to_json()}


@dataclass(frozen=True, slots=True)
class Recipe:
    """Describes how our result of an entry is measured.

    Attributes
    ----------
    summary : str
        What is measured, how often, and what is omitted, in one or two sentences.
    function : str
        ``module:function`` below `papers.recipes`, called with a `papers.recipes.plan.Plan` and the arguments.
    devices : tuple of str
        Supported devices among ``cuda`` and ``cpu``, the paper's own first.
    arguments : mapping
        Arguments that distinguish entries with the same function.
    """

    summary: str
    function: str
    devices: tuple[str, ...] = ("cuda", "cpu")
    arguments: Mapping[str, Any] = field(default_factory=dict)

    def load(self) -> Callable[..., Any]:
        """Import the function, which may now require Numba."""
        module, _, name = self.function.partition(":")
        return getattr(import_module(f"papers.recipes.{module}"), name)


@dataclass(frozen=True, slots=True)
class Drawing:
    """Describes how an entry is shown: a table, or a chart of its rows over its columns or vice versa.

    Attributes
    ----------
    kind : str
        ``table``, ``lines``, ``bars`` or ``tour``.
    x, y : str
        Titles of the axes with units; empty for a table.
    log : str
        Logarithmic axes: ``""``, ``"x"``, ``"y"`` or ``"xy"``.
    """

    kind: str = "table"
    x: str = ""
    y: str = ""
    log: str = ""


#: Value in a `Likeness` if nothing differs.
SAME = "the same"


@dataclass(frozen=True, slots=True)
class Likeness:
    """Comparison of our measurement with the paper's, in a few words each: `SAME`, or the difference.

    Attributes
    ----------
    quantity, parameters, instance : str
    """

    quantity: str = SAME
    parameters: str = SAME
    instance: str = SAME


@dataclass(frozen=True, slots=True)
class Entry:
    """A table or figure of a paper.

    Attributes
    ----------
    id : str
        Id in names of entries: ``table-ii``.
    place : str
        Place in the paper: ``Table II, section V.A``.
    title : str
        Contents, in our words.
    recipe : Recipe
    drawing : Drawing
    headline : str
        The paper's statement about this entry, in one sentence.
    finding : str
        Our comment on both results, with the names of its figures in braces (`papers.findings`).
    published : Table or None
        None for a drawing whose figures are neither in the paper nor in its authors' repository.
    note : str
        Note for the comparison: differences between the two measurements.
    authors_code : AuthorsCode or None
        Results of the authors' code; None if it was not run or does not report them.
    run : str
        Algorithm, if the entry shows a single run; see `papers.runs`.
    likeness : Likeness or None
        Comparison with the paper; None for this program's own charts.
    """

    id: str
    place: str
    title: str
    recipe: Recipe
    drawing: Drawing
    headline: str
    finding: str
    published: Table | None = None
    note: str = ""
    authors_code: AuthorsCode | None = None
    run: str = ""
    likeness: Likeness | None = None

    def figures(self) -> dict[str, dict[str, float]]:
        """Return the published figures by row and column; empty if the paper has none."""
        rows = self.published.rows if self.published else {}
        columns = self.published.columns if self.published else ()
        return {
            row: {column: figure for column, figure in zip(columns, figures, strict=True) if figure is not None}
            for row, figures in rows.items()
        }


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper and its entries, in the paper's order.

    Attributes
    ----------
    id : str
        Id in names of entries and in addresses: ``uchida``.
    authors, year, title, venue : str and int
    machine : str
        Hardware of the paper's measurements.
    claim : str
        Main claim, in one sentence.
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

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Paper":
        """Return the paper of a parsed file; missing fields have their defaults."""
        fields = {name: _freeze(item) for name, item in value.items() if name not in ("texts", "entries")}
        return cls(**fields, entries=tuple(map(_parse_entry, value["entries"])))

    def entry(self, entry_id: str) -> Entry:
        """Return the entry with this id.

        Raises
        ------
        KeyError
            If there is no such entry.
        """
        return {entry.id: entry for entry in self.entries}[entry_id]


def _freeze(value: Any) -> Any:
    """Return a JSON value with tuples in place of lists."""
    if isinstance(value, dict):
        return {key: _freeze(item) for key, item in value.items()}
    return tuple(map(_freeze, value)) if isinstance(value, list) else value


def _parse_entry(value: Mapping[str, Any]) -> Entry:
    parts = {name: _PARTS[name](**_freeze(item)) if name in _PARTS else item for name, item in value.items()}
    return Entry(**parts)


def _parse_code(figures: Mapping[str, Any], **fields: str) -> AuthorsCode:
    return AuthorsCode(figures=Table(**figures), **fields)


#: Builds each part of an entry from its fields.
_PARTS: Mapping[str, Callable[..., Any]] = {
    "published": Table, "recipe": Recipe, "drawing": Drawing, "likeness": Likeness, "authors_code": _parse_code,
}  # fmt: skip
