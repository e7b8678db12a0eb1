"""Every run of a study as a row of plain values: what CSV and Parquet hold."""

from typing import Any

import orjson

from solvers.result import gap_percent
from studies.file.reader import StudyReader
from studies.spec.matrix import prepared, run_spec, units
from studies.stats.references import references

#: Columns and their types; only a run that failed lacks values other than the optimum, the reference and the gap.
COLUMNS: dict[str, type] = {
    "instance": str, "n": int, "optimum": int, "proven": bool, "instance_sha256": str,
    "reference": int, "reference_kind": str,
    "entry": str, "algorithm": str, "stages": str, "seed": int,
    "state": str, "sentence": str,
    "length": int, "gap_percent": float,
    "seconds": float, "seconds_to_best": float, "compile_seconds": float,
    "evaluations": int, "evaluation_unit": str, "iterations": int, "iteration_unit": str,
    "stop_reason": str, "proven_optimal": bool, "device": str, "threads": int, "versions": str,
}  # fmt: skip
_OF_RESULT = (
    "length", "seconds", "seconds_to_best", "compile_seconds", "evaluations", "iterations", "stop_reason", "device",
    "threads",
)  # fmt: skip


def run_rows(reader: StudyReader) -> list[dict[str, Any]]:
    """The runs that are done, finished or failed, in order of the cells; None where there is no value.

    ``gap_percent`` is against the optimum, or the best known where ``proven`` is false; None where neither is known.
    ``reference`` is what the study's other numbers are held against, see `studies.stats.references`.
    ``stages`` and ``versions`` are JSON.
    """
    counted, rows = units(prepared(reader.spec)), []
    with reader.snapshot():
        results, cells, held = dict(reader.results()), list(reader.cells()), references(reader.table())
    for told in cells:
        if told.state not in ("finished", "failed"):
            continue
        cell, unit, instance = told.cell, counted[told.cell.entry], reader.instances[told.cell.instance]
        row: dict[str, Any] = dict.fromkeys(COLUMNS)
        row |= {
            "instance": instance.name, "n": instance.n, "optimum": instance.optimum, "proven": instance.proven,
            "instance_sha256": instance.sha256, "reference": int(held.length[cell.instance]) or None,
            "reference_kind": held.kind[cell.instance], "entry": reader.spec.entries[cell.entry].label,
            "algorithm": unit["algorithm"], "evaluation_unit": unit["evaluations"],
            "iteration_unit": unit["iterations"], "seed": cell.seed, "state": told.state, "sentence": told.sentence,
            "stages": orjson.dumps(run_spec(reader.spec, cell).to_json()["stages"]).decode(),
        }  # fmt: skip
        if (result := results.get(cell.number)) is not None:
            row |= {name: result[name] for name in _OF_RESULT}
            row["gap_percent"] = gap_percent(result["length"], instance.optimum)
            row["proven_optimal"] = result["proven"]
            row["versions"] = orjson.dumps(result["versions"]).decode()
        rows.append(row)
    return rows
