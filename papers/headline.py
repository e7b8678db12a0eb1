"""The table of headline figures in ``docs/gpu.md``: medians of committed results beside published ones.

``python -m papers headline`` prints it; ``--write docs/gpu.md`` writes it between the two marks in that file.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

from papers import committed
from papers.catalogue import find
from papers.committed import ACS, ANTS, HELD_KARP, TWO_OPT

#: Marks around the table in ``docs/gpu.md``.
BEGIN, END = "<!-- begin of the headline figures -->", "<!-- end of the headline figures -->"
_HEAD = ("work", "TourScope", "GPU, date", "published")


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table.

    Attributes
    ----------
    work : str
        The task.
    ours : str
        TourScope's medians, each with its variant.
    file : str
        File of the results.
    published : str
        A paper's figure for the same task with its source; empty if there is none.
    """

    work: str
    ours: str
    file: str
    published: str = ""


def _format_time(seconds: float) -> str:
    """Format a time with three digits: 12.4 ms, 2,079 s."""
    value, unit = (seconds, "s") if seconds >= 1 else (1e3 * seconds, "ms")
    return f"{value:,.{0 if value >= 100 else 1 if value >= 10 else 2}f} {unit}"


def _format_gap(lengths: list[int], optimum: int) -> str:
    gap = 100 * (median(lengths) / optimum - 1)
    return f"{gap:.2f} % above the optimum" if gap else "optimal"


def _format_published(entry: str, row: str, column: str, unit: float, machine: str) -> str:
    paper, item = find(entry)
    authors = " and ".join(name.split()[-1] for name in paper.authors.split(", "))
    if authors.count(" and ") > 1:
        authors = f"{authors.partition(' and ')[0]} et al."
    return (
        f"{_format_time(unit * item.figures()[row][column])} on {machine} ({authors}, {item.place.partition(',')[0]})"
    )


def build_rows() -> Iterator[Row]:
    """Yield all rows of the table."""
    yield from _build_two_opt_rows()
    yield from _build_ant_rows()
    yield from _build_held_karp_rows()


def _build_two_opt_rows() -> Iterator[Row]:
    names = ("multi-move", "strip", "calculated")
    ours = ", ".join(f"{_format_time(committed.climb_time(name, 100_000) / 1e3)} `{name}`" for name in names)
    published = _format_published("utne-hansen/table-2", "calculated", "100,000", 1e-3, "an A100")
    with_note = f"{published}, whose climbs stop early"
    yield Row("100,000 climbers of kroA100 to their local optima", ours, TWO_OPT, with_note)
    pace = f"{committed.pace('strip', 1000):,.0f} billion a second `strip`"
    yield Row("2-opt moves evaluated, 1,000 cities", pace, TWO_OPT)


def _build_ant_rows() -> Iterator[Row]:
    variants = ("warp, nearest-first", "block, hybrid")
    ours = (
        f"{_format_time(committed.hundred_iterations_time(variant, 'pr1002') / 1e3)} `{variant.partition(',')[0]}`"
        for variant in variants
    )
    published = _format_published("uchida/table-iv", "pr1002", "GPU", 1e-3, "a GTX 580")
    yield Row("100 iterations of Ant System, 1,002 ants, pr1002", ", ".join(ours), ANTS, published)
    acs = committed.find_entry(ACS, "quality", way="warp, deferred, lists")
    length = _format_gap(acs["best"], acs["optimum"])
    work = f"{acs['iterations']} iterations of Ant Colony System, {acs['ants']} ants with 2-opt, {acs['instance']}"
    yield Row(work, f"{_format_time(median(acs['seconds']))}, {length}", ACS)
    mmas = committed.find_entry(ANTS, "max-min", way="2-opt", instance="pr1002")
    length = _format_gap(mmas["best"], mmas["optimum"])
    work = "100 iterations of MAX-MIN Ant System with 2-opt, pr1002"
    yield Row(work, f"{_format_time(median(mmas['seconds']))}, {length}", ANTS)


def _build_held_karp_rows() -> Iterator[Row]:
    published = _format_published("qin-han/table-1", "Held-Karp, 20 cities", "GPU", 1, "an RTX 2080")
    yield Row("Held-Karp's layers, 20 cities", _format_time(committed.layers_time(20) / 1e3), HELD_KARP, published)
    bayg29 = committed.find_entry(HELD_KARP, "optima", way="cuda", instance="bayg29")
    yield Row("Held-Karp's layers, bayg29", _format_time(median(bayg29["milliseconds"]) / 1e3), HELD_KARP)
    yield Row("Held-Karp's layers, 35 cities", _format_time(committed.layers_time(35) / 1e3), HELD_KARP)


def format_table() -> str:
    """Format the table in Markdown."""
    lines = [f"| {' | '.join(_HEAD)} |", f"|{' --- |' * len(_HEAD)}"]
    for row in build_rows():
        lines.append(f"| {row.work} | {row.ours} | {committed.cite(row.file)} | {row.published} |")
    return "\n".join(lines)


def replace_table(text: str) -> str:
    """Replace the table between the begin and end markers in a text.

    Raises
    ------
    ValueError
        If the text lacks one of the markers.
    """
    before, mark, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not mark or not end:
        raise ValueError(f"The text lacks {BEGIN} or {END}.")
    return f"{before}{BEGIN}\n\n{format_table()}\n\n{END}{after}"
