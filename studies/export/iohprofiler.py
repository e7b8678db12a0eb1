r"""Exports a study in the format of IOHprofiler, for IOHanalyzer.

After C. Doerr, H. Wang, F. Ye, S. van Rijn and T. Bäck, "IOHprofiler: A benchmarking and profiling tool for iterative
optimization heuristics", arXiv:1810.05281 (2018), https://iohprofiler.github.io/IOHanalyzer/data/, in the form written
by IOHexperimenter since version 0.3.3: a folder per algorithm, with a JSON file and a folder of raw data per function.

In this format, a function is an instance, its dimension the number of cities, an algorithm an entry of the study, and
y, which is minimised, the length of the best tour so far. Evaluations are counted as the entry's algorithms declare
them (see its ``info``), from 1: a tour that existed before the first evaluation is at evaluation 1. The last line of a
run is at its last evaluation, whether or not that improved anything, for expected running times.
"""

import re
import secrets
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from studies.errors import InvalidStudy
from studies.file.reader import StudyReader
from studies.spec.matrix import Cell, list_units, prepare_entries
from studies.stats.table import Table

#: Version of IOHexperimenter that defines this format.
VERSION = "0.3.17"
_ATTRIBUTES = ("evaluations", "raw_y")
_SUITE = "TSP"


def export(reader: StudyReader, folder: Path) -> None:
    """Write the finished runs to a folder, atomically.

    Raises
    ------
    InvalidStudy
        If the folder exists, since its files would be read together with these.
    OSError
        If the folder cannot be written.
    """
    if folder.exists():
        raise InvalidStudy(f"{folder} already exists: choose a new folder for IOHprofiler.")
    part = folder.with_name(f"{folder.name[:100]}.{secrets.token_hex(4)}.part")
    part.mkdir()
    try:
        with reader.snapshot():
            table, finished = reader.table(), [row.cell for row in reader.cells() if row.state == "finished"]
            for entry, unit in enumerate(list_units(prepare_entries(reader.spec))):
                _write_entry(reader, table, finished, entry, unit, part)
        part.rename(folder)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise


def _write_entry(
    reader: StudyReader, table: Table, finished: list[Cell], entry: int, unit: dict[str, Any], root: Path
) -> None:
    label = reader.spec.entries[entry].label
    folder = root / f"{entry + 1}_{_make_slug(label)}"
    folder.mkdir()
    unit_text = f"an evaluation is a {unit['evaluations']}" if unit["evaluations"] else "its stages count differently"
    for number, instance in enumerate(reader.instances):
        rows = [k for k, cell in enumerate(finished) if (cell.entry, cell.instance) == (entry, number)]
        if not rows:
            continue
        name = f"f{number + 1}_{_make_slug(instance.name)}"
        path = Path(f"data_{name}") / f"IOHprofiler_f{number + 1}_DIM{instance.n}.dat"
        runs = [_format_run(reader, table, k, finished[k]) for k in rows]
        meta = {
            "version": VERSION,
            "suite": _SUITE,
            "function_id": number + 1,
            "function_name": _make_slug(instance.name),
            "maximization": False,
            "algorithm": {"name": label, "info": f"{unit['algorithm']}; {unit_text}"},
            "run_attributes": ["seed"],
            "attributes": list(_ATTRIBUTES),
            "scenarios": [{"dimension": instance.n, "path": path.as_posix(), "runs": [meta for meta, _ in runs]}],
        }
        (folder / f"IOHprofiler_{name}.json").write_bytes(orjson.dumps(meta, option=orjson.OPT_INDENT_2))
        (folder / path.parent).mkdir()
        (folder / path).write_text("".join(lines for _, lines in runs), encoding="ascii")


def _format_run(reader: StudyReader, table: Table, row: int, cell: Cell) -> tuple[dict[str, Any], str]:
    """Return a run's metadata entry and its block of raw data."""
    points = slice(table.logs.offsets[row], table.logs.offsets[row + 1])
    evaluations, lengths = np.maximum(table.logs.evaluations[points], 1), table.logs.length[points]
    last = np.append(evaluations[1:] > evaluations[:-1], True)  # the best improvement of an evaluation counts
    evaluations, lengths = evaluations[last], lengths[last]
    total = max(int(table.runs.evaluations[row]), int(evaluations[-1]))
    best = {"evals": int(evaluations[-1]), "y": int(lengths[-1]), "x": reader.tour(cell.number).tolist()}
    if total > evaluations[-1]:
        evaluations, lengths = np.append(evaluations, total), np.append(lengths, lengths[-1])
    pairs = zip(evaluations.tolist(), lengths.tolist(), strict=True)
    block = "".join([f"{' '.join(_ATTRIBUTES)}\n", *[f"{evaluation} {length}\n" for evaluation, length in pairs]])
    return {"instance": 1, "evals": total, "best": best, "seed": cell.seed}, block


def _make_slug(text: str) -> str:
    """Reduce text to the letters, digits, dots and hyphens allowed in file names."""
    return re.sub(r"[^A-Za-z0-9.-]+", "-", text).strip("-.")[:60] or "unnamed"
