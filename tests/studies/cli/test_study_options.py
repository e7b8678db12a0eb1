"""The options of a study: export targets, exhausted budgets, names of entries, read-only use, Ctrl-C."""

import os
import shutil
from pathlib import Path

import pytest

from commands.arguments import UsageError
from data.collection.resolve import load
from data.tsplib.instances import write
from studies.cli import main as cli_main
from studies.cli.arguments import parse_command
from studies.cli.main import main
from studies.export import csv, iohprofiler
from studies.export.latex import escape
from studies.file.lock import StudyLock
from studies.file.reader import StudyReader
from studies.file.writer import StudyFile
from tests.studies.small_study import finish_study, tiny_study
from tests.tables import each_row

FLAGS = ("study", "--instances", "gr17", "--algorithms")


@pytest.fixture(scope="module")
def finished_study(tmp_path_factory):
    return finish_study(tmp_path_factory.mktemp("whole") / "some.tourstudy", tiny_study(seeds={"count": 1}))


@pytest.fixture
def study(finished_study, tmp_path):
    """A finished study."""
    return Path(shutil.copy(finished_study, tmp_path))


def read_refusal(capsys, *arguments):
    assert main(("study", *map(str, arguments))) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    return err


@pytest.mark.parametrize("name", ["", "-wal", "-shm", "-journal", ".lock", ".part"])
def test_export_must_not_overwrite_the_study(capsys, study, name):
    before = study.read_bytes()
    read_refusal(capsys, study, "--csv", f"{study}{name}")
    assert study.read_bytes() == before


def test_export_must_not_have_a_studys_suffix(capsys, study, tmp_path):
    assert "ends like a study" in read_refusal(capsys, study, "--csv", tmp_path / "other.tourstudy")


def test_export_must_not_be_another_name_of_the_study(capsys, study, tmp_path):
    (tmp_path / "link.csv").symlink_to(study)
    os.link(study, tmp_path / "hard.csv")
    for name in ("link.csv", "hard.csv"):
        assert "the study itself" in read_refusal(capsys, study, "--csv", tmp_path / name)


def test_exports_have_distinct_paths(capsys, study, tmp_path):
    (tmp_path / "in").mkdir()
    twice = ("--csv", tmp_path / "a", "--latex", tmp_path / "in" / ".." / "a")
    assert "also the path of --csv" in read_refusal(capsys, study, *twice)
    assert "is a folder" in read_refusal(capsys, study, "--csv", tmp_path / "in")
    assert "choose a new folder" in read_refusal(capsys, study, "--iohprofiler", tmp_path / "in")


def test_export_must_not_overwrite_a_source(capsys, tmp_path):
    cities, spec = tmp_path / "mine.tsp", tmp_path / "spec.json"
    cities.write_text(write(load("gr17")), encoding="ascii")
    spec.write_text(
        '{"v": 1, "instances": [{"name": "gr17"}], "entries": [{"label": "a", "stages": [{"algorithm": "greedy"}]}]}'
    )
    for path, source in ((spec, [spec]), (cities, ["--instances", f"burma14, {cities}", "--algorithms", "greedy"])):
        before = path.read_bytes()
        out = ("--out", tmp_path / "a.tourstudy") if path == cities else ()
        assert "a source of the study" in read_refusal(capsys, *source, *out, "--csv", path)
        assert path.read_bytes() == before
    assert not list(tmp_path.glob("*.tourstudy")), "nothing was run for it"


def test_export_permissions_follow_the_umask(study, tmp_path):
    before = os.umask(0o027)
    try:
        with StudyReader(study) as reader:
            csv.export(reader, tmp_path / "runs.csv")
    finally:
        os.umask(before)
    assert (tmp_path / "runs.csv").stat().st_mode & 0o777 == 0o640


def test_iohprofiler_folder_leaves_others_alone(study, tmp_path):
    (tmp_path / "ioh.part").mkdir()
    (tmp_path / "ioh.part" / "mine").touch()
    with StudyReader(study) as reader:
        iohprofiler.export(reader, tmp_path / "ioh")
    assert (tmp_path / "ioh.part" / "mine").exists()


