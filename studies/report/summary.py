"""Summary of a study: each entry's median gap on each instance."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from studies.file.reader import StudyReader
from studies.report.finding import describe_study_finding
from studies.report.shortfalls import describe_shortfalls
from studies.report.tuning import tuning_to_json
from studies.stats.quantiles import compute_quantiles
from studies.stats.references import References, find_references, gap_percent
from studies.stats.table import Table


@dataclass(frozen=True, slots=True, eq=False)
class Summary:
    """Median gaps and their references.

    Attributes
    ----------
    table : Table
    references : References
    median : ndarray, shape (instances, entries), float64
        Median gaps in per cent; NaN without a finished run.
    runs : ndarray, shape (instances, entries), int64
        Number of finished runs.
    incomplete : ndarray, shape (instances, entries), bool
        Cells with some finished runs, but fewer than planned.
    """

    table: Table
    references: References
    median: np.ndarray
    runs: np.ndarray
    incomplete: np.ndarray


def summarise(table: Table) -> Summary:
    """Compute the median gaps at the runs' ends."""
    references = find_references(table)
    shape = (len(table.instances.names), len(table.entries.labels))
    median, runs = np.full(shape, np.nan), np.zeros(shape, np.int64)
    gaps = gap_percent(table.runs.length, references.length[table.runs.instance])
    for instance, entry, rows in table.groups():
        median[instance, entry] = compute_quantiles(gaps[rows], (0.5,))[0]
        runs[instance, entry] = rows.size
    planned = runs if table.plan is None else table.plan.planned
    return Summary(table, references, median, runs, (runs > 0) & (runs < planned))


def study_to_json(reader: StudyReader) -> dict[str, Any]:
    """Convert the study to JSON: spec, cell states, median gaps, finding, cautions, results, failures."""
    with reader.snapshot():
        summary, cells, counts = summarise(reader.table()), list(reader.cells()), reader.counts()
        # `studies.report.climbers` reports the climbers near an optimum
        results = [{name: result[name] for name in result if name != "climbs"} for _, result in reader.results()]
    table, references = summary.table, summary.references
    gaps = [
        {
            "instance": table.instances.names[i],
            "entry": table.entries.labels[e],
            "runs": int(summary.runs[i, e]),
            "median_gap_percent": float(summary.median[i, e]) if np.isfinite(summary.median[i, e]) else None,
            "reference": int(references.length[i]),
            "reference_kind": references.kind[i],
        }
        for i, e in np.ndindex(summary.runs.shape)
        if summary.runs[i, e]
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
        "finding": describe_study_finding(table),
        "cautions": describe_shortfalls(table, references),
        "runs": results,
        "failed": failed,
        **tuning_to_json(reader),
    }
