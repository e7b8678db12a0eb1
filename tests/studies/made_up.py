"""Synthetic study files of any size, written as by a study."""

import sys
from pathlib import Path

import numpy as np

from data.distances import tour_length
from data.generators import GENERATORS
from solvers.spec import VERSION
from studies.file.reader import StudyReader
from studies.file.writer import Outcome, StudyFile
from studies.pool.run_log import ROW
from studies.spec.spec import StudySpec

ALGORITHMS = ("two-opt", "ant-system", "max-min-ant-system", "ant-colony-system", "greedy")


def write_study(
    path: Path, instances: int = 60, seeds: int = 10, improvements: int = 200, title: str = "Made up",
    measured: bool = False,
) -> Path:  # fmt: skip
    """A study of five entries with all runs finished: on average, the entries differ in alphabetical order. If
    `measured`, their tours have the length of the one that is stored, so the file can be imported.
    """
    path.parent.mkdir(exist_ok=True)  # a server makes its folder of studies once it needs it
    spec = StudySpec.from_json(
        {
            "v": VERSION,
            "title": title,
            "instances": [{"generate": "uniform", "n": 50, "seed": seed} for seed in range(instances)],
            "entries": [{"label": name, "stages": [{"algorithm": name}]} for name in ALGORITHMS],
            "seeds": {"count": seeds},
            "budget": {"seconds": 1},
        }
    )
    rng = np.random.default_rng(8)
    with StudyFile(path, spec) as file:
        with StudyReader(path) as reader:
            cells = [row.cell for row in reader.cells()]
        for cell in cells:
            length = tour_length(GENERATORS["uniform"](50, cell.instance), np.arange(50)) if measured else 0
            file.finish(cell.number, _outcome(rng, cell.entry, cell.seed, improvements, length), 1.0)
    return path


def _outcome(rng: np.random.Generator, entry: int, seed: int, improvements: int, length: int) -> Outcome:
    log = np.zeros(improvements, ROW)
    log["seconds"] = np.sort(10.0 ** rng.uniform(-4, 0, improvements))
    log["evaluations"] = (1e6 * log["seconds"]).astype(np.int64)
    log["iterations"] = (1e3 * log["seconds"]).astype(np.int64)
    log["length"] = 20_000 + 30 * entry + np.cumsum(rng.integers(1, 40, improvements))[::-1]
    log["length"] += length - log["length"][-1] if length else 0
    result = {
        "length": int(log["length"][-1]), "seconds": 1.0, "seconds_to_best": float(log["seconds"][-1]),
        "compile_seconds": 0.0, "evaluations": 10**6, "iterations": 10**3, "stop_reason": "seconds", "device": "CPU",
        "threads": 1, "proven": False, "seed": seed, "versions": {},
    }  # fmt: skip
    return Outcome(result, np.arange(50, dtype="<i4").tobytes(), log.tobytes())


if __name__ == "__main__":
    write_study(Path(sys.argv[1]))
