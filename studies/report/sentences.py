"""What a study shows, in sentences: which entry is better than which, and how they rank."""

import numpy as np

from studies.report.cautions import coverage_in_words, devices_in_words, held_in_words, listed, seeds_in_words
from studies.report.shortfalls import shortfalls_in_words
from studies.stats.compare import LEVEL, Comparisons, Outcomes, outcomes
from studies.stats.rank_test import size_in_words
from studies.stats.ranks import Ranks
from studies.stats.references import References
from studies.stats.table import Table

#: Instances that are named; of more, how many there are.
_NAMED = 5


def sentences(table: Table, held: References, found: Comparisons, level: float = LEVEL) -> list[str]:
    """All that there is to say: first what to be careful with, then every two entries that share an instance."""
    entries = np.unique(table.runs.entry).tolist()
    counted = outcomes(found, len(table.entries.labels), level)
    pairs = [
        pair_in_words(table, found, counted, first, second)
        for place, first in enumerate(entries)
        for second in entries[place + 1 :]
    ]
    careful = [
        seeds_in_words(table, found, level),
        held_in_words(table, held),
        coverage_in_words(table),
        *shortfalls_in_words(table, held),
        devices_in_words(table),
    ]
    return [sentence for sentence in (*careful, *pairs) if sentence]


def pair_in_words(table: Table, found: Comparisons, counted: Outcomes, first: int, second: int) -> str:
    """Which of two entries is better, on how many instances, and how sure that is.

    Parameters
    ----------
    table : Table
    found : Comparisons
    counted : Outcomes
        Of `found`.
    first, second : int
        Codes of the entries.
    """
    if counted.wins[second, first] > counted.wins[first, second]:
        first, second = second, first
    a, b = (table.entries.labels[entry] for entry in (first, second))
    rows = np.flatnonzero((found.first == min(first, second)) & (found.second == max(first, second)))
    if not rows.size:
        return f"{a} and {b} have no instance in common, so nothing is known of which is better."
    one = table.instances.names[found.instance[rows[0]]] if rows.size == 1 else ""
    if found.alike[rows].all():
        return f"{a} and {b} come to the same length in every run on {one or f'each of {rows.size} instances'}."
    if not counted.wins[first, second]:
        where = f"{one} (p = {found.corrected[rows[0]]:.2g})" if one else f"any of {rows.size} instances"
        return f"Between {a} and {b} no difference is shown on {where}, which does not prove that there is none."
    if counted.wins[first, second] == counted.wins[second, first]:
        each = counted.wins[first, second]
        return f"Neither of {a} and {b} is ahead: each is better on {each} of {rows.size} instances."
    if one:
        return f"{a} is better than {b} on {one}{_one(found, int(rows[0]), counted.level)}."
    return f"{a} is better than {b} on {_several(found, counted, rows, first, second)}."


def _one(found: Comparisons, row: int, level: float) -> str:
    """How much better the winner of one comparison is."""
    a12 = max(found.a12[row], 1 - found.a12[row])
    by = -found.difference[row] if found.a12[row] > 0.5 else found.difference[row]
    median = f", its median {by:,.10g} shorter" if by > 0 else ""  # a median may say otherwise than all runs do
    return f"{median}, p < {_bound(found.corrected[row], level)}, effect {found.effect(row)} (A12 = {a12:.2f})"


def _several(found: Comparisons, counted: Outcomes, rows: np.ndarray, winner: int, loser: int) -> str:
    """On how many instances a winner wins, loses and neither, the least sure p of each, and how large the effect is."""
    ahead = (found.a12[rows] > 0.5) == (winner < loser)
    shown = found.corrected[rows] < counted.level
    wins, losses = found.corrected[rows[shown & ahead]], found.corrected[rows[shown & ~ahead]]
    told = f"{wins.size} of {rows.size} instances, p < {_bound(wins.max(), counted.level)}"
    a12 = float(np.median(np.maximum(found.a12[rows], 1 - found.a12[rows])[shown & ahead]))
    told += f", effect {size_in_words(a12)} (median A12 = {a12:.2f})"
    if losses.size:
        told += f", and worse on {losses.size}, p < {_bound(losses.max(), counted.level)}"
    ties = rows.size - wins.size - losses.size
    return f"{told}; on {ties} no difference is shown" if ties else told


def _bound(p: float, level: float) -> str:
    """The nearest usual level that a corrected p, itself below `level`, is below."""
    return f"{min(usual for usual in (0.001, 0.01, level) if p < usual):g}"


def ranks_in_words(table: Table, ranks: Ranks) -> str:
    """The average ranks, best first, which instances they are not of, and whether they differ; empty of one entry."""
    if ranks.entries.size < 2:
        return ""
    if not ranks.instances.size:
        return "No instance has runs of every entry, so there are no ranks."
    count, order = ranks.instances.size, np.argsort(ranks.average, kind="stable")
    placed = listed([f"{table.entries.labels[ranks.entries[k]]} {ranks.average[k]:.2f}" for k in order])
    told = f"Average ranks over {count} instance{'s' if count > 1 else ''}: {placed}.{_left_out(table, ranks)}"
    if np.isnan(ranks.p):
        return f"{told} Ranks are tested from three entries and two instances on."
    if ranks.p >= ranks.level:
        return f"{told} Friedman's test shows no difference (p = {ranks.p:.2g})."
    return (
        f"{told} They differ by Friedman's test (p < {_bound(ranks.p, ranks.level)}), "
        f"any two that are {ranks.critical_difference:.2f} apart by Nemenyi's."
    )


def _left_out(table: Table, ranks: Ranks) -> str:
    """Which instances do not count, and which entries have no runs there; with a space before it."""
    counts, told = table.counts(table.runs), []
    for instance in np.setdiff1d(np.unique(table.runs.instance), ranks.instances).tolist():
        lacking = [table.entries.labels[entry] for entry in ranks.entries if not counts[instance, entry]]
        told.append(f"{table.instances.names[instance]} (no run of {listed(lacking)})")
    if not told:
        return ""
    more = [f"{len(told) - _NAMED} more"] if len(told) > _NAMED else []
    return f" Left out: {listed([*told[:_NAMED], *more])}."
