"""An entry's figures as files: CSV of every figure, LaTeX of the table."""

import csv
import io
from collections.abc import Iterator, Sequence

from components.papers.sources import Source, machine_name, merge_columns, merge_rows
from components.papers.table import compare_figure
from papers.model import Entry, Paper
from studies.export.latex import escape

_HEAD = ("row", "column", "unit", "source", "machine", "date", "quick", "figure", "samples", "ratio")


def format_csv(entry: Entry, sources: Sequence[Source]) -> str:
    """Return the CSV with a line per figure and source; samples are separated by spaces."""
    output = io.StringIO()
    writer = csv.writer(output)
    writer.writerow(_HEAD)
    for row in merge_rows(sources):
        for column, unit in merge_columns(sources).items():
            for source in sources:
                value = source.figures.figure(row, column)
                if value is not None:
                    times = compare_figure(entry, row, column, unit, value) if source.result else None
                    writer.writerow(
                        [row, column, unit, *_list_facts(source, row, column), f"{times:.4g}" if times else ""]
                    )
    return output.getvalue()


def _list_facts(source: Source, row: str, column: str) -> Iterator[str]:
    """Yield source, machine, date, whether it is the short form, figure and samples."""
    value = source.figures.figure(row, column)
    result = source.result
    if result is None:
        of = (source.code.machine, source.code.date) if source.code else ("", "")
        yield from (source.label, *of, "", f"{value!r}", "")
        return
    samples = dict(zip(result.measured.columns, result.measured.rows.get(row, ()), strict=False)).get(column, [])
    yield from (source.label, machine_name(result), str(result.machine.get("date", "")), str(int(result.quick)))
    yield from (f"{value:.10g}", " ".join(f"{sample:.10g}" for sample in samples))


def format_latex(paper: Paper, entry: Entry, sources: Sequence[Source]) -> str:
    """Return the LaTeX table for the package booktabs, with a line per row and source."""
    columns = merge_columns(sources)
    heads = [escape(f"{column} ({unit})" if unit else column) for column, unit in columns.items()]
    caption = f"{entry.title}: {paper.authors} ({paper.year}), {entry.place}"
    details = " ".join(source.details for source in sources if source.details)
    return "\n".join(
        [
            r"% \usepackage{booktabs}",
            r"\begin{table}",
            r"  \centering",
            rf"  \caption{{{escape(f'{caption}. {details}'.strip())}}}",
            rf"  \begin{{tabular}}{{ll{'r' * len(heads)}}}",
            r"    \toprule",
            f"    {_format_line([escape(sources[0].figures.head), '', *heads])}",
            r"    \midrule",
            *(f"    {line}" for line in _lines(sources, [*columns])),
            r"    \bottomrule",
            r"  \end{tabular}",
            r"\end{table}",
            "",
        ]
    )


def _lines(sources: Sequence[Source], columns: Sequence[str]) -> Iterator[str]:
    for row in merge_rows(sources):
        for source in sources:
            figures = [source.figures.figure(row, column) for column in columns]
            if any(value is not None for value in figures):
                cells = ["--" if value is None else _format_number(value, bool(source.result)) for value in figures]
                yield _format_line([escape(row), escape(source.label), *cells])


def _format_number(value: float, measured: bool) -> str:
    """Format a number as on the page, without separators of thousands."""
    return f"{value:.4g}" if measured and abs(value) < 1000 else f"{round(value)}" if measured else f"{value:.10g}"


def _format_line(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"
