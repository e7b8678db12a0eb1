"""What a study came to at a glance: the median gap of every entry on every instance."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from studies.file.reader import StudyReader
from studies.report.shortfalls import shortfalls_in_words
from studies.stats.cutoffs import spreads
from studies.stats.references import References, references
from studies.stats.table import Table


@dataclass(frozen=True, slots=True, eq=False)
class Summary:
    """Median gaps, and what they are held against.

    Attributes
    ----------
    table : Table
    held : References
    median : ndarray, shape (instances, entries), float64
        In per cent; NaN where no run is finished.
    runs : ndarray, shape (instances, entries), int64
        How many runs are finished.
    incomplete : ndarray, shape (instances, entries), bool
        Where some runs are finished, but fewer than planned.
    """

    table: Table
    held: References
    median: np.ndarray
    runs: np.ndarray
    incomplete: np.ndarray


def summarise(table: Table) -> Summary:
    """The median gap at the runs' ends."""
    held = references(table)
    shape = (len(table.instances.names), len(table.entries.labels))
    median, runs = np.full(shape, np.nan), np.zeros(shape, np.int64)
    for spread in spreads(table, held):
        median[spread.instance, spread.entry] = spread.five[2]
        runs[spread.instance, spread.entry] = spread.seed.size
    planned = runs if table.plan is None else table.plan.planned
    return Summary(table, held, median, runs, (runs > 0) & (runs < planned))


def as_json(reader: StudyReader) -> dict[str, Any]:
    """The study as a JSON value: its spec, how far it is, median gaps, what to be careful with, results, failures."""
    with reader.snapshot():
        found, cells, counts = summarise(reader.table()), list(reader.cells()), reader.counts()
        # which climbers came near an optimum is for `studies.report.climbers` to tell
        results = [{name: result[name] for name in result if name != "climbs"} for _, result in reader.results()]
    table, held = found.table, found.held
    gaps = [
        {
            "instance": table.instances.names[i],
            "entry": table.entries.labels[e],
            "runs": int(found.runs[i, e]),
            "median_gap_percent": float(found.median[i, e]) if np.isfinite(found.median[i, e]) else None,
            "reference": int(held.length[i]),
            "reference_kind": held.kind[i],
        }
        for i, e in np.ndindex(found.runs.shape)
        if found.runs[i, e]
    ]
    failed = [
        {"instance": row.cell.instance, "entry": row.cell.entry, "seed": row.cell.seed, "sentence": row.sentence}
        for row in cells
        if row.state == "failed"
    ]
    return {
        "spec": reader.spec.to_json(),
        "cells": counts,
        "median_gaps": gaps,
        "cautions": shortfalls_in_words(table, held),
        "runs": results,
        "failed": failed,
    }
