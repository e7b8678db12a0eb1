"""Studies from the command line: killed and resumed, refused in one sentence, reported and exported."""

import json
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import numpy as np
import psutil
import pytest

from data.collection.resolve import load
from data.errors import InvalidInstance
from data.tsplib.instances import write
from studies.cli.arguments import EXPORTS, parse_command
from studies.cli.main import format_time_left, main
from studies.file.reader import StudyReader
from studies.pool.run_log import ROW
from studies.pool.worker import compute_outcome
from studies.spec.matrix import list_cells, make_run_spec
from studies.spec.spec import StudySpec
from tests.clock import PATIENCE
from tests.studies.export import ioh_check
from tests.studies.small_study import INSTANCES, finish_study, spec_json, tiny_study
from tests.tables import each_row

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]
FLAGS = ("study", "--instances", "burma14,gr17", "--algorithms", "two-opt:climbers=3,random:samples=5", "--seeds", "2")


def start_study(*arguments):
    return subprocess.Popen(
        [sys.executable, "-m", "solvers", "study", *map(str, arguments)],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def test_instance_is_found_in_the_given_data_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("TOURSCOPE_HOME", str(tmp_path / "elsewhere"))
    monkeypatch.delenv("TOURSCOPE_DATA", raising=False)
    (tmp_path / "library").mkdir()
    (tmp_path / "library" / "mine.tsp").write_text(write(load("gr17")))
    command = ["study", "--instances", "mine", "--algorithms", "greedy"]
    with pytest.raises(InvalidInstance, match='Unknown instance "mine"'):
        parse_command(command)
    assert parse_command([*command, "--home", str(tmp_path)]).spec.instances == ({"name": "mine"},)


def counts(path):
    with StudyReader(path) as reader:
        return reader.counts()


def read_finished(path):
    """The file's data on the finished cells, by their number."""
    with StudyReader(path) as reader, closing(reader._connection.cursor()) as cursor:
        rows = cursor.execute("SELECT number, result, tour, log, took FROM cells WHERE state = 'finished'")
        return {row[0]: row[1:] for row in rows}


@pytest.fixture(scope="module", params=[2, pytest.param(10, marks=pytest.mark.long)])
def seeds(request):
    """Seeds of the killed study, each with thirty runs."""
    return request.param


@pytest.fixture(scope="module")
def resumed_study(tmp_path_factory, seeds):
    """A study of five algorithms on six instances, killed by SIGKILL midway and resumed by the same command."""
    folder = tmp_path_factory.mktemp("killed")
    spec, path = folder / "five.json", folder / "five.tourstudy"
    spec.write_text(json.dumps(spec_json(seeds={"first": 1, "count": seeds})))
    process = start_study(spec, "--cores", 1)
    try:
        while not path.exists() or counts(path)["finished"] < 5 * seeds:
            assert process.poll() is None, process.stderr.read()
            time.sleep(0.02)
        workers = psutil.Process(process.pid).children()
        process.send_signal(signal.SIGKILL)
    finally:
        process.kill()
        process.communicate()
    before = read_finished(path)
    _, alive = psutil.wait_procs(workers, timeout=PATIENCE)
    again = start_study(spec, "--cores", 1, "--json")
    out, err = again.communicate(timeout=3 * PATIENCE)
    return path, before, alive, again.returncode, out, err


@pytest.mark.long
def test_killed_study_loses_only_runs_in_progress(resumed_study, seeds):
    path, before, _, status, _, err = resumed_study
    assert 5 * seeds <= len(before) < 30 * seeds, "killed in its midst"
    assert (status, err) == (0, "")
    assert counts(path) == {"waiting": 0, "running": 0, "finished": 30 * seeds, "failed": 0}
    after = read_finished(path)
    assert {number: after[number] for number in before} == before, "what was finished is as it was"
    assert [entry.name for entry in path.parent.iterdir() if entry.suffix != ".json"] == [path.name]


def test_workers_of_a_killed_study_end(resumed_study):
    assert not resumed_study[2]


def test_every_run_equals_a_separate_run(resumed_study, seeds):
    """Tour, length, totals and improvements are those of the same run in this process."""
    spec = StudySpec.from_json(spec_json(seeds={"first": 1, "count": seeds}))
    instances = [load(name) for name in INSTANCES]
    stored = read_finished(resumed_study[0])
    for cell in list_cells(spec):
        result, tour, log, _ = stored[cell.number]
        alone = compute_outcome(make_run_spec(spec, cell), instances[cell.instance])
        assert tour == alone.tour
        found, expected = np.frombuffer(log, ROW), np.frombuffer(alone.log, ROW)
        for name in ("evaluations", "iterations", "length"):
            assert found[name].tolist() == expected[name].tolist(), (cell, name)
        answer = json.loads(result)
        for name in ("length", "evaluations", "iterations", "stop_reason", "params", "instance_sha256", "spec", "seed"):
            assert answer[name] == alone.result[name], (cell, name)


def test_json_contains_everything(resumed_study, seeds):
    answer = json.loads(resumed_study[4])
    assert answer["cells"]["finished"] == len(answer["runs"]) == 30 * seeds
    assert answer["spec"] == StudySpec.from_json(spec_json(seeds={"first": 1, "count": seeds})).to_json()
    gap = {(row["instance"], row["entry"]): row for row in answer["median_gaps"]}["berlin52", "nearest"]
    lengths = [run["length"] for run in answer["runs"] if run["instance"] == "berlin52" and _is_nearest(run)]
    assert len(lengths) == gap["runs"] == seeds
    assert gap["median_gap_percent"] == pytest.approx(np.median([100 * (length - 7542) / 7542 for length in lengths]))
    assert (gap["reference"], gap["reference_kind"]) == (7542, "optimum")
    assert any("nearest on burma14" in caution for caution in answer["cautions"]) == _is_alike(answer["runs"], 3323)


def _is_alike(runs, optimum):
    """Whether all seeds of nearest neighbour give the same length on burma14, which is not the optimum."""
    lengths = {run["length"] for run in runs if run["instance"] == "burma14" and _is_nearest(run)}
    return len(lengths) == 1 and lengths != {optimum}


def _is_nearest(run):
    return [stage["algorithm"] for stage in run["spec"]["stages"]] == ["nearest-neighbour"]


def run_command(capsys, *arguments, status=0):
    assert main(arguments) == status
    out, err = capsys.readouterr()
    return out if status in (0, 1) else err


def test_flags_make_a_study_and_the_same_flags_resume_it(work_here, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    out = run_command(capsys, *FLAGS, "--iterations", "5")
    (path,) = tmp_path.glob("study-*.tourstudy")
    assert "8 of 8 runs, seeds 1 to 2" in out
    heading, first, second = out.splitlines()[3:6]
    assert heading.split("  ")[-1].strip() == "random samples=5"
    assert [first.split()[0], second.split()[0]] == ["burma14", "gr17"]
    written = path.read_bytes()
    assert run_command(capsys, *FLAGS, "--iterations", "5") == out
    assert run_command(capsys, "study", path.name) == out
    assert run_command(capsys, "study", "--resume", path.name) == out
    assert path.read_bytes()[100:] == written[100:], "nothing was run again"
    run_command(capsys, *FLAGS, "--iterations", "6")
    assert len(list(tmp_path.glob("study-*.tourstudy"))) == 2


def test_study_gets_its_latest_title(work_here, capsys, tmp_path):
    flags = (*FLAGS, "--iterations", "5", "--out", str(tmp_path / "a.tourstudy"))
    assert run_command(capsys, *flags, "--title", "First").startswith("First: 8 of 8")
    assert run_command(capsys, *flags, "--title", "Second").startswith("Second: 8 of 8")
    assert run_command(capsys, *flags).startswith("Second: 8 of 8")


def test_instance_file_is_not_needed_for_resuming(work_here, capsys, tmp_path):
    cities, path = tmp_path / "mine.tsp", tmp_path / "mine.tourstudy"
    cities.write_text(write(load("ulysses16")).replace("\nEOF", ""), encoding="ascii")
    flags = ("study", "--instances", str(cities), "--algorithms", "greedy", "--seeds", "1", "--out", str(path))
    assert main(flags) == 0
    out, err = capsys.readouterr()
    assert err.startswith("ulysses16: The file ends without EOF.\n")
    assert "One seed proves nothing" in out
    cities.unlink()
    assert run_command(capsys, "study", str(path)) == out
    with StudyReader(path) as reader:
        assert reader.instances[0].optimum == 6859


def test_one_algorithm_over_a_parameter():
    command = parse_command((*FLAGS, "--over", "climbers=1,2", "--over", "samples=4,8"))
    labels = [entry.label for entry in command.spec.entries]
    assert labels == [
        "two-opt climbers=3 climbers=1", "two-opt climbers=3 climbers=2", "random samples=5 samples=4",
        "random samples=5 samples=8",
    ]  # fmt: skip
    assert [entry.stages[0].params for entry in command.spec.entries][1] == {"climbers": 2}


def test_stages_are_separated_by_a_slash():
    command = parse_command(
        ("study", "--instances", "gr17", "--algorithms", "nearest-neighbour/two-opt:climbers=2:variant=cpu")
    )
    (entry,) = command.spec.entries
    assert [stage.algorithm for stage in entry.stages] == ["nearest-neighbour", "two-opt"]
    assert entry.stages[1].params == {"climbers": 2, "variant": "cpu"}
    assert entry.label == "nearest-neighbour/two-opt climbers=2 variant=cpu"


def test_exports_are_written_besides_the_printed_output(capsys, tmp_path):
    pytest.importorskip("pyarrow")
    path = finish_study(tmp_path / "some.tourstudy", tiny_study())
    files = {kind: tmp_path / f"out-{kind}" for kind in ("csv", "parquet", "latex", "iohprofiler")}
    words = [word for kind, to in files.items() for word in (f"--{kind}", str(to))]
    lines = run_command(capsys, "study", str(path), *words).splitlines()
    assert lines[-5:] == [*(f"Wrote {to}: {EXPORTS[kind]}." for kind, to in files.items()), f"The study is {path}."]
    assert files["csv"].read_bytes().count(b"\r\n") == 9
    assert files["parquet"].read_bytes()[:4] == b"PAR1"
    assert r"\toprule" in files["latex"].read_text()
    assert len(ioh_check.check(files["iohprofiler"])) == 4


def test_failed_runs_are_reported_with_status_1(work_here, capsys, tmp_path):
    exact = {"label": "exact", "stages": [{"algorithm": "held-karp"}]}
    spec = tmp_path / "exact.json"
    instances = [{"name": "pr1002"}, {"name": "burma14"}]
    spec.write_text(json.dumps(spec_json(instances=instances, entries=[exact], seeds={"count": 1})))
    out = run_command(capsys, "study", str(spec), status=1)
    assert "1 of 2 runs, seed 1" in out
    assert "1 run of exact on pr1002 failed: " in out.splitlines()[-2]
    assert "-" in out.splitlines()[4]


REFUSED = [
    ["study", "--instances", "berlin52"],
    ["study", "--algorithms", "two-opt"],
    ["study", "--instances", "berlin53", "--algorithms", "two-opt"],
    ["study", "--instances", "berlin52", "--algorithms", "twoopt"],
    ["study", "--instances", "berlin52", "--algorithms", "two-opt,two-opt"],
    ["study", "--instances", "berlin52", "--algorithms", "two-opt:climbers"],
    ["study", "--instances", "berlin52", "--algorithms", "two-opt:climbers=0"],
    ["study", "--instances", "berlin52", "--algorithms", "two-opt:climbers=2:climbers=3"],
    ["study", "--instances", "berlin52", "--algorithms", "two-opt", "--over", "beta=1"],
    ["study", "--instances", "berlin52", "--algorithms", "two-opt", "--over", "climbers"],
    ["study", "--instances", "berlin52", "--algorithms", "two-opt", "--seeds", "0"],
    ["study", "--instances", "berlin52", "--algorithms", "two-opt", "--seeds", "many"],
    ["study", "--instances", "berlin52", "--algorithms", "two-opt", "--seconds", "0"],
    ["study", "--instances", "berlin52", "--algorithms", "two-opt", "--seconds", "nan"],
    ["study", "--instances", "berlin52", "--algorithms", "two-opt", "--device", "tpu"],
    ["study", "--instances", "berlin52", "--algorithms", "two-opt", "--cores", "0"],
    ["study", "--instances", "berlin52", "--algorithms", "two-opt", "--out", "study.sqlite"],
    ["study", "--instances", "berlin52", "--algorithms", "two-opt", "--out", "/no/such/folder/a.tourstudy"],
    ["study", "--instances", "berlin52", "--algorithms", "two-opt", "--csv", "/no/such/folder/a.csv"],
    ["study", "--instances", "berlin52,berlin52", "--algorithms", "two-opt"],
    ["study", "--instances", "missing.tsp", "--algorithms", "two-opt"],
    ["study", "missing.json"],
    ["study", "missing.tourstudy"],
    ["study", "wrong.json"],
    ["study", "deep.json"],
    ["study", "wrong.tourstudy"],
    ["study", "wrong.json", "--instances", "berlin52"],
    ["study", "wrong.tourstudy", "--out", "b.tourstudy"],
]


@each_row("arguments", REFUSED)
def test_wrong_argument_gives_one_sentence_and_exit_status_2(capsys, tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wrong.json").write_text("{")
    (tmp_path / "deep.json").write_text("[" * 100_000)
    (tmp_path / "wrong.tourstudy").write_text("no study")
    there = sorted(entry.name for entry in tmp_path.iterdir())
    err = run_command(capsys, *arguments, status=2)
    assert err.strip()
    assert "\n" not in err.strip()
    assert "usage" not in err
    assert sorted(entry.name for entry in tmp_path.iterdir()) == there, "nothing is left of it"


@pytest.mark.long
def test_the_module_knows_both_kinds(tmp_path):
    def told(*arguments):
        command = [sys.executable, "-m", "solvers", "study", *arguments]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert "--instances" in told("--help").stdout
    assert "--climbers" in told("berlin52", "--help").stdout
    refused = told("--instances", "berlin53", "--algorithms", "greedy")
    assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)


def test_ctrl_c_keeps_the_results_so_far(tmp_path):
    path = tmp_path / "some.tourstudy"
    flags = ("--instances", "burma14,pr1002", "--algorithms", "two-opt:climbers=1000000", "--seconds", "600")
    process = start_study(*flags, "--seeds", 1, "--out", path, "--cores", 1)
    try:
        while not path.exists() or counts(path)["running"] < 1:
            assert process.poll() is None, process.stderr.read()
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)  # the runs themselves have ten minutes
    finally:
        process.kill()
    assert (process.returncode, err) == (130, "")
    assert "2 runs left: python -m solvers study" in out
    assert counts(path) == {"waiting": 2, "running": 0, "finished": 0, "failed": 0}


def test_terminal_shows_a_progress_bar(work_here, capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert main((*FLAGS, "--iterations", "5", "--out", str(tmp_path / "a.tourstudy"))) == 0
    assert "the same command resumes it" in capsys.readouterr().err


@each_row(
    ("seconds", "words"),
    [
        (None, ""),
        (0.0, "about 0 s left"),
        (89.0, "about 89 s left"),
        (90.0, "about 2 min left"),
        (6000, "about 2 h left"),
    ],
)
def test_time_left_in_words(seconds, words):
    assert format_time_left(seconds) == words
