"""Whether one entry is better than another: in words first, then as a table, and their average ranks."""

from typing import Any, NamedTuple

import dash
import numpy as np
from dash import Input, Output, html

from components.shell import facts
from components.shell.callbacks import in_thread
from components.shell.controls import attributes
from components.shell.numbers import fixed, measure
from components.shell.texts import study as text
from components.study import ids
from components.study.curves import part, snapshot_of
from components.study.ids import store
from components.study.matrix import styles_of
from components.study.tables import TableJson, place, table_of
from runs.study_jobs.snapshots import StudySnapshot
from studies.report.sentences import ranks_in_words, sentences

#: Comparisons that the table shows; of more, those with the least p-values.
_MOST = 100
#: Most sentences that the page shows.
_SENTENCES = 60
_HEADS = (
    text("table.instance"), text("tests.shorter"), text("tests.longer"), text("tests.p"), text("tests.corrected"),
    text("tests.a12"), text("tests.effect"),
)  # fmt: skip


def panel() -> html.Section:
    """The results of the comparisons in words, and their tables below."""
    return html.Section(
        [
            html.H2(text("tests.heading")),
            html.Div(
                id=ids.WORDS,
                className="studies-words",
                tabIndex=0,
                role="group",
                **attributes(aria_label=text("tests.heading"), aria_live="off"),
            ),
            html.P(id=ids.RANKS_SAY, className="note"),
            *place(ids.RANKS),
            html.Details([html.Summary(text("tests.every")), *place(ids.COMPARED)], className="more"),
        ],
        className="studies-compare",
    )


def all_sentences(snapshot: StudySnapshot) -> str:
    """Cautions, then a sentence for each pair of entries, one per line."""
    if not snapshot.table.runs.length.size:
        return text("charts.none")
    comparisons, _ = snapshot.compared
    lines = [facts.thinned(each) for each in sentences(snapshot.table, snapshot.references, comparisons)]
    more = [text("tests.more", count=len(lines) - _SENTENCES)] if len(lines) > _SENTENCES else []
    return "\n".join([*lines[:_SENTENCES], *more])


def rank_table(snapshot: StudySnapshot) -> tuple[str, TableJson | None]:
    """The average ranks in words and as a table."""
    if not snapshot.table.runs.length.size:
        return "", None
    _, ranks = snapshot.compared
    styles, rows = styles_of(snapshot), []
    for k in np.argsort(ranks.average, kind="stable") if ranks.instances.size else ():
        style = styles[int(ranks.entries[k])]
        rows.append([style["letter"], style["title"], fixed(ranks.average[k], 2)])
    heads = (text("table.letter"), text("table.entry"), text("ranks.average"))
    return ranks_in_words(snapshot.table, ranks), table_of(text("ranks.title"), heads, rows)


def comparison_table(snapshot: StudySnapshot, chosen: Any) -> TableJson | None:
    """The comparisons of the chosen instance, or of all, the most significant first."""
    if not snapshot.table.runs.length.size:
        return None
    comparisons, _ = snapshot.compared
    chosen_rows = np.isin(comparisons.instance, np.unique(part(snapshot, chosen).runs.instance))
    rows = np.flatnonzero(chosen_rows)
    rows = rows[np.argsort(comparisons.p[rows], kind="stable")]
    labels = [f"{style['letter']} {style['title']}" for style in styles_of(snapshot)]
    cells = []
    for row in rows[:_MOST].tolist():
        ahead = comparisons.a12[row] >= 0.5
        pair = (comparisons.first[row], comparisons.second[row])[:: 1 if ahead else -1]
        a12 = comparisons.a12[row] if ahead else 1 - comparisons.a12[row]
        names = [labels[int(entry)] for entry in pair]
        name = snapshot.instances[int(comparisons.instance[row])].name
        numbers = (measure(comparisons.p[row]), measure(comparisons.corrected[row]), fixed(a12, 2))
        cells.append([name, *names, *numbers, comparisons.effect(row)])
    note = text("tests.note", count=comparisons.p.size)
    if rows.size > _MOST:
        note += " " + text("tests.cut", most=_MOST, all=rows.size)
    return table_of(text("tests.title"), _HEADS, cells, note)


class ComparisonView(NamedTuple):
    """The contents of the panel of comparisons."""

    words: Any = ""
    ranks_say: Any = ""
    ranks: Any = None
    compared: Any = None


def view_of(studies, shown: Any, chosen: Any) -> ComparisonView:
    """Sentences, ranks and comparisons of the study that is shown."""
    snapshot, refused = snapshot_of(studies, shown)
    if snapshot is None:
        return ComparisonView(refused)
    return ComparisonView(all_sentences(snapshot), *rank_table(snapshot), comparison_table(snapshot, chosen))


def register(app: dash.Dash, studies) -> None:
    """Compare once there are new results; after the charts, since SciPy is slow to load."""

    app.callback(
        Output(ids.WORDS, "children"),
        Output(ids.RANKS_SAY, "children"),
        Output(store(ids.RANKS), "data"),
        Output(store(ids.COMPARED), "data"),
        Input(ids.LATER, "data"),
        Input(ids.CHOSEN, "value"),
    )(in_thread(view_of, studies))
