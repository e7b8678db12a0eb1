"""The trials of a tuning study: reproducible, pruned, resumed after a kill, and compared on other runs."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from solvers.core.errors import DeviceUnavailable
from studies.file.reader import StudyReader
from studies.file.writer import StudyFile
from studies.pool import slot
from studies.pool.pool import Pool
from studies.pool.process import ImpossibleRun
from studies.report.tuning import describe_conclusion
from studies.spec.space import list_initial_values
from studies.tuning import advisor, packages
from studies.tuning.advice import AdvisorProcess
from studies.tuning.best_preset import make_best_preset
from studies.tuning.trials import find_best, mean_gap
from tests.clock import PATIENCE, wait_until
from tests.shortened import shorten
from tests.studies.small_study import WorkerHere
from tests.studies.tuning.small_tuning import PARAMS, run_tuning, trial_results, tuning
from tests.tables import each_row

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:WilcoxonPruner is experimental")]

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def finished_tuning(tmp_path_factory):
    """A finished tuning study; a separate process proposed its trials, as everywhere except in tests."""
    path = tmp_path_factory.mktemp("tuning") / "whole.tourstudy"
    assert run_tuning(path, tuning(), advisor=AdvisorProcess).state == "finished"
    return path


@pytest.mark.long
def test_seed_determines_the_trials_for_any_number_of_cores(finished_tuning, tmp_path):
    run_tuning(tmp_path / "again.tourstudy", tuning(), cores=3)
    assert trial_results(tmp_path / "again.tourstudy") == trial_results(finished_tuning)
    run_tuning(tmp_path / "other.tourstudy", tuning(seed=2))
    assert trial_results(tmp_path / "other.tourstudy") != trial_results(finished_tuning)


def test_first_trial_has_the_original_values_and_others_are_in_range(finished_tuning):
    with StudyReader(finished_tuning) as reader:
        spec, trials = reader.spec, reader.trials()
    assert trials[0].params == list_initial_values(spec)
    assert len(trials) == spec.tune.trials
    assert all(each.is_final for each in trials)
    assert all(each.contains(trial.params[each.name]) for trial in trials for each in spec.tune.vary)
    assert len({str(trial.params) for trial in trials}) > len(trials) / 2


def test_tuned_entry_has_the_best_trials_parameters(finished_tuning):
    with StudyReader(finished_tuning) as reader:
        trials = reader.trials()
        found = find_best(trials, reader.trial_references(trials))
        runs, spec = reader.table().runs, reader.spec
    values, last = spec.entries[0].stages[-1], spec.entries[1].stages[-1]
    assert values.params == PARAMS
    assert last.params == PARAMS | found.params
    assert sorted(zip(runs.entry.tolist(), runs.seed.tolist(), strict=True)) == sorted(
        (entry, seed) for entry in (0, 1) for seed in (100, 101, 102) for _ in range(2)
    )


def test_every_length_of_a_trial_belongs_to_its_own_run(finished_tuning):
    from solvers.result import build_result as _  # noqa: F401 - the run below needs the registry
    from solvers.spec import RunSpec
    from studies.pool.worker import compute_outcome

    with StudyReader(finished_tuning) as reader:
        spec, trial = reader.spec, reader.trials()[5]
        instance, seed = spec.training(2)
        run = RunSpec(spec.all_instances[instance], spec.stages_with(trial.params), seed, spec.budget, spec.device)
        assert seed == 2
        assert compute_outcome(run, reader.instance(instance)).result["length"] == trial.lengths[2]


def test_a_gap_is_the_mean_over_instances_and_seeds(finished_tuning):
    with StudyReader(finished_tuning) as reader:
        trials = reader.trials()
        reference = reader.trial_references(trials)
    assert reference.kind == ("optimum", "optimum")
    assert reference.length.tolist() == [2085, 3323]
    first = trials[0]
    by_hand = [100 * (length / (2085, 3323)[k % 2] - 1) for k, length in enumerate(first.lengths)]
    assert mean_gap(first, reference) == pytest.approx(np.mean(by_hand))


def test_gaps_are_from_the_best_of_all_trials_without_a_known_optimum(tmp_path):
    from dataclasses import replace

    generated = ({"generate": "uniform", "n": 20, "seed": 3},)
    spec = replace(tuning(trials=6), instances=generated)
    spec = replace(spec, tune=replace(spec.tune, instances=generated))
    run_tuning(tmp_path / "generated.tourstudy", spec)
    with StudyReader(tmp_path / "generated.tourstudy") as reader:
        trials = reader.trials()
        reference = reader.trial_references(trials)
    assert reference.kind == ("best of this study",)
    assert reference.length[0] == min(length for each in trials for length in each.lengths[: each.counted])


@pytest.mark.parametrize("pruner", ["wilcoxon", pytest.param("median", marks=pytest.mark.long)])
def test_hopeless_trials_are_pruned_and_their_other_runs_saved(tmp_path, pruner):
    path = tmp_path / "pruned.tourstudy"
    vary = {"schedule": {"choices": ["geometric", "linear"]}, "acceptance": {"low": 0.001, "high": 0.99}}
    progress = run_tuning(path, tuning(pruner=pruner, vary=vary, seeds={"count": 4}, trials=20))
    with StudyReader(path) as reader:
        trials = reader.trials()
        reference, counts = reader.trial_references(trials), reader.counts()
    pruned = [each for each in trials if each.state == "pruned"]
    assert pruned
    assert all(2 <= each.counted < 8 and each.count <= 8 for each in pruned)
    complete = np.median([mean_gap(each, reference) for each in trials if each.state == "complete"])
    assert np.median([mean_gap(each, reference) for each in pruned]) > complete
    assert counts["waiting"] == 0
    assert progress.done == progress.total == counts["finished"] < 20 * 8 + 12


def test_nothing_is_pruned_without_a_pruner(tmp_path):
    run_tuning(tmp_path / "none.tourstudy", tuning(pruner="none"))
    assert {state for _, state, _, _ in trial_results(tmp_path / "none.tourstudy")} == {"complete"}


class Stopping(WorkerHere):
    """Cancels its pool in the middle of the trials."""

    pool: Pool
    left = 0

    def run(self, spec, sha256, text):
        type(self).left -= 1
        if type(self).left == 0:
            threading.Thread(target=self.pool.cancel).start()
            wait_until(lambda: self._killed)
        return super().run(spec, sha256, text)


@pytest.mark.parametrize("runs", shorten([1, 7, 23, 41], (7).__eq__))
def test_cancelled_tuning_resumes_identically(finished_tuning, tmp_path, runs, monkeypatch):
    path = tmp_path / "cancelled.tourstudy"
    Stopping.left = runs
    with StudyFile(path, tuning()) as file:
        monkeypatch.setattr(slot, "Worker", Stopping)
        Stopping.pool = pool = Pool(file, 1)
        pool.start()
        assert pool.join().state == "cancelled"
    with StudyReader(path) as reader:
        assert reader.counts()["waiting"] > 0
    assert run_tuning(path).state == "finished"
    assert trial_results(path) == trial_results(finished_tuning)


@pytest.mark.long
def test_killed_tuning_resumes_identically(finished_tuning, tmp_path):
    path = tmp_path / "killed.tourstudy"
    program = (
        "import sys\nfrom pathlib import Path\nfrom tests.studies.tuning.small_tuning import tuned, tuning\n"
        "tuned(Path(sys.argv[1]), tuning())"
    )
    process = subprocess.Popen([sys.executable, "-c", program, str(path)], cwd=ROOT)
    try:
        wait_until(lambda: path.exists() and len(trial_results(path)) > 4, PATIENCE)
        os.kill(process.pid, signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
    finally:
        process.wait()
    assert len(trial_results(path)) < 14
    assert run_tuning(path).state == "finished"
    assert trial_results(path) == trial_results(finished_tuning)


class Refusing(WorkerHere):
    """Refuses every trial with a linear schedule."""

    def run(self, spec, sha256, text):
        if spec.stages[-1].params.get("schedule") == "linear":
            raise ImpossibleRun("It is linear.")
        return super().run(spec, sha256, text)


def test_trial_with_a_refused_run_fails_and_the_others_continue(tmp_path):
    path = tmp_path / "refused.tourstudy"
    vary = {"schedule": {"choices": ["geometric", "linear"]}}
    assert run_tuning(path, tuning(vary=vary), worker=Refusing).state == "finished"
    with StudyReader(path) as reader:
        trials = reader.trials()
    linear = [each for each in trials if each.params["schedule"] == "linear"]
    assert linear
    assert {(each.state, each.sentence, each.counted) for each in linear} == {("failed", "It is linear.", 1)}
    assert {each.state for each in trials if each not in linear} <= {"complete", "pruned"}


def test_tuned_entry_without_a_result_says_so(tmp_path):
    path = tmp_path / "nothing.tourstudy"
    vary = {"cooling": {"low": 0.8, "high": 0.9}}

    class RefusingAll(WorkerHere):
        def run(self, spec, sha256, text):
            if "cooling" in spec.stages[-1].params and spec.stages[-1].params["cooling"] < 0.95:
                raise ImpossibleRun("No.")
            return super().run(spec, sha256, text)

    progress = run_tuning(path, tuning(vary=vary), worker=RefusingAll)
    assert (progress.state, progress.failed) == ("finished", 6)
    with StudyReader(path) as reader:
        trials = reader.trials()
        sentence = describe_conclusion(reader.table(), trials, reader.trial_references(trials), 14)
        assert reader.failures() == [(sentence[0], 6)]
        assert "nothing to compare" in sentence[0]


def test_result_is_a_preset_that_runs_like_the_tuned_entry(finished_tuning):
    with StudyReader(finished_tuning) as reader:
        preset, last = make_best_preset(reader, "Mine"), reader.spec.entries[1].stages[-1]
    assert preset.algorithm == "simulated-annealing"
    assert "chains" not in preset.params
    assert preset.params == {name: value for name, value in last.params.items() if name != "chains"}
    assert "14 trials" in preset.source


def test_importances_sum_to_one_and_state_their_trials(finished_tuning):
    with StudyReader(finished_tuning) as reader:
        shares, count = reader.importances()
        complete = sum(each.state == "complete" for each in reader.trials())
    if complete < advisor.MIN_TRIALS:
        assert not shares
    else:
        assert sum(shares.values()) == pytest.approx(1)
        assert count == complete


def test_advisor_keeps_no_state_between_batches():
    spec = tuning()
    vary = {each.name: each.to_json() for each in spec.tune.vary}
    rng = np.random.default_rng(1)
    trials = [
        {
            "params": {"cooling": float(cooling), "acceptance": float(acceptance), "schedule": "linear"},
            "state": state, "gaps": [float(cooling), float(acceptance)],
        }
        for cooling, acceptance, state in zip(
            rng.choice([0.8, 0.85, 0.9], 20), rng.uniform(0.001, 0.5, 20).round(3),
            ["complete", "complete", "pruned", "failed"] * 5, strict=True,
        )
    ]  # fmt: skip
    asked = {
        "do": "propose", "batch": 5, "count": 4, "seed": 1, "pruner": "wilcoxon", "vary": vary, "trials": trials,
    }  # fmt: skip
    study, first = advisor.answer_request(None, asked)
    assert advisor.answer_request(study, asked)[1] == first == advisor.answer_request(None, asked)[1]
    assert len(first["trials"]) == 4
    assert first["importances"]["schedule"] == pytest.approx(0, abs=0.2)
    outside = [{**trials[0], "params": {**trials[0]["params"], "cooling": 0.5}}]
    assert len(advisor.rebuild_study({**asked, "trials": outside}).trials) == 0


def test_missing_optuna_says_what_to_install(finished_tuning, tmp_path, monkeypatch):
    monkeypatch.setattr(packages, "find_spec", lambda name: None)
    with pytest.raises(DeviceUnavailable, match="pip install optuna"):
        StudyFile(tmp_path / "new.tourstudy", tuning())
    assert not list(tmp_path.iterdir())
    with StudyReader(finished_tuning) as reader:
        assert len(reader.trials()) == 14, "what others have tuned is still shown"


def test_uploaded_tuning_is_rewritten_with_its_trials_and_resumed(finished_tuning, tmp_path):
    from runs.imports.study import import_study

    import_study(finished_tuning, tmp_path / "copy.tourstudy")
    assert trial_results(tmp_path / "copy.tourstudy") == trial_results(finished_tuning)
    with StudyReader(finished_tuning) as reader, StudyReader(tmp_path / "copy.tourstudy") as copy:
        assert copy.spec == reader.spec
        assert copy.importances() == reader.importances()
        assert copy.counts() == reader.counts()
        assert (copy.table().runs.length == reader.table().runs.length).all()


def read_whole(path):
    with StudyReader(path) as reader:
        return reader.trials(), reader.importances()


@each_row(
    "damage",
    [
        "UPDATE trial_runs SET tour = (SELECT tour FROM trial_runs WHERE trial = 0 AND step = 0) WHERE step = 1",
        "UPDATE trials SET params = '{}' WHERE number = 3",
        'UPDATE trials SET params = \'{"cooling": 7, "acceptance": 0.1, "schedule": "linear"}\' WHERE number = 3',
        "UPDATE trials SET state = 'lost' WHERE number = 2",
        "UPDATE trials SET counted = 99 WHERE number = 2",
        "UPDATE trials SET counted = 1 WHERE state = 'complete'",
        "DELETE FROM trials WHERE number = 1",
        "UPDATE importances SET share = 7",
        "DROP TABLE trial_runs",
        "UPDATE trial_runs SET step = 1000 WHERE trial = 0 AND step = 3",
    ],
)
def test_a_damaged_tuning_is_refused_in_a_sentence(finished_tuning, tmp_path, damage):
    from contextlib import closing
    from shutil import copy
    from sqlite3 import connect

    from runs.imports.study import import_study
    from studies.errors import InvalidStudy

    path = Path(copy(finished_tuning, tmp_path / "damaged.tourstudy"))
    with closing(connect(path, isolation_level=None)) as connection:
        if "importances" in damage:
            connection.execute("INSERT OR REPLACE INTO importances VALUES ('cooling', 0.5, 9)")
        connection.execute(damage)
    with pytest.raises((ValueError, TypeError, KeyError)):
        import_study(path, tmp_path / "copy.tourstudy")
    if "tour =" not in damage:  # the reader measures no tour
        with pytest.raises(InvalidStudy):
            read_whole(path)


def test_length_of_a_trial_is_measured_again(finished_tuning, tmp_path):
    from contextlib import closing
    from shutil import copy
    from sqlite3 import connect

    from runs.imports.study import import_study

    path = Path(copy(finished_tuning, tmp_path / "forged.tourstudy"))
    with closing(connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE trial_runs SET length = 1 WHERE trial = 4")
    import_study(path, tmp_path / "copy.tourstudy")
    assert trial_results(tmp_path / "copy.tourstudy") == trial_results(finished_tuning)