def parse_params(*flags):
    return [entry.stages[-1].params for entry in parse_command((*FLAGS, *flags)).spec.entries]


@each_row("budget", ["seconds", "evaluations", "iterations", "without-improvement"])
def test_budget_rather_than_defaults_ends_runs(budget):
    algorithms = "two-opt,ant-system,two-opt:climbers=7,random,greedy,held-karp"
    assert parse_params(algorithms, f"--{budget}", "10") == [
        {"climbers": 10_000_000}, {"iterations": 1_000_000}, {"climbers": 7}, {"samples": 10_000_000}, {}, {},
    ]  # fmt: skip
    assert parse_params("two-opt,ant-system") == [{}, {}]
    assert parse_params("two-opt", "--over", "climbers=1,2", f"--{budget}", "10") == [{"climbers": 1}, {"climbers": 2}]


def test_only_the_last_stage_is_open_ended():
    (entry,) = parse_command((*FLAGS, "random/two-opt", "--seconds", "1")).spec.entries
    assert [stage.params for stage in entry.stages] == [{}, {"climbers": 10_000_000}]


@pytest.mark.long
def test_the_first_example_uses_its_budget(tmp_path, capsys):
    path = tmp_path / "a.tourstudy"
    assert main((*FLAGS, "two-opt,ant-system:beta=3", "--seconds", "0.2", "--seeds", "1", "--out", str(path))) == 0
    with StudyReader(path) as reader:
        runs = reader.table().runs
    assert runs.stop_reason.tolist() == ["time", "time"]
    assert (runs.seconds >= 0.2).all()
    assert "ended by itself" not in capsys.readouterr().out


@pytest.mark.long
def test_unused_budget_is_printed(tmp_path, capsys):
    path = tmp_path / "a.tourstudy"
    assert main((*FLAGS, "two-opt:climbers=1", "--seconds", "60", "--seeds", "2", "--out", str(path))) == 0
    assert "two-opt climbers=1 ended by itself in 2 of 2 runs, after " in capsys.readouterr().out


def parse_labels(*flags):
    return [entry.label for entry in parse_command((*FLAGS, *flags)).spec.entries]


def test_entries_keep_their_names():
    named = "my ants=ant-system:beta=3, plain=ant-system , both=greedy/two-opt:climbers=2"
    assert parse_labels(named) == ["my ants", "plain", "both"]
    assert parse_labels("ants=ant-system", "--over", "beta=2,3") == ["ants beta=2", "ants beta=3"]


def test_long_names_are_cut_and_stay_distinct():
    long = "/".join(["two-opt:climbers=2:variant=sequential"] * 3)
    labels = parse_labels(f"{long},{long}:exact=false,{long}:exact=true")
    assert all(len(label) <= 80 for label in labels)
    assert len(set(labels)) == 3
    assert labels[0].endswith("…")


@each_row("names", ["gr17,", ",gr17", "gr17,,burma14", ""])
def test_empty_part_of_a_list_is_reported(names):
    with pytest.raises(UsageError, match="a name beside a comma is missing"):
        parse_command(("study", "--instances", names, "--algorithms", "greedy"))
    with pytest.raises(UsageError, match="a name beside a comma is missing"):
        parse_command(("study", "--instances", "gr17", "--algorithms", names))


def test_spaces_after_commas_are_ignored_and_instances_named_once():
    spec = parse_command(("study", "--instances", "gr17, burma14", "--algorithms", "greedy, two-opt")).spec
    assert spec.instances == ({"name": "gr17"}, {"name": "burma14"})
    with pytest.raises(UsageError, match="names gr17 twice"):
        parse_command(("study", "--instances", "gr17, gr17", "--algorithms", "greedy"))


def test_options_may_precede_the_file():
    assert parse_command(["study", "--show", "some.tourstudy"]).path == Path("some.tourstudy")
    assert not parse_command(["study", "--cores", "2", "some.tourstudy"]).climbers
    assert parse_command(["study", "--json", "kroA100"]).climbers


@pytest.fixture
def empty_study(tmp_path):
    """A study without any finished run."""
    path = tmp_path / "begun.tourstudy"
    StudyFile(path, tiny_study()).close()
    return path


