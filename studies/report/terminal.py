"""A study as text, for a terminal."""

from collections import Counter

import numpy as np

from studies.file.reader import StudyReader
from studies.report.shortfalls import shortfalls_in_words
from studies.report.summary import Summary, summarise
from studies.stats.references import BEST_HERE, BEST_KNOWN

#: What stands behind a gap that is not one to a proven optimum.
_MARKS = {BEST_KNOWN: "*", BEST_HERE: "†"}
_NOTES = {
    BEST_KNOWN: "* above the best tour known, which is not proven to be the shortest.",
    BEST_HERE: "† above the best tour of this study: 0 % means the best here, and proves nothing.",
}
#: What stands behind the median of fewer runs than there are seeds.
_FEWER, _FEWER_NOTE = "°", "° of fewer runs than there are seeds."
_NARROWEST = 9
#: What would be rounded to no gap at all.
_LEAST = 0.005


def text_of(reader: StudyReader) -> str:
    """What a study has come to: a table of median gaps, what it is held against, and what is lacking."""
    found, spec, counts = summarise(reader.table()), reader.spec, reader.counts()
    last = spec.seeds.first + spec.seeds.count - 1
    seeds = f"seeds {spec.seeds.first} to {last}" if spec.seeds.count > 1 else f"seed {last}"
    total, left = sum(counts.values()), counts["waiting"] + counts["running"]
    lines = [
        f"{spec.title or reader.path.name}: {counts['finished']:,} of {total:,} runs, {seeds}",
        "Median gap in % at the end of the runs",
        "",
        *gap_lines(found),
        "",
        *[note for kind, note in _NOTES.items() if kind in found.held.kind],
        *([_FEWER_NOTE] if found.incomplete.any() else []),
        *shortfalls_in_words(found.table, found.held),
    ]
    if spec.seeds.count == 1:
        lines.append("One seed proves nothing: what differs may be chance alone.")
    if left:
        lines.append(f"{_runs(left)} left: python -m solvers study {reader.path}")
    lines += _failures(reader)
    return "\n".join(lines).rstrip()


def gap_lines(found: Summary) -> list[str]:
    """The table, a line an instance."""
    labels, names = found.table.entries.labels, found.table.instances.names
    widths = [max(len(label), _NARROWEST) for label in labels]
    first = max(len("instance"), *(len(name) for name in names))
    heading = "  ".join(f"{label:>{width}}" for label, width in zip(labels, widths, strict=True))
    lines = [f"{'instance':<{first}}  {heading}"]
    wide = 2 if found.incomplete.any() else 1
    for name, kind, row, fewer in zip(names, found.held.kind, found.median, found.incomplete, strict=True):
        marks = [f"{_MARKS.get(kind, '') + (_FEWER if less else ''):<{wide}}" for less in fewer]
        cells = [f"{cell(gap) + mark:>{width}}" for gap, mark, width in zip(row, marks, widths, strict=True)]
        lines.append(f"{name:<{first}}  {'  '.join(cells)}".rstrip())
    return lines


def cell(gap: float) -> str:
    """A gap in words; nothing where there is none."""
    if np.isnan(gap):
        return "-"
    if 0 < abs(gap) < _LEAST:
        return "<0.01" if gap > 0 else ">-0.01"  # 0.00 is for the reference itself
    return "no tour" if np.isinf(gap) else f"{gap:.2f}"


def _failures(reader: StudyReader) -> list[str]:
    """Which runs failed, and why, a line for each entry, instance and reason."""
    failed = Counter(
        (row.cell.entry, row.cell.instance, row.sentence) for row in reader.cells() if row.state == "failed"
    )
    labels, names = [entry.label for entry in reader.spec.entries], [row.name for row in reader.instances]
    return [f"{_runs(count)} of {labels[e]} on {names[i]} failed: {why}" for (e, i, why), count in failed.items()]


def _runs(count: int) -> str:
    return f"{count:,} run{'s' if count != 1 else ''}"
