"""A study's matrix: every entry's median gap and number of runs on every instance."""

import numpy as np

from components.shell.facts import localise
from components.shell.numbers import NONE, THIN, format_integer, format_percent
from components.shell.texts import study as text
from components.study import entries as study_entries
from components.types import JsonObject
from runs.language import per_language
from runs.study_jobs.snapshots import StudySnapshot
from studies.stats.references import BEST_HERE, BEST_KNOWN

#: Value that stands for all instances.
ALL = "all"
#: Maximum number of cells; if there are more, only the first instances are shown, with a note.
_MAX_CELLS = 2000
_MARKS = {BEST_KNOWN: "*", BEST_HERE: "\u2020"}
_NOTES = per_language(lambda: {BEST_KNOWN: text("matrix.best-known"), BEST_HERE: text("matrix.best-here")})


def entry_styles(snapshot: StudySnapshot) -> list[dict[str, str]]:
    """Return the letters and colours of a study's entries."""
    return study_entries.series_style([study_entries.entry_to_json(entry) for entry in snapshot.spec.entries])


def build_matrix(snapshot: StudySnapshot) -> tuple[JsonObject, str]:
    """Return the matrix for `assets/common/charts/tables.js`, and a note."""
    limit = max(1, _MAX_CELLS // len(snapshot.spec.entries))
    count = len(snapshot.instances[:limit])
    rows = [_row(snapshot, number) for number in range(count)]
    return {"entries": entry_styles(snapshot), "rows": rows}, _note(snapshot, count)


def _row(snapshot: StudySnapshot, number: int) -> JsonObject:
    """Return an instance's row: name, and each entry's median gap, finished runs, and whether its gap is smallest."""
    median, runs = snapshot.medians
    instance, kind = snapshot.instances[number], snapshot.references.kind[number]
    gaps = median[number][np.isfinite(median[number])]
    least = gaps.min() if gaps.size > 1 else np.nan
    cells = [
        _cell(gap, count, snapshot.spec.seeds.count, gap == least)
        for gap, count in zip(median[number].tolist(), runs[number].tolist(), strict=True)
    ]
    return {"name": instance.name, "mark": _MARKS.get(kind, ""), "n": format_integer(instance.n), "cells": cells}


def _cell(gap: float, runs: int, seeds: int, is_smallest: bool) -> JsonObject:
    """Return a cell; ``done`` is the percentage of finished runs, absent once all are."""
    cell: JsonObject = {"text": format_gap(gap) if runs else NONE, "least": bool(is_smallest)}
    return cell if runs == seeds else {**cell, "runs": f"{runs}/{seeds}", "done": round(100 * runs / seeds)}


def format_gap(gap: float) -> str:
    """Format a gap in per cent, with enough digits to differ from 0."""
    if not np.isfinite(gap):
        return text("matrix.no-tour") if gap == np.inf else NONE
    return format_percent(gap).removeprefix("+") if gap else f"0{THIN}%"


def _note(snapshot: StudySnapshot, shown: int) -> str:
    parts = [text("matrix.note")]
    parts += [note for kind, note in _NOTES().items() if kind in snapshot.references.kind]
    if shown < len(snapshot.instances):
        parts.append(text("matrix.cut", shown=shown, all=len(snapshot.instances)))
    parts += [
        text("matrix.failed", count=count, sentence=localise(sentence)) for sentence, count in snapshot.failed[:3]
    ]
    return " ".join(parts)
