"""Parts of a benchmark that are entries of papers, which `papers.cli` measures; their names contain a slash."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from papers.catalogue import find
from papers.cli import follow_recipe
from papers.recipes.plan import Plan
from papers.results import Result
from papers.table_text import format_table


def name_entries(parts: Sequence[str], entries: Mapping[str, Sequence[str]]) -> list[str]:
    """Replace the parts that are papers' entries by the names of the entries."""
    return [name for part in parts for name in entries.get(part, (part,))]


def add_entries(measure: Callable[[str], Any], device: str, repeats: int) -> Callable[[str], Any]:
    """Return a function that measures parts by `measure`, and entries by their recipes."""
    plan = Plan(device, repeats)
    return lambda name: follow_recipe(name, plan).to_json() if "/" in name else measure(name)


def join_tables(results: dict[str, Any], parts: Mapping[str, Callable[[Any], Iterator[str]]]) -> str:
    """Join all tables that have results: in the order of the parts, then those of entries."""
    texts = [text for part, format_part in parts.items() if results.get(part) for text in format_part(results[part])]
    for name in filter(lambda name: "/" in name, results):
        table = format_table(find(name)[1], [Result.from_json(results[name])], here=False)
        texts.append(f"**{name}**\n\n```\n{table}\n```\n")
    return "\n".join(texts)
