"""Tests which entries are better: a matrix of verdicts, average ranks, and all comparisons."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from dash import Dash, Input, Output, html

from components.shell import facts
from components.shell.callbacks import in_thread, outputs
from components.shell.controls import hyphenate_names
from components.shell.numbers import format_fixed, format_measure, format_short, format_signed
from components.shell.texts import study as text
from components.study import ids
from components.study.curves import connect_scripts, find_instance, read_snapshot, select_runs
from components.study.ids import store
from components.study.matrix import entry_styles
from components.study.tables import TableJson, build_table, place
from components.types import Json, JsonObject
from runs.language import per_language
from runs.study_jobs.service import StudyService
from runs.study_jobs.snapshots import StudySnapshot
from studies.report.finding import describe_finding
from studies.report.sentences import describe_ranks, list_cautions
from studies.report.verdicts import Verdict, list_verdicts
from studies.stats.compare import LEVEL
from studies.stats.table import Table

#: Maximum number of comparisons in the table: those with the smallest p-values.
_MAX_ROWS = 100
#: Maximum number of entries in the matrix of verdicts.
_MAX_ENTRIES = 24
#: Signs of the verdicts, so that colour is never the only difference.
_SIGNS = {"better": "\u25b2", "worse": "\u25bc", "split": "\u25c6", "none": "\u2013", "alike": "="}
_HEADS = per_language(lambda: (
    text("table.instance"), text("tests.shorter"), text("tests.longer"), text("tests.p"), text("tests.corrected"),
    text("tests.a12"), text("tests.effect"),
))  # fmt: skip


def panel() -> html.Section:
    """Return cautions, the matrix of verdicts, and tables of ranks and comparisons."""
    return html.Section(
        [
            html.H2(text("tests.heading")),
            html.Div(
                id=ids.WORDS,
                className="studies-words",
                tabIndex=0,
                role="group",
                **hyphenate_names(aria_label=text("tests.heading"), aria_live="off"),
            ),
            *place(ids.VERDICTS),
            html.P(id=ids.RANKS_SAY, className="note"),
            *place(ids.RANKS),
            html.Details([html.Summary(text("tests.every")), *place(ids.COMPARED)], className="more"),
        ],
        className="studies-compare",
    )


def _relabel(snapshot: StudySnapshot) -> Table:
    """Return the study's table under the page's labels."""
    titles = [style["title"] for style in entry_styles(snapshot)]
    shown = dict(zip((entry.label for entry in snapshot.spec.entries), titles, strict=True))
    entries = snapshot.table.entries
    labels = tuple(shown.get(label, label) for label in entries.labels)
    return replace(snapshot.table, entries=replace(entries, labels=labels))


def describe_limits(snapshot: StudySnapshot) -> str:
    """Describe the results' limits, one sentence a line."""
    if not snapshot.table.runs.length.size:
        return text("charts.none")
    comparisons, _ = snapshot.comparisons
    return "\n".join(
        facts.localise(caution) for caution in list_cautions(_relabel(snapshot), snapshot.references, comparisons)
    )


def make_finding(snapshot: StudySnapshot) -> str:
    """Return the study's finding, if any; empty for a tuning study, whose panel reports it."""
    if snapshot.tuning is not None or not snapshot.table.runs.length.size:
        return ""
    return facts.localise(describe_finding(_relabel(snapshot), snapshot.references, *snapshot.comparisons))


def build_verdict_matrix(snapshot: StudySnapshot, chosen: Json) -> JsonObject | None:
    """Return the verdicts on all pairs of entries for `assets/common/charts/tables.js`; None without comparisons.

    ``cells`` has a list for each entry, with its verdicts against all others in the same order: ``outcome``, ``sign``,
    ``text`` and ``detail``; None on the diagonal.
    """
    styles, number = entry_styles(snapshot)[:_MAX_ENTRIES], find_instance(snapshot, chosen)
    comparisons, _ = snapshot.comparisons
    if not comparisons.p.size:
        return None
    by_pair = list_verdicts(comparisons, number)
    names = range(len(styles))
    cells = [[None if row == column else _cell(by_pair.get((row, column))) for column in names] for row in names]
    if number is None and len(snapshot.instances) > 1:
        title, more = text("verdict.title"), [text("verdict.several")]
    else:
        title, more = text("verdict.title-of", instance=snapshot.instances[number or 0].name), []
    if len(styles) < len(snapshot.spec.entries):
        more.append(text("verdict.cut", most=len(styles), all=len(snapshot.spec.entries)))
    note = " ".join([text("verdict.note", level=format_short(LEVEL), count=comparisons.p.size), *more])
    return {"title": title, "corner": text("verdict.entry"), "entries": styles, "cells": cells, "note": note}


