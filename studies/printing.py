"""A study as text, for a terminal."""

import numpy as np

from studies.reader import StudyReader
from studies.references import BEST_HERE, BEST_KNOWN
from studies.summary import Summary, summarise

#: What stands behind a gap that is not one to a proven optimum.
_MARKS = {BEST_KNOWN: "*", BEST_HERE: "†"}
_NOTES = {
    BEST_KNOWN: "* above the best tour known, which is not proven to be the shortest.",
    BEST_HERE: "† above the best tour of this study: 0 % means the best here, and proves nothing.",
}
_NARROWEST = 9


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
    ]
    if spec.seeds.count == 1:
        lines.append("One seed proves nothing: what differs may be chance alone.")
    if left:
        lines.append(f"{_runs(left)} left: python -m solvers study {reader.path}")
    lines += [f"{_runs(count)} failed: {sentence}" for sentence, count in _failures(reader)]
    return "\n".join(lines).rstrip()


def gap_lines(found: Summary) -> list[str]:
    """The table, a line an instance."""
    labels, names = found.table.entries.labels, found.table.instances.names
    widths = [max(len(label), _NARROWEST) for label in labels]
    first = max(len("instance"), *(len(name) for name in names))
    heading = "  ".join(f"{label:>{width}}" for label, width in zip(labels, widths, strict=True))
    lines = [f"{'instance':<{first}}  {heading}"]
    for name, kind, row in zip(names, found.held.kind, found.median, strict=True):
        cells = [f"{cell(gap) + _MARKS.get(kind, ' '):>{width}}" for gap, width in zip(row, widths, strict=True)]
        lines.append(f"{name:<{first}}  {'  '.join(cells)}".rstrip())
    return lines


def cell(gap: float) -> str:
    """A gap in words; nothing where there is none."""
    if np.isnan(gap):
        return "-"
    return "no tour" if np.isinf(gap) else f"{gap:.2f}"


def _failures(reader: StudyReader) -> list[tuple[str, int]]:
    sentences: dict[str, int] = {}
    for row in reader.cells():
        if row.state == "failed":
            sentences[row.sentence] = sentences.get(row.sentence, 0) + 1
    return list(sentences.items())


def _runs(count: int) -> str:
    return f"{count:,} run{'s' if count != 1 else ''}"
