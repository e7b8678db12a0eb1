"""Turns every run of a study into a row of plain values, for CSV and Parquet."""

from typing import Any

import orjson

from data.gaps import gap_percent
from data.tour_edges import shared_edges
from studies.file.reader import CellRow, StudyReader
from studies.spec.matrix import list_units, make_run_spec, prepare_entries
from studies.stats.references import find_references

#: Columns and their types; only optimum, reference, gap and shared edges may be missing for a finished run.
COLUMNS: dict[str, type] = {
    "instance": str, "n": int, "optimum": int, "proven": bool, "instance_sha256": str,
    "reference": int, "reference_kind": str,
    "entry": str, "algorithm": str, "stages": str, "seed": int,
    "state": str, "sentence": str,
    "length": int, "gap_percent": float, "shared_edges": int,
    "seconds": float, "seconds_to_best": float, "compile_seconds": float,
    "evaluations": int, "evaluation_unit": str, "iterations": int, "iteration_unit": str,
    "stop_reason": str, "proven_optimal": bool, "device": str, "threads": int, "versions": str,
}  # fmt: skip
_RESULT_COLUMNS = (
    "length", "seconds", "seconds_to_best", "compile_seconds", "evaluations", "iterations", "stop_reason", "device",
    "threads",
)  # fmt: skip


def _count_shared_edges(reader: StudyReader, cells: list[CellRow]) -> dict[int, int]:
    """Return by cell how many edges its tour shares with the optimal or best known tour."""
    instances = [reader.instance(number) for number in range(len(reader.instances))]
    shared = {}
    for cell in cells:
        instance = instances[cell.cell.instance]
        if cell.state == "finished" and instance.optimal_tour is not None:
            order = reader.tour(cell.cell.number)
            shared[cell.cell.number] = shared_edges(order, instance.optimal_tour, instance.directed)
    return shared


def run_rows(reader: StudyReader) -> list[dict[str, Any]]:
    """Return the finished and failed runs, in order of the cells; None for a missing value.

    ``gap_percent`` is relative to the optimum, or to the best known length if ``proven`` is false; None if neither is
    known. ``reference`` is the reference length of the study's statistics, see `studies.stats.references`.
    ``shared_edges`` is the number of edges that the run's best tour shares with the optimal or best known tour, if
    known. ``stages`` and ``versions`` are JSON.
    """
    entry_units, rows = list_units(prepare_entries(reader.spec)), []
    with reader.snapshot():
        results, cells, references = dict(reader.results()), list(reader.cells()), find_references(reader.table())
        shared = _count_shared_edges(reader, cells)
    for each in cells:
        if each.state not in ("finished", "failed"):
            continue
        cell, unit, instance = each.cell, entry_units[each.cell.entry], reader.instances[each.cell.instance]
        row: dict[str, Any] = dict.fromkeys(COLUMNS)
        row |= {
            "instance": instance.name, "n": instance.n, "optimum": instance.optimum, "proven": instance.proven,
            "instance_sha256": instance.sha256, "reference": int(references.length[cell.instance]) or None,
            "reference_kind": references.kind[cell.instance], "entry": reader.spec.entries[cell.entry].label,
            "algorithm": unit["algorithm"], "evaluation_unit": unit["evaluations"],
            "iteration_unit": unit["iterations"], "seed": cell.seed, "state": each.state, "sentence": each.sentence,
            "stages": orjson.dumps(make_run_spec(reader.spec, cell).to_json()["stages"]).decode(),
        }  # fmt: skip
        if (result := results.get(cell.number)) is not None:
            row |= {name: result[name] for name in _RESULT_COLUMNS}
            row["gap_percent"] = gap_percent(result["length"], instance.optimum)
            row["shared_edges"] = shared.get(cell.number)
            row["proven_optimal"] = result["proven"]
            row["versions"] = orjson.dumps(result["versions"]).decode()
        rows.append(row)
    return rows