def test_showing_changes_nothing(capsys, empty_study, tmp_path):
    before = empty_study.read_bytes()
    assert main(("study", "--show", str(empty_study), "--csv", str(tmp_path / "runs.csv"))) == 0
    assert "0 of 8 runs" in capsys.readouterr().out
    assert empty_study.read_bytes() == before
    assert (tmp_path / "runs.csv").exists()


def test_study_in_use_is_shown(capsys, empty_study):
    lock = StudyLock(empty_study)
    try:
        assert main(("study", str(empty_study))) == 0
    finally:
        lock.close()
    out, err = capsys.readouterr()
    assert "Another process works on the study" in err
    assert "0 of 8 runs" in out


def test_study_in_a_read_only_folder_is_shown(capsys, empty_study, monkeypatch):
    def closed(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(cli_main, "StudyFile", closed)
    assert main(("study", str(empty_study))) == 0
    out, err = capsys.readouterr()
    assert err == "It cannot be resumed here: Permission denied. It is only shown.\n"
    assert "0 of 8 runs" in out


def ctrl_c(*_, **__):
    raise KeyboardInterrupt


@pytest.mark.parametrize("where", ["parse_command", "StudyFile", "Pool", "format_report"])
def test_ctrl_c_is_never_a_fault(capsys, empty_study, monkeypatch, where):
    monkeypatch.setattr(cli_main, where, ctrl_c)
    monkeypatch.setattr(cli_main, "_is_done", lambda path: where == "format_report")
    assert main(("study", str(empty_study))) == 130
    assert "Traceback" not in capsys.readouterr().err
    StudyLock(empty_study).close()


def test_ctrl_c_during_an_export_leaves_no_part(capsys, study, tmp_path, monkeypatch):
    monkeypatch.setattr(os, "fsync", ctrl_c)
    assert main(("study", str(study), "--csv", str(tmp_path / "runs.csv"))) == 130
    assert [path.name for path in tmp_path.iterdir()] == [study.name]


@each_row("algorithm", ["two-opt", "two-opt:variant=strip"])
def test_study_that_needs_a_gpu_leaves_no_file_without_one(capsys, tmp_path, monkeypatch, algorithm):
    monkeypatch.setattr(cli_main, "_count_gpus", lambda: 0)
    device = ("--device", "cuda") if algorithm == "two-opt" else ()
    assert main((*FLAGS, algorithm, *device, "--out", str(tmp_path / "a.tourstudy"))) == 2
    assert "CUDA GPU" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_latex_characters_are_escaped():
    assert escape("[a") == "{[}a"
    assert escape("*a") == "{*}a"
    assert escape("a--b---c") == "a-{}-b-{}-{}-c"
    assert escape("`a'") == r"\textasciigrave{}a\textquotesingle{}"


@each_row(
    ("arguments", "expected"),
    [
        (["KROA100"], 'Unknown instance "KROA100"; did you mean kroA100?'),
        (["--instance", "gr17"], 'Unknown option "--instance"; did you mean --instances?'),
        ([*FLAGS[1:], "two-op"], 'Unknown algorithm "two-op"; did you mean two-opt?'),
        ([*FLAGS[1:], "ant-system:bta=3"], 'Unknown parameter "bta"; did you mean beta?'),
        ([*FLAGS[1:], "ant-system", "--over", "bta=3,4"], 'Unknown parameter "bta"; did you mean beta?'),
    ],
)
def test_unknown_name_is_reported_with_a_suggestion(capsys, arguments, expected):
    assert read_refusal(capsys, *arguments).startswith(expected)


def test_help_and_errors_name_the_parts_of_a_study_alike(capsys):
    with pytest.raises(SystemExit):
        main(("study", "--help"))
    assert "[INSTANCE|FILE]" in capsys.readouterr().out
    assert "study INSTANCE --climbers" in read_refusal(capsys, "some.json", "--climbers", "5")


def test_cluster_address_requires_its_engine(capsys):
    values = (*FLAGS[1:], "random", "--ray-address", "ada:6379")
    assert "--ray-address goes with --engine ray" in read_refusal(capsys, *values)
