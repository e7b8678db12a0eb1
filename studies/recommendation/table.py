"""Writes the table of measured runs: ``python -m studies.recommendation.table FILE.tourstudy...``.

A study in which every algorithm is exact tells how long proofs take; any other one tells gaps at its time limit. Gaps
refer to the optimum, or to the shortest tour of all files if none is known.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from data.gaps import gap_percent
from solvers import find
from solvers.solver import is_exact
from studies.file.reader import StudyReader
from studies.recommendation import TABLE


def build_table(paths: Sequence[Path]) -> dict[str, list[dict[str, Any]]]:
    """Build the table from finished studies with a time limit, whose entries have one algorithm each."""
    table: dict[str, list[dict[str, Any]]] = {"runs": [], "proofs": []}
    studies = [list(_rows(path)) for path in paths]
    shortest: dict[str, int] = {}
    for sha256, row in (each for rows in studies for each in rows):
        known = [length for length in (row["optimum"], *row["lengths"].values()) if length is not None]
        shortest[sha256] = min([*known, *([shortest[sha256]] if sha256 in shortest else [])])
    for sha256, row in (each for rows in studies for each in rows):
        head = {"directed": row["directed"], "n": row["n"]}
        if all(is_exact(find(name)) for name in row["lengths"]):
            table["proofs"].append({**head, "seconds": row["proofs"]})
        else:
            gaps = {name: gap_percent(length, shortest[sha256]) for name, length in row["lengths"].items()}
            rounded = {name: round(gap, 4) for name, gap in sorted(gaps.items()) if gap is not None}
            table["runs"].append({**head, "seconds": row["limit"], "gaps": rounded})
    return table


def _rows(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the hash of each instance of a study and its results."""
    with StudyReader(path) as study:
        entries = [entry.stages[-1].algorithm for entry in study.spec.entries]
        results = dict(study.results())
        cells = [row.cell for row in study.cells() if row.cell.number in results]
        for number, instance in enumerate(study.instances):
            lengths, proofs = {}, {}
            for cell in cells:
                if cell.instance == number:
                    name, result = entries[cell.entry], results[cell.number]
                    lengths[name] = result["length"]
                    if result["proven"]:
                        proofs[name] = round(result["seconds"], 3)
            yield instance.sha256, {
                "n": instance.n, "directed": study.instance(number).directed, "optimum": instance.optimum,
                "limit": study.spec.budget.seconds, "lengths": lengths, "proofs": proofs,
            }  # fmt: skip


if __name__ == "__main__":
    built = build_table([Path(path) for path in sys.argv[1:]])
    lines = [f'"{part}": [\n' + ",\n".join(json.dumps(row) for row in rows) + "\n]" for part, rows in built.items()]
    TABLE.write_text("{" + ",\n".join(lines) + "}\n")
