"""Measures the table: ``python -m studies.recommendation.measuring``, about half an hour on two idle cores.

Studies with one seed run every algorithm that supports an instance, one at a time on one thread.
"""

import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from data.collection.resolve import resolve
from data.gaps import gap_percent
from solvers import SOLVERS
from solvers.core.machine import Machine
from solvers.core.solver import Solver, is_exact
from solvers.plan import plan_stage
from solvers.spec import VERSION, Stage
from studies.file.reader import StudyReader
from studies.recommendation import TABLE
from studies.spec.open_ended import extend_to_budget
from studies.spec.spec import stages_to_json

Reference = dict[str, Any]  #: An instance, as in the spec of a run.


def _generate(kind: str, *sizes: int) -> list[Reference]:
    return [{"generate": kind, "n": n, "seed": 1} for n in sizes]


def _list_bundle(*names: str) -> list[Reference]:
    return [{"name": name} for name in names]


#: Instances on which gaps are measured.
INSTANCES = [
    *_generate("uniform", 12, 50, 200, 1000, 5000, 20_000, 100_000),
    *_generate("clustered", 50, 200, 1000, 5000, 20_000),
    *_list_bundle("ulysses16", "berlin52", "kroA200", "pr1002"),
    *_generate("directed", 12, 20, 50, 100, 200, 500, 1000),
    *_list_bundle("ftv33", "ftv170"),
]
#: Instances on which proofs are timed.
PROVEN = [
    *_generate("uniform", 10, 12, 15, 18, 20, 50, 100, 150, 200, 300),
    *_generate("clustered", 50, 100, 150, 200),
    *_generate("directed", 10, 12, 15, 18, 50, 100, 150),
]
#: Time limits in seconds.
SECONDS, PROOF_SECONDS = (1.0, 5.0), 60.0


def measure_table() -> dict[str, list[dict[str, Any]]]:
    """Measure the contents of `TABLE`."""
    own = [solver for solver in SOLVERS if solver.listed and solver.family != "reference"]
    runs = [row for seconds in SECONDS for row in measure(INSTANCES, own, seconds)]
    proofs = measure(PROVEN, [solver for solver in own if is_exact(solver)], PROOF_SECONDS)
    shortest: dict[str, int] = {}
    for row in runs:
        key = json.dumps(row["instance"])
        shortest[key] = min(shortest.get(key, sys.maxsize), row["optimum"] or sys.maxsize, *row["lengths"].values())
    table: dict[str, list[dict[str, Any]]] = {"runs": [], "proofs": []}
    for row in runs:
        best = shortest[json.dumps(row["instance"])]
        gaps = {name: gap_percent(length, best) for name, length in sorted(row["lengths"].items())}
        rounded = {name: round(gap, 4) for name, gap in gaps.items() if gap is not None}
        table["runs"].append({"directed": row["directed"], "n": row["n"], "seconds": row["limit"], "gaps": rounded})
    for row in proofs:
        table["proofs"].append({"directed": row["directed"], "n": row["n"], "seconds": row["proofs"]})
    return table


def measure(references: Sequence[Reference], solvers: Sequence[Solver], seconds: float) -> list[dict[str, Any]]:
    """Run every solver on each instance that it supports; instances with the same solvers share a study.

    Returns
    -------
    list of dict
        For each instance ``instance``, ``n``, ``directed``, ``optimum`` (if known), ``limit``; ``lengths`` by
        algorithm, and ``proofs``, the seconds of the algorithms that proved the optimum.
    """
    groups = defaultdict(list)
    for reference in references:
        groups[_find_accepting_solvers(reference, solvers)].append(reference)
    rows = [row for names, group in groups.items() for row in _run_study(group, names, seconds)]
    return sorted(rows, key=lambda row: references.index(row["instance"]))


def _find_accepting_solvers(reference: Reference, solvers: Sequence[Solver]) -> tuple[str, ...]:
    instance, machine = resolve(reference, None), Machine()
    return tuple(
        solver.name
        for solver in solvers
        if not solver.missing() and not plan_stage(solver, solver.params(), "cpu", instance, machine).refusal
    )


def _run_study(references: list[Reference], names: tuple[str, ...], seconds: float) -> list[dict[str, Any]]:
    spec = {
        "v": VERSION,
        "instances": references,
        "entries": [{"label": name, "stages": stages_to_json(extend_to_budget([Stage(name, {})]))} for name in names],
        "seeds": {"count": 1},
        "budget": {"seconds": seconds},
        "device": "cpu",
    }
    with tempfile.TemporaryDirectory() as folder:
        path, file = Path(folder, "spec.json"), Path(folder, "spec.tourstudy")
        path.write_text(json.dumps(spec))
        subprocess.run([sys.executable, "-m", "solvers", "study", path, "--out", file], check=True)
        with StudyReader(file) as study:
            results = dict(study.results())
            cells = [row.cell for row in study.cells() if row.cell.number in results]
            rows = []
            for number, instance in enumerate(study.instances):
                own = {names[cell.entry]: results[cell.number] for cell in cells if cell.instance == number}
                rows.append({
                    "instance": references[number], "n": instance.n, "directed": study.instance(number).directed,
                    "optimum": instance.optimum, "limit": seconds,
                    "lengths": {name: result["length"] for name, result in own.items()},
                    "proofs": {name: round(result["seconds"], 3) for name, result in own.items() if result["proven"]},
                })  # fmt: skip
            return rows


if __name__ == "__main__":
    measured = measure_table()
    lines = [f'"{part}": [\n' + ",\n".join(json.dumps(row) for row in rows) + "\n]" for part, rows in measured.items()]
    TABLE.write_text("{" + ",\n".join(lines) + "}\n")
