"""Sentences on the results of a study: which entry is better than which, and how they rank."""

import numpy as np

from studies.report.cautions import coverage_in_words, devices_in_words, join_names, references_in_words, seeds_in_words
from studies.report.shortfalls import shortfalls_in_words
from studies.stats.compare import LEVEL, Comparisons, Outcomes, outcomes
from studies.stats.rank_test import effect_name
from studies.stats.ranks import Ranks
from studies.stats.references import References
from studies.stats.table import Table

#: Maximum number of instances that are named.
_NAMED = 5


def sentences(table: Table, references: References, comparisons: Comparisons, level: float = LEVEL) -> list[str]:
    """All sentences: first the cautions, then one for each pair of entries."""
    entries = np.unique(table.runs.entry).tolist()
    counted = outcomes(comparisons, len(table.entries.labels), level)
    pairs = [
        pair_in_words(table, comparisons, counted, first, second)
        for place, first in enumerate(entries)
        for second in entries[place + 1 :]
    ]
    cautions = [
        seeds_in_words(table, comparisons, level),
        references_in_words(table, references),
        coverage_in_words(table),
        *shortfalls_in_words(table, references),
        devices_in_words(table),
    ]
    return [sentence for sentence in (*cautions, *pairs) if sentence]


def pair_in_words(table: Table, comparisons: Comparisons, counted: Outcomes, first: int, second: int) -> str:
    """Which of two entries is better, on how many instances, and how significantly.

    Parameters
    ----------
    table : Table
    comparisons : Comparisons
    counted : Outcomes
        Of `comparisons`.
    first, second : int
        Codes of the entries.
    """
    if counted.wins[second, first] > counted.wins[first, second]:
        first, second = second, first
    a, b = (table.entries.labels[entry] for entry in (first, second))
    rows = np.flatnonzero((comparisons.first == min(first, second)) & (comparisons.second == max(first, second)))
    if not rows.size:
        return f"{a} and {b} have no instance in common, so nothing is known of which is better."
    one = table.instances.names[comparisons.instance[rows[0]]] if rows.size == 1 else ""
    if comparisons.alike[rows].all():
        return f"{a} and {b} come to the same length in every run on {one or f'each of {rows.size} instances'}."
    if not counted.wins[first, second]:
        where = f"{one} (p = {comparisons.corrected[rows[0]]:.2g})" if one else f"any of {rows.size} instances"
        return f"Between {a} and {b} no difference is shown on {where}, which does not prove that there is none."
    if counted.wins[first, second] == counted.wins[second, first]:
        each = counted.wins[first, second]
        return f"Neither of {a} and {b} is ahead: each is better on {each} of {rows.size} instances."
    if one:
        return f"{a} is better than {b} on {one}{_one(comparisons, int(rows[0]), counted.level)}."
    return f"{a} is better than {b} on {_several(comparisons, counted, rows, first, second)}."


def _one(comparisons: Comparisons, row: int, level: float) -> str:
    """How much better the winner of one comparison is."""
    a12 = max(comparisons.a12[row], 1 - comparisons.a12[row])
    by = -comparisons.difference[row] if comparisons.a12[row] > 0.5 else comparisons.difference[row]
    median = f", its median {by:,.10g} shorter" if by > 0 else ""  # the medians may disagree with the ranks of all runs
    return (
        f"{median}, p < {_bound(comparisons.corrected[row], level)}, effect {comparisons.effect(row)} (A12 = {a12:.2f})"
    )


def _several(comparisons: Comparisons, counted: Outcomes, rows: np.ndarray, winner: int, loser: int) -> str:
    """On how many instances a winner wins, loses and ties, with the largest p of each and the effect size."""
    ahead = (comparisons.a12[rows] > 0.5) == (winner < loser)
    shown = comparisons.corrected[rows] < counted.level
    wins, losses = comparisons.corrected[rows[shown & ahead]], comparisons.corrected[rows[shown & ~ahead]]
    text = f"{wins.size} of {rows.size} instances, p < {_bound(wins.max(), counted.level)}"
    a12 = float(np.median(np.maximum(comparisons.a12[rows], 1 - comparisons.a12[rows])[shown & ahead]))
    text += f", effect {effect_name(a12)} (median A12 = {a12:.2f})"
    if losses.size:
        text += f", and worse on {losses.size}, p < {_bound(losses.max(), counted.level)}"
    ties = rows.size - wins.size - losses.size
    return f"{text}; on {ties} no difference is shown" if ties else text


def _bound(p: float, level: float) -> str:
    """The least of the customary levels and `level` that is above a corrected p below `level`."""
    return f"{min(bound for bound in (0.001, 0.01, level) if p < bound):g}"


def ranks_in_words(table: Table, ranks: Ranks) -> str:
    """The average ranks, best first, the instances left out, and whether the ranks differ; empty for one entry."""
    if ranks.entries.size < 2:
        return ""
    if not ranks.instances.size:
        return "No instance has runs of every entry, so there are no ranks."
    count, order = ranks.instances.size, np.argsort(ranks.average, kind="stable")
    placed = join_names([f"{table.entries.labels[ranks.entries[k]]} {ranks.average[k]:.2f}" for k in order])
    text = f"Average ranks over {count} instance{'s' if count > 1 else ''}: {placed}.{_left_out(table, ranks)}"
    if np.isnan(ranks.p):
        return f"{text} Ranks are tested from three entries and two instances on."
    if ranks.p >= ranks.level:
        return f"{text} Friedman's test shows no difference (p = {ranks.p:.2g})."
    return (
        f"{text} They differ by Friedman's test (p < {_bound(ranks.p, ranks.level)}), "
        f"any two that are {ranks.critical_difference:.2f} apart by Nemenyi's."
    )


def _left_out(table: Table, ranks: Ranks) -> str:
    """Which instances do not count, and which entries have no runs there; begins with a space, or is empty."""
    counts, left_out = table.counts(table.runs), []
    for instance in np.setdiff1d(np.unique(table.runs.instance), ranks.instances).tolist():
        lacking = [table.entries.labels[entry] for entry in ranks.entries if not counts[instance, entry]]
        left_out.append(f"{table.instances.names[instance]} (no run of {join_names(lacking)})")
    if not left_out:
        return ""
    more = [f"{len(left_out) - _NAMED} more"] if len(left_out) > _NAMED else []
    return f" Left out: {join_names([*left_out[:_NAMED], *more])}."