def _cell(verdict: Verdict | None) -> dict[str, str]:
    """Format a verdict as a word, with its numbers."""
    if verdict is None:
        return {"outcome": "unknown", "sign": "", "text": text("verdict.unknown"), "detail": ""}
    several = "-on" if verdict.instances > 1 and verdict.outcome in ("better", "worse") else ""
    counts = {"wins": verdict.wins, "losses": verdict.losses, "all": verdict.instances}
    values = {"a12": format_fixed(verdict.a12, 2), "p": format_measure(verdict.p)}
    detail = text("verdict.detail-none", **values)  # a difference that is not shown has no size
    if verdict.outcome in ("better", "worse"):
        values["effect"] = verdict.effect
        detail = text("verdict.detail", **values)
        if np.isfinite(verdict.difference):
            median = text("verdict.median", difference=format_signed(verdict.difference))
            detail = text("verdict.detail-median", median=median, **values)
    return {
        "outcome": verdict.outcome,
        "sign": _SIGNS[verdict.outcome],
        "text": text(f"verdict.{verdict.outcome}{several}", **counts),
        "detail": "" if verdict.outcome == "alike" else detail,
    }


def build_rank_table(snapshot: StudySnapshot) -> tuple[str, TableJson | None]:
    """Return the average ranks in words and as a table."""
    if not snapshot.table.runs.length.size:
        return "", None
    _, ranks = snapshot.comparisons
    styles, rows = entry_styles(snapshot), []
    for k in np.argsort(ranks.average, kind="stable") if ranks.instances.size else ():
        style = styles[int(ranks.entries[k])]
        rows.append([style["letter"], style["title"], format_fixed(ranks.average[k], 2)])
    heads = (text("table.letter"), text("table.entry"), text("ranks.average"))
    return facts.localise(describe_ranks(_relabel(snapshot), ranks)), build_table(text("ranks.title"), heads, rows)


def build_comparison_table(snapshot: StudySnapshot, chosen: Json) -> TableJson | None:
    """Return comparisons on the chosen instance or all, most significant first."""
    if not snapshot.table.runs.length.size:
        return None
    comparisons, _ = snapshot.comparisons
    chosen_rows = np.isin(comparisons.instance, np.unique(select_runs(snapshot, chosen).runs.instance))
    rows = np.flatnonzero(chosen_rows)
    rows = rows[np.argsort(comparisons.p[rows], kind="stable")]
    labels = [f"{style['letter']} {style['title']}" for style in entry_styles(snapshot)]
    cells = []
    for row in rows[:_MAX_ROWS].tolist():
        ahead = comparisons.a12[row] >= 0.5
        pair = (comparisons.first[row], comparisons.second[row])[:: 1 if ahead else -1]
        a12 = comparisons.a12[row] if ahead else 1 - comparisons.a12[row]
        names = [labels[int(entry)] for entry in pair]
        name = snapshot.instances[int(comparisons.instance[row])].name
        numbers = (format_measure(comparisons.p[row]), format_measure(comparisons.corrected[row]), format_fixed(a12, 2))
        cells.append([name, *names, *numbers, comparisons.effect(row)])
    note = text("tests.note", count=comparisons.p.size)
    if rows.size > _MAX_ROWS:
        note += " " + text("tests.cut", most=_MAX_ROWS, all=rows.size)
    return build_table(text("tests.title"), _HEADS(), cells, note)


class ComparisonView(NamedTuple):
    """Contents of the comparisons panel."""

    words: str = ""
    finding: str = ""
    verdicts: JsonObject | None = None
    ranks_say: str = ""
    ranks: TableJson | None = None
    compared: TableJson | None = None


def build_view(studies: StudyService, shown: Json, chosen: Json) -> ComparisonView:
    """Return the current study's cautions, verdicts, ranks and comparisons."""
    snapshot, refused = read_snapshot(studies, shown)
    if snapshot is None:
        return ComparisonView(refused)
    return ComparisonView(
        describe_limits(snapshot), make_finding(snapshot), build_verdict_matrix(snapshot, chosen),
        *build_rank_table(snapshot),
        build_comparison_table(snapshot, chosen),
    )  # fmt: skip


def register(app: Dash, studies: StudyService) -> None:
    """Update the comparisons when results change, after the charts, as SciPy loads slowly."""

    app.callback(
        *outputs("children", ids.WORDS, ids.FINDING),
        Output(store(ids.VERDICTS), "data"),
        Output(ids.RANKS_SAY, "children"),
        *outputs("data", store(ids.RANKS), store(ids.COMPARED)),
        Input(ids.LATER, "data"),
        Input(ids.CHOSEN, "value"),
    )(in_thread(build_view, studies))

    connect_scripts(app, "verdicts", ids.VERDICTS)
