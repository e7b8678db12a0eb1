"""Formats results on ants as tables in Markdown, with published ones.

Plain Python, so that tables can be made anywhere from the raw samples.
"""

import statistics
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any

from benchmarks.ants import published
from benchmarks.ants.published import PublishedRow

Entry = dict[str, Any]
#: Full number of samples; a star marks fewer.
_SAMPLES = 100


def table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Format a table with its title; the first column is text, the others are numbers."""
    lines = [f"**{title}**", "", _line(head), _line(["---", *["---:"] * (len(head) - 1)]), *map(_line, rows)]
    return "\n".join(lines) + "\n"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def figure(value: float | None) -> str:
    """Format a number with about three significant digits; empty for a missing one."""
    if value is None:
        return ""
    digits = 0 if value >= 100 else 1 if value >= 10 else 2 if value >= 1 else 3 if value >= 0.1 else 4
    return f"{value:,.{digits}f}"


def median(entry: Entry | None, key: str = "milliseconds") -> float | None:
    """Return the median of an entry's samples, if there are any."""
    return statistics.median(entry[key]) if entry and key in entry else None


def pick(entries: Iterable[Entry], **wanted: Any) -> Entry | None:
    """Return the first entry with the given values."""
    return next((entry for entry in entries if all(entry.get(key) == wanted[key] for key in wanted)), None)


def names(entries: Sequence[Entry], key: str) -> list[Any]:
    """Return the distinct values of a key, in the order of their first occurrence."""
    return list(dict.fromkeys(entry[key] for entry in entries))


def published_rows(rows: Iterable[PublishedRow], columns: Sequence[str]) -> list[list[str]]:
    """Return the rows of published figures, with authors and machine."""
    return [
        [f"*{row.name}, {row.machine}* ({row.source})", *(figure(row.find(name)) for name in columns)] for row in rows
    ]


def medians(entries: Sequence[Entry], columns: Sequence[str], key: str = "milliseconds", **like: Any) -> list[str]:
    """Return one cell per instance: the median of the entry with the given values."""
    return [figure(median(pick(entries, instance=name, **like), key)) for name in columns]


def mark_few_samples(entries: Sequence[Entry], columns: Sequence[str], **like: Any) -> list[str]:
    """Return the cells of milliseconds, with a star if there are fewer samples than `_SAMPLES`."""
    results = [pick(entries, instance=name, **like) or {} for name in columns]
    stars = ["*" * (0 < len(entry.get("milliseconds", ())) < _SAMPLES) for entry in results]
    return [cell + star for cell, star in zip(medians(entries, columns, **like), stars, strict=True)]


def iterations(results: Sequence[Entry]) -> Iterator[str]:
    """Compare the iterations of every variant, as a graph and kernel by kernel, with papers and other programs."""
    columns = names(results, "instance")
    head = ["way", *columns]
    for title, graph in (("one CUDA graph an iteration", True), ("kernel by kernel", False)):
        rows = [
            [variant, *mark_few_samples(results, columns, way=variant, graph=graph)]
            for variant in names(results, "way")
        ]
        more = published_rows(published.PEERS, columns) if graph else []
        yield table(f"Milliseconds an iteration, {title} (*: fewer than {_SAMPLES} samples)", head, [*rows, *more])


def constructions(results: Sequence[Entry]) -> Iterator[str]:
    """Yield the times of the phases of an iteration: tables I to III of Uchida et al. and table 2 of Bitner."""
    graphs, columns = [entry for entry in results if "construction" in entry], names(results, "instance")
    rows = []
    for selection, value in published.SELECTIONS.items():
        entry = pick(graphs, way=f"block, {selection}", instance="pr1002")
        ours = [figure(median(entry, key)) for key in ("construction", "choice")]
        rows.append([selection, *ours, figure(value)])
    head = ["selection", "construction", "made ready for it", "published, GTX 580"]
    yield table("Uchida et al., table I: milliseconds of the tours of pr1002", head, rows)
    head = ["", *columns]
    for title, key, others, variants in (
        ("Uchida et al., table II: milliseconds of the tours", "construction", published.CONSTRUCTION,
         ("block, hybrid", "warp, nearest-first")),
        ("Uchida et al., table III: milliseconds of the update", "update", published.UPDATE, ("block, hybrid",)),
    ):  # fmt: skip
        rows = [[variant, *medians(graphs, columns, key, way=variant)] for variant in variants]
        yield table(title, head, [*rows, *published_rows(others, columns)])
    rows = [
        [f"{phase}, {variant}", *medians(graphs, columns, phase, way=variant)]
        for variant in ("worker", "queen")
        for phase in ("choice", "construction", "update", "best")
    ]
    yield table(
        "Bitner, table 2: milliseconds of each part", head, [*rows, *published_rows(published.KERNELS, columns)]
    )


def bitner(results: Sequence[Entry]) -> Iterator[str]:
    """Format table 1 of Bitner."""
    columns = names(results, "instance")
    rows = [
        [variant + ", graph" * graph, *mark_few_samples(results, columns, way=variant, graph=graph)]
        for variant in ("worker", "queen")
        for graph in (False, True)
    ]
    head = ["", *columns]
    yield table("Bitner, table 1: milliseconds an iteration", head, [*rows, *published_rows(published.ANTS, columns)])


