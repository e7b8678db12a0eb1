"""Whether one entry is better than another: in words first, then as a table, and their average ranks."""

from typing import Any, NamedTuple

import dash
import numpy as np
from dash import Input, Output, html

from components.shell import text
from components.shell.callbacks import in_thread
from components.shell.controls import attributes
from components.study import ids
from components.study.curves import part, seen_of
from components.study.ids import store
from components.study.matrix import looks_of
from components.study.tables import TableJson, place, table_of
from runs.study_jobs.snapshots import StudySnapshot
from studies.report.sentences import ranks_in_words, sentences

#: Comparisons that the table shows; of more, those with the least p-values.
_MOST = 100
#: Most sentences that the page shows.
_SENTENCES = 60
_HEADS = ("Instance", "Shorter", "Longer", "p", "p, corrected", "A12", "effect")


def panel() -> html.Section:
    """The results of the comparisons in words, and their tables below."""
    return html.Section(
        [
            html.H2("Which is better?"),
            html.Div(id=ids.WORDS, className="studies-words", **attributes(aria_live="off")),
            html.P(id=ids.RANKS_SAY, className="note"),
            *place(ids.RANKS),
            html.Details([html.Summary("Every comparison"), *place(ids.COMPARED)], className="more"),
        ],
        className="studies-compare",
    )


def said(seen: StudySnapshot) -> str:
    """Cautions, then a sentence for each pair of entries, one per line."""
    if not seen.table.runs.length.size:
        return "Nothing yet: no run is finished."
    found, _ = seen.compared
    told = [text.thinned(each) for each in sentences(seen.table, seen.references, found)]
    more = (
        [f"And {len(told) - _SENTENCES} more, which are in the table of every comparison."]
        if len(told) > _SENTENCES
        else []
    )
    return "\n".join([*told[:_SENTENCES], *more])


def ranked(seen: StudySnapshot) -> tuple[str, TableJson | None]:
    """The average ranks in words and as a table."""
    if not seen.table.runs.length.size:
        return "", None
    _, ranks = seen.compared
    looks, rows = looks_of(seen), []
    for k in np.argsort(ranks.average, kind="stable") if ranks.instances.size else ():
        look = looks[int(ranks.entries[k])]
        rows.append([look["letter"], look["title"], f"{ranks.average[k]:.2f}"])
    return ranks_in_words(seen.table, ranks), table_of("Average ranks", ("", "Entry", "average rank"), rows)


def compared(seen: StudySnapshot, chosen: Any) -> TableJson | None:
    """The comparisons of the chosen instance, or of all, the most significant first."""
    if not seen.table.runs.length.size:
        return None
    found, _ = seen.compared
    asked = np.isin(found.instance, np.unique(part(seen, chosen).runs.instance))
    rows = np.flatnonzero(asked)
    rows = rows[np.argsort(found.p[rows], kind="stable")]
    labels = [f"{look['letter']} {look['title']}" for look in looks_of(seen)]
    told = []
    for row in rows[:_MOST].tolist():
        ahead = found.a12[row] >= 0.5
        pair = (found.first[row], found.second[row]) if ahead else (found.second[row], found.first[row])
        a12 = found.a12[row] if ahead else 1 - found.a12[row]
        names = [labels[int(entry)] for entry in pair]
        name = seen.instances[int(found.instance[row])].name
        told.append(
            [name, *names, f"{found.p[row]:.2g}", f"{found.corrected[row]:.2g}", f"{a12:.2f}", found.effect(row)]
        )
    less = (
        f" The surest {_MOST} of {text.grouped(rows.size)} are shown: choose an instance for its own."
        if rows.size > _MOST
        else ""
    )
    note = (
        "Two-sided test of Mann and Whitney on the lengths at the runs\u2019 ends, of signs against a "
        "deterministic algorithm; p is corrected after Holm "
        f"for all {text.grouped(found.p.size)} comparisons. A12: the chance that a run of the first is shorter.{less}"
    )
    return table_of("Comparisons", _HEADS, told, note)


class Told(NamedTuple):
    """The contents of the panel of comparisons."""

    words: Any = ""
    ranks_say: Any = ""
    ranks: Any = None
    compared: Any = None


def tell(studies, shown: Any, chosen: Any) -> Told:
    """Sentences, ranks and comparisons of the study that is shown."""
    seen, refused = seen_of(studies, shown)
    return Told(refused) if seen is None else Told(said(seen), *ranked(seen), compared(seen, chosen))


def register(app: dash.Dash, studies) -> None:
    """Compare once there are new results; after the charts, since SciPy is slow to load."""

    app.callback(
        Output(ids.WORDS, "children"),
        Output(ids.RANKS_SAY, "children"),
        Output(store(ids.RANKS), "data"),
        Output(store(ids.COMPARED), "data"),
        Input(ids.LATER, "data"),
        Input(ids.CHOSEN, "value"),
    )(in_thread(tell, studies))
