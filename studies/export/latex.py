"""Exports median gaps and verdicts as LaTeX tables with the package booktabs."""

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from data.files import EVERYBODY, write_whole
from studies.file.reader import StudyReader
from studies.report.summary import Summary, summarise
from studies.report.terminal import format_gap
from studies.report.verdicts import Verdict, list_verdicts
from studies.stats.compare import LEVEL, Comparisons, compare
from studies.stats.references import BEST_HERE, BEST_KNOWN

_ESCAPED = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "_": r"\_", "%": r"\%",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': "''", "'": r"\textquotesingle{}", "`": r"\textasciigrave{}",
}  # fmt: skip
_MARKS = {BEST_KNOWN: r"\textsuperscript{*}", BEST_HERE: r"\textsuperscript{\dag}"}
_NOTES = {
    BEST_KNOWN: r"\textsuperscript{*}\,above the best tour known, not proven optimal",
    BEST_HERE: r"\textsuperscript{\dag}\,above the best tour of this study",
}


def export(reader: StudyReader, path: Path) -> None:
    """Write a ``table`` of median gaps: instances as rows, entries as columns, each row's smallest in bold.

    A second table has the verdicts on all pairs of entries, if there are any.
    """
    write_whole(path, format_latex(reader).encode(), EVERYBODY)


def format_latex(reader: StudyReader) -> str:
    """Format the tables as text."""
    table = reader.table()
    summary, comparisons = summarise(table), compare(table)
    columns = len(summary.table.entries.labels)
    notes = "".join(f"; {note}" for kind, note in _NOTES.items() if kind in summary.references.kind)
    title = f"{escape(reader.spec.title)}: median" if reader.spec.title else "Median"
    return "\n".join(
        [
            "% Needs \\usepackage{booktabs}; names in other scripts than Latin need XeLaTeX or LuaLaTeX.",
            r"\begin{table}",
            r"  \centering",
            rf"  \caption{{{title} gap in \% over {_describe_seeds(summary, reader.spec.seeds.count)}{notes}.}}",
            rf"  \begin{{tabular}}{{l{'r' * columns}}}",
            r"    \toprule",
            f"    {_format_row(['Instance', *map(escape, summary.table.entries.labels)])}",
            r"    \midrule",
            *[f"    {line}" for line in _format_gap_rows(summary)],
            r"    \bottomrule",
            r"  \end{tabular}",
            r"\end{table}",
            *(_format_verdict_table(summary.table.entries.labels, comparisons) if comparisons.p.size else ()),
            "",
        ]
    )


def _format_verdict_table(labels: Sequence[str], comparisons: Comparisons) -> list[str]:
    """Format the table of verdicts between entries, with numbers as column heads."""
    by_pair, columns = list_verdicts(comparisons), range(len(labels))
    rows = [
        _format_row(
            [f"{a + 1}\\,{escape(label)}", *(_format_verdict(by_pair.get((a, b))) if a != b else "" for b in columns)]
        )
        for a, label in enumerate(labels)
    ]
    return [
        "",
        r"\begin{table}",
        r"  \centering",
        r"  \caption{Rows against columns: on how many instances shorter (\(+\)) and longer (\(-\)), and \(\circ\)",
        rf"    where no difference is shown (Mann--Whitney or sign test, Holm's correction for {comparisons.p.size}",
        rf"    comparisons, \(p < {LEVEL:g}\)); in brackets the median \(A_{{12}}\),",
        r"    the probability that the row finds the shorter tour.}",
        rf"  \begin{{tabular}}{{l{'c' * len(labels)}}}",
        r"    \toprule",
        f"    {_format_row(['', *(str(number + 1) for number in columns)])}",
        r"    \midrule",
        *[f"    {row}" for row in rows],
        r"    \bottomrule",
        r"  \end{tabular}",
        r"\end{table}",
    ]


def _format_verdict(verdict: Verdict | None) -> str:
    """Format a verdict as signs, or as a dash if the entries have no instances in common."""
    if verdict is None:
        return "--"
    signs = [rf"\({verdict.wins}+\)"] * (verdict.wins > 0) + [rf"\({verdict.losses}-\)"] * (verdict.losses > 0)
    marks = " ".join(signs) or r"\(\circ\)"
    return f"{marks} ({verdict.a12:.2f})"


def escape(text: str) -> str:
    """Escape all special characters of LaTeX."""
    escaped = "".join(_ESCAPED.get(character, character) for character in text)
    escaped = re.sub("-(?=-)", "-{}", escaped)  # two hyphens would become a dash
    return (
        f"{{{escaped[0]}}}{escaped[1:]}" if escaped.startswith(("[", "*")) else escaped
    )  # otherwise LaTeX takes it as the argument of the row's end


def _format_gap_rows(summary: Summary) -> list[str]:
    lines = []
    for name, kind, row in zip(summary.table.instances.names, summary.references.kind, summary.median, strict=True):
        smallest = np.nanmin(row) if not np.isnan(row).all() else np.nan
        cells = [
            rf"\textbf{{{_format_gap(gap)}}}" if np.isfinite(gap) and gap == smallest else _format_gap(gap)
            for gap in row
        ]
        lines.append(_format_row([escape(name) + _MARKS.get(kind, ""), *cells]))
    return lines


def _describe_seeds(summary: Summary, count: int) -> str:
    """Say how many seeds the medians cover and, if runs are missing, how many were planned."""
    counts = summary.runs[summary.runs > 0]
    least, most = (int(counts.min()), int(counts.max())) if counts.size else (0, 0)
    name = "seed" if count == 1 else "seeds"
    if least == count:
        return f"{count} {name}"
    return f"{least if least == most else f'{least} to {most}'} of {count} {name}"


def _format_gap(gap: float) -> str:
    """Format a gap for the table; NaN becomes a dash."""
    text = format_gap(gap)
    return "--" if text == "-" else text.replace("<", r"\textless{}").replace(">", r"\textgreater{}")


def _format_row(cells: list[str]) -> str:
    return rf"{' & '.join(cells)} \\"