def gap(entry: Entry | None) -> str:
    """Format the mean of the best lengths over the seeds, and its gap to the optimum."""
    if not entry or "best" not in entry:
        return (entry or {}).get("refused", "")
    mean = statistics.fmean(entry["best"])
    above = f" ({100 * (mean / entry['optimum'] - 1):.2f} %)" if entry.get("optimum") else ""
    return f"{mean:,.{int(len(entry['best']) > 1)}f}{above}"


def runs(results: Sequence[Entry]) -> Iterator[str]:
    """Format table IV of Uchida et al., and the final lengths."""
    columns = names(results, "instance")
    rows = [
        [variant, *(_total(pick(results, way=variant, instance=name)) for name in columns)]
        for variant in names(results, "way")
    ]
    title = "Uchida et al., table IV: milliseconds of the beginning and 100 iterations"
    yield table(title, ["", *columns], [*rows, *published_rows(published.HUNDRED, columns)])
    yield lengths("Best length of 100 iterations, mean over the seeds (above the optimum)", results)


def _total(entry: Entry | None) -> str:
    """Return the milliseconds of a complete run, including its set-up."""
    if not entry or "seconds" not in entry:
        return ""
    both = zip(entry["set_up_seconds"], entry["seconds"], strict=True)
    return figure(1e3 * statistics.median(begin + rest for begin, rest in both))


def lengths(title: str, results: Sequence[Entry], more: Iterable[Sequence[str]] = ()) -> str:
    """Return a table of the best lengths."""
    columns = names(results, "instance")
    rows = [
        [variant, *(gap(pick(results, way=variant, instance=name)) for name in columns)]
        for variant in names(results, "way")
    ]
    return table(title, ["", *columns], [*rows, *more])


def trials(results: Entry) -> Iterator[str]:
    """Format figure 8 of Uchida et al.: the trial that decides an ant's cities."""
    counts, ants = results["choices"], results["ants"]
    upto = list(accumulate(counts))
    rows = []
    for k in (*range(1, 11), 16, 32, 64):
        of_paper = published.WITHIN.get(k)
        share = f"{100 * upto[k - 1] / upto[-1]:.1f} %"
        rows.append([str(k), f"{counts[k - 1] / ants:,.1f}", share, f"about {of_paper:.0f} %" if of_paper else ""])
    rows.append(["none of 64", f"{counts[-1] / ants:,.1f}", f"{100 * counts[-1] / upto[-1]:.1f} %", ""])
    head = ["trial", "cities of an ant", "of all, so far", "published"]
    yield table(f"Uchida et al., figure 8: which trial decides, {results['instance']} after 100 iterations", head, rows)


def switches(results: Sequence[Entry]) -> Iterator[str]:
    """Format figure 9 of Uchida et al.: construction by the hybrid selection over the switch."""
    at = sorted({entry["switch"] for entry in results})
    rows = []
    for k in names(results, "trials"):
        cells = [figure(median(pick(results, trials=k, switch=switch))) for switch in at]
        rows.append([str(k), *cells])
    title = f"Uchida et al., figure 9: milliseconds of the tours of {results[0]['instance']} by hybrid"
    yield table(title, ["w, by the switch in %", *(f"{switch:.0f}" for switch in at)], rows)


def quality(results: Sequence[Entry]) -> Iterator[str]:
    """Format figure 1 of Bitner, which the paper only gives as a picture."""
    yield lengths("Bitner, figure 1: best length of 1,000 iterations, mean over the seeds (above the optimum)", results)


def max_min(results: Sequence[Entry]) -> Iterator[str]:
    """Yield the tables of MAX-MIN Ant System."""
    columns, settings = names(results, "instance"), names(results, "way")
    rows = [[variant, *mark_few_samples(results, columns, way=variant)] for variant in settings]
    more = published_rows(published.MAX_MIN_PEERS, columns)
    yield table("MAX-MIN Ant System: milliseconds an iteration", ["", *columns], [*rows, *more])
    totals = [[variant, *medians(results, columns, "seconds", way=variant)] for variant in settings]
    yield table("MAX-MIN Ant System: seconds of 100 iterations, all told", ["", *columns], totals)
    theirs = published_rows([published.MAX_MIN_LENGTHS], columns)
    yield lengths("MAX-MIN Ant System: best length of 100 iterations, mean over the seeds", results, theirs)


def cpu(results: Sequence[Entry]) -> Iterator[str]:
    """Yield the table of an iteration on CPU cores."""
    columns = names(results, "instance")
    rows = [[variant, *medians(results, columns, way=variant)] for variant in names(results, "way")]
    yield table(
        "Milliseconds an iteration on a CPU", ["", *columns], [*rows, *published_rows([published.CPU], columns)]
    )


#: Functions that make the tables of each part.
PARTS: dict[str, Sequence[Callable[[Any], Iterator[str]]]] = {
    "iterations": (iterations, constructions, bitner),
    "runs": (runs,),
    "trials": (trials,),
    "switch": (switches,),
    "quality": (quality,),
    "max-min": (max_min,),
    "cpu": (cpu,),
}


def join_tables(results: dict[str, Any], parts: dict[str, Sequence[Callable[[Any], Iterator[str]]]]) -> str:
    """Join all tables that have results, in the order of the parts."""
    return "\n".join(
        text for part, makers in parts.items() if results.get(part) for make in makers for text in make(results[part])
    )


def tables(results: dict[str, Any]) -> str:
    """Return all tables with results."""
    return join_tables(results, PARTS)
