"""Formats a study as text for a terminal."""

from collections import Counter

import numpy as np

from data.command_line import format_command
from studies.file.reader import StudyReader
from studies.report.finding import describe_study_finding
from studies.report.shortfalls import describe_shortfalls
from studies.report.summary import Summary, summarise
from studies.report.tuning import format_tuning
from studies.spec.title import make_study_title
from studies.stats.references import BEST_HERE, BEST_KNOWN

#: Marks of gaps that are not relative to a proven optimum.
_MARKS = {BEST_KNOWN: "*", BEST_HERE: "†"}
_NOTES = {
    BEST_KNOWN: "* above the best tour known, which is not proven to be the shortest.",
    BEST_HERE: "† above the best tour of this study: 0 % means the best here, and proves nothing.",
}
#: Mark of a median over fewer runs than seeds.
_INCOMPLETE_MARK, _INCOMPLETE_NOTE = "°", "° of fewer runs than there are seeds."
_MIN_WIDTH = 9
#: Smaller gaps would be rounded to 0.00.
_MIN_SHOWN = 0.005


def format_report(reader: StudyReader) -> str:
    """Return the table of median gaps, the finding, and notes on references and missing runs."""
    table, spec, counts = reader.table(), reader.spec, reader.counts()
    summary, finding = summarise(table), describe_study_finding(table)
    last = spec.seeds.first + spec.seeds.count - 1
    seeds = f"seeds {spec.seeds.first} to {last}" if spec.seeds.count > 1 else f"seed {last}"
    total, remaining = sum(counts.values()), counts["waiting"] + counts["running"]
    names, training = [row.name for row in reader.instances], [row.name for row in reader.training]
    lines = [
        f"{make_study_title(spec, names, training)}: {counts['finished']:,} of {total:,} runs, {seeds}",
        *format_tuning(reader),
        "Median gap in % at the end of the runs",
        "",
        *format_gaps(summary),
        "",
        *([finding] if finding else []),
        *[note for kind, note in _NOTES.items() if kind in summary.references.kind],
        *([_INCOMPLETE_NOTE] if summary.incomplete.any() else []),
        *describe_shortfalls(summary.table, summary.references),
    ]
    if spec.seeds.count == 1:
        lines.append("One seed proves nothing: what differs may be chance alone.")
    if remaining:
        lines.append(f"{_count_runs(remaining)} left: {format_command('solvers')} study {reader.path}")
    lines += _format_failures(reader)
    return "\n".join(lines).rstrip()


def format_gaps(summary: Summary) -> list[str]:
    """Return the table of median gaps, one line per instance."""
    labels, names = summary.table.entries.labels, summary.table.instances.names
    widths = [max(len(label), _MIN_WIDTH) for label in labels]
    first = max(len("instance"), *(len(name) for name in names))
    heading = "  ".join(f"{label:>{width}}" for label, width in zip(labels, widths, strict=True))
    lines = [f"{'instance':<{first}}  {heading}"]
    wide = 2 if summary.incomplete.any() else 1
    for name, kind, row, incomplete in zip(
        names, summary.references.kind, summary.median, summary.incomplete, strict=True
    ):
        marks = [
            f"{_MARKS.get(kind, '') + (_INCOMPLETE_MARK if is_incomplete else ''):<{wide}}"
            for is_incomplete in incomplete
        ]
        cells = [f"{format_gap(gap) + mark:>{width}}" for gap, mark, width in zip(row, marks, widths, strict=True)]
        lines.append(f"{name:<{first}}  {'  '.join(cells)}".rstrip())
    return lines


def format_gap(gap: float) -> str:
    """Format a gap; a hyphen for NaN."""
    if np.isnan(gap):
        return "-"
    if 0 < abs(gap) < _MIN_SHOWN:
        return "<0.01" if gap > 0 else ">-0.01"  # only the reference itself is 0.00
    return "no tour" if np.isinf(gap) else f"{gap:.2f}"


def _format_failures(reader: StudyReader) -> list[str]:
    """Return failed runs with reasons, one line per entry, instance and reason."""
    failed = Counter(
        (row.cell.entry, row.cell.instance, row.sentence) for row in reader.cells() if row.state == "failed"
    )
    labels, names = [entry.label for entry in reader.spec.entries], [row.name for row in reader.instances]
    return [
        f"{_count_runs(count)} of {labels[e]} on {names[i]} failed: {reason}"
        for (e, i, reason), count in failed.items()
    ]


def _count_runs(count: int) -> str:
    return f"{count:,} run{'s' if count != 1 else ''}"
