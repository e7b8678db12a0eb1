"""The median gaps of a study as a table for LaTeX with the package booktabs."""

from pathlib import Path

import numpy as np

from data.files import write_whole
from studies.printing import cell
from studies.reader import StudyReader
from studies.references import BEST_HERE, BEST_KNOWN
from studies.summary import Summary, summarise

_ESCAPED = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "_": r"\_", "%": r"\%",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': "''",
}  # fmt: skip
_MARKS = {BEST_KNOWN: r"\textsuperscript{*}", BEST_HERE: r"\textsuperscript{\dag}"}
_NOTES = {
    BEST_KNOWN: r"\textsuperscript{*}\,above the best tour known, not proven optimal",
    BEST_HERE: r"\textsuperscript{\dag}\,above the best tour of this study",
}


def check() -> None:
    """Nothing is needed."""


def export(reader: StudyReader, path: Path) -> None:
    """Write a ``table``: a row an instance, a column an entry, the least median of a row in bold."""
    write_whole(path, latex_text(reader).encode())


def latex_text(reader: StudyReader) -> str:
    """The same as text."""
    found, seeds = summarise(reader.table()), reader.spec.seeds
    columns = len(found.table.entries.labels)
    notes = "".join(f"; {note}" for kind, note in _NOTES.items() if kind in found.held.kind)
    title = f"{escaped(reader.spec.title)}: median" if reader.spec.title else "Median"
    runs = "seed" if seeds.count == 1 else "seeds"
    return "\n".join(
        [
            "% Needs \\usepackage{booktabs}",
            r"\begin{table}",
            r"  \centering",
            rf"  \caption{{{title} gap in \% over {seeds.count} {runs}{notes}.}}",
            rf"  \begin{{tabular}}{{l{'r' * columns}}}",
            r"    \toprule",
            f"    {_line(['Instance', *map(escaped, found.table.entries.labels)])}",
            r"    \midrule",
            *[f"    {line}" for line in _lines(found)],
            r"    \bottomrule",
            r"  \end{tabular}",
            r"\end{table}",
            "",
        ]
    )


def escaped(text: str) -> str:
    """A text whose every character LaTeX sets as it is."""
    return "".join(_ESCAPED.get(character, character) for character in text)


def _lines(found: Summary) -> list[str]:
    lines = []
    for name, kind, row in zip(found.table.instances.names, found.held.kind, found.median, strict=True):
        least = np.nanmin(row) if not np.isnan(row).all() else np.nan
        cells = [rf"\textbf{{{cell(gap)}}}" if np.isfinite(gap) and gap == least else _plain(cell(gap)) for gap in row]
        lines.append(_line([escaped(name) + _MARKS.get(kind, ""), *cells]))
    return lines


def _plain(text: str) -> str:
    return "--" if text == "-" else text


def _line(cells: list[str]) -> str:
    return rf"{' & '.join(cells)} \\"
