"""The table of headline figures in README: medians of results that are committed, beside what papers have published.

``python -m papers headline`` prints it, ``--write README.md`` puts it between the two marks there.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

from papers.catalogue import find

#: Results that were measured by ``python -m benchmarks``.
RESULTS = Path(__file__).parent.parent / "benchmarks" / "results"
#: Between these lines of README.
BEGIN, END = "<!-- begin of the headline figures -->", "<!-- end of the headline figures -->"
_HEAD = ("work", "ours", "GPU, date", "published")


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table.

    Attributes
    ----------
    work : str
        What was to be done.
    ours : str
        Medians, each with its variant.
    file : str
        Of the results.
    published : str
        A paper's figure of the same work with its source; empty if there is none.
    """

    work: str
    ours: str
    file: str
    published: str = ""


@cache
def _results(file: str) -> dict[str, Any]:
    return json.loads((RESULTS / file).read_text())


def _entry(file: str, part: str, **like: Any) -> Mapping[str, Any]:
    """The one entry of a part of the results with these values."""
    (found,) = (each for each in _results(file)[part] if all(each.get(key) == value for key, value in like.items()))
    return found


def _time(seconds: float) -> str:
    """Three digits: 12.4 ms, 2,079 s."""
    value, unit = (seconds, "s") if seconds >= 1 else (1e3 * seconds, "ms")
    return f"{value:,.{0 if value >= 100 else 1 if value >= 10 else 2}f} {unit}"


def _above(lengths: list[int], optimum: int) -> str:
    gap = 100 * (median(lengths) / optimum - 1)
    return f"{gap:.2f} % above the optimum" if gap else "optimal"


def _published(entry: str, row: str, column: str, unit: float, machine: str) -> str:
    paper, of = find(entry)
    authors = " and ".join(name.split()[-1] for name in paper.authors.split(", "))
    if authors.count(" and ") > 1:
        authors = f"{authors.partition(' and ')[0]} et al."
    return f"{_time(unit * of.figures()[row][column])} on {machine} ({authors}, {of.place.partition(',')[0]})"


def rows() -> Iterator[Row]:
    """All lines."""
    yield from _two_opt()
    yield from _ants()
    yield from _held_karp()


def _two_opt() -> Iterator[Row]:
    file = "two_opt_h200.json"
    ours = (
        f"{_time(median(_entry(file, 'finish', name=name, instance='kroA100', climbers=100_000)['seconds']))} `{name}`"
        for name in ("multi-move", "strip", "calculated")
    )
    published = _published("utne-hansen/table-2", "calculated", "100,000", 1e-3, "an A100")
    yield Row("100,000 climbers of kroA100 to their local optima", ", ".join(ours), file, published)
    pace = median(_entry(file, "throughput", name="strip", n=1000)["moves_per_second"]) / 1e9
    yield Row("2-opt moves evaluated, 1,000 cities", f"{pace:,.0f} billion a second `strip`", file)


def _ants() -> Iterator[Row]:
    file = "ant_system_h200.json"
    ours = []
    for way in ("warp, nearest-first", "block, hybrid"):
        found = _entry(file, "runs", way=way, instance="pr1002")
        both = zip(found["set_up_seconds"], found["seconds"], strict=True)
        ours.append(f"{_time(median(begun + rest for begun, rest in both))} `{way.partition(',')[0]}`")
    published = _published("uchida/table-iv", "pr1002", "GPU", 1e-3, "a GTX 580")
    yield Row("100 iterations of Ant System, 1,002 ants, pr1002", ", ".join(ours), file, published)
    acs = _entry("acs_h200.json", "quality", way="warp, deferred, lists")
    length = _above(acs["best"], acs["optimum"])
    work = f"{acs['iterations']} iterations of Ant Colony System, {acs['ants']} ants with 2-opt, {acs['instance']}"
    yield Row(work, f"{_time(median(acs['seconds']))}, {length}", "acs_h200.json")
    mmas = _entry(file, "max-min", way="2-opt", instance="pr1002")
    length = _above(mmas["best"], mmas["optimum"])
    work = "100 iterations of MAX-MIN Ant System with 2-opt, pr1002"
    yield Row(work, f"{_time(median(mmas['seconds']))}, {length}", file)


def _held_karp() -> Iterator[Row]:
    file = "held_karp_h200.json"
    for part, n, name in (("cities", 20, "20 cities"), ("optima", 29, "bayg29"), ("cities", 35, "35 cities")):
        like = {"instance": name} if part == "optima" else {"n": n}
        found = _entry(file, part, way="cuda", item=2, **like)
        row, column = "Held-Karp, 20 cities", "GPU"
        published = _published("qin-han/table-1", row, column, 1, "an RTX 2080") if n == 20 else ""
        yield Row(f"Held-Karp's layers, {name}", _time(1e-3 * median(found["milliseconds"])), file, published)


def table() -> str:
    """The table in Markdown."""
    lines = [f"| {' | '.join(_HEAD)} |", f"|{' --- |' * len(_HEAD)}"]
    for row in rows():
        machine = _results(row.file)["machine"]
        card = f"{machine['device']['name'].removeprefix('NVIDIA ')}, {machine['date']}"
        lines.append(f"| {row.work} | {row.ours} | {card} | {row.published} |")
    return "\n".join(lines)


def replaced(text: str) -> str:
    """A text with the table as it is now between its marks.

    Raises
    ------
    ValueError
        If it does not have both marks.
    """
    before, mark, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not mark or not end:
        raise ValueError(f"The text lacks {BEGIN} or {END}.")
    return f"{before}{BEGIN}\n\n{table()}\n\n{END}{after}"
