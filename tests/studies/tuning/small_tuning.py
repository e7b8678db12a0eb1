"""Small tunings for the tests: quick runs that end by themselves, with the same results everywhere."""

from pathlib import Path
from typing import Any

import orjson
import pytest

from solvers.spec import VERSION
from studies.file.reader import StudyReader
from studies.file.writer import StudyFile
from studies.pool import slot
from studies.pool.pool import Pool, Progress
from studies.spec.space import build_search_space
from studies.spec.spec import StudySpec
from studies.tuning import tuner
from studies.tuning.advice import AdvisorProcess
from tests.studies.small_study import WorkerHere

#: Annealing that is so short that its parameters matter.
PARAMS = {"chains": 1, "moves_per_city": 2, "finish": "none"}
VARIED = ("schedule", "cooling", "acceptance")


def tuning_json(algorithm: str = "simulated-annealing", **changes: Any) -> dict[str, Any]:
    """Describe a tuning study of annealing on two instances with two seeds, tested with three others."""
    vary = {each.name: each.to_json() for each in build_search_space("simulated-annealing", VARIED)}
    return {
        "v": VERSION,
        "instances": [{"name": "gr17"}, {"name": "burma14"}],
        "entries": [{"label": "as set", "stages": [{"algorithm": algorithm, "params": PARAMS}]}],
        "seeds": {"first": 100, "count": 3},
        "device": "cpu",
        "tune": {"vary": vary, "trials": 14, "batch": 7, "seeds": {"count": 2}, **changes},
    }


def tuning(**changes: Any) -> StudySpec:
    """`tuning_json` as a spec."""
    return StudySpec.from_json(tuning_json(**changes))


class AdvisorHere(AdvisorProcess):
    """Proposes trials without a separate process, which would import Optuna for a second."""

    _study: Any = None

    def _request(self, **question):
        from studies.tuning import advisor

        self._study, answer = advisor.answer_request(self._study, orjson.loads(orjson.dumps(question)))
        return orjson.loads(orjson.dumps(answer))


def run_tuning(
    path: Path, spec: StudySpec | None = None, cores: int = 1, worker: type = WorkerHere, advisor: type = AdvisorHere
) -> Progress:
    """Run the rest of a tuning study in this process."""
    path.parent.mkdir(exist_ok=True)  # a server makes its folder of studies once it needs it
    with pytest.MonkeyPatch.context() as patch, StudyFile(path, spec) as file:
        patch.setattr(slot, "Worker", worker)
        patch.setattr(tuner, "AdvisorProcess", advisor)
        pool = Pool(file, cores)
        pool.start()
        return pool.join()


def trial_results(path: Path) -> list[tuple[Any, ...]]:
    """Parameters, state, number of counted runs and their lengths of each trial."""
    with StudyReader(path) as reader:
        return [(each.params, each.state, each.counted, each.lengths[: each.counted]) for each in reader.trials()]
