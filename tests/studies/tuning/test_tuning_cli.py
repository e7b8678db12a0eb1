"""Tunings from the command line: parsed strictly, reported, exported, resumed; presets that runs accept."""

import json

import pytest

from commands.arguments import UsageError
from commands.arguments import parse_command as read_run
from data.home.place import VARIABLE
from solvers import find
from solvers.core.errors import InvalidParams
from solvers.presets import preset_file
from solvers.presets.preset_file import FOLDER, OwnPreset
from studies.cli.arguments import parse_command
from studies.cli.main import main
from studies.file.reader import StudyReader
from studies.tuning import packages
from tests.studies.tuning.small_tuning import trial_results
from tests.tables import each_row

TUNE = ("study", "--tune", "simulated-annealing:chains=1:moves-per-city=2:finish=none", "--instances", "gr17,burma14")
FEW = ("--vary", "cooling,schedule", "--trials", "6", "--train-seeds", "2", "--seeds", "2", "--device", "cpu")


def make_spec(*words):
    return parse_command([*TUNE, *words]).spec


def test_defaults_match_the_documents():
    tune, spec = make_spec().tune, make_spec()
    assert (tune.trials, tune.batch, tune.seed, tune.pruner) == (50, 4, 1, "wilcoxon")
    assert (tune.seeds.first, tune.seeds.count, spec.seeds.first, spec.seeds.count) == (1, 3, 4, 10)
    assert tune.instances == spec.instances
    assert {"cooling", "acceptance", "schedule"} <= {each.name for each in tune.vary}


def test_options_set_parameters_and_ranges():
    varied = ("--vary", "cooling=0.85..0.95, schedule=geometric|linear", "--vary", "moves-per-city")
    by_name = {each.name: each for each in make_spec(*varied).tune.vary}
    assert list(by_name) == ["cooling", "schedule", "moves_per_city"]
    assert (by_name["cooling"].low, by_name["cooling"].high) == (0.85, 0.95)
    assert by_name["schedule"].choices == ("geometric", "linear")


def test_test_instances_and_seeds_are_separate_from_trials():
    spec = make_spec("--test-instances", "fri26", "--first-seed", "5", "--train-seeds", "2", "--seeds", "7")
    assert [each["name"] for each in spec.instances] == ["fri26"]
    assert [each["name"] for each in spec.tune.instances] == ["gr17", "burma14"]
    assert [each["name"] for each in spec.all_instances] == ["fri26", "gr17", "burma14"]
    assert (list(spec.tune.seeds), list(spec.seeds)) == ([5, 6], list(range(7, 14)))


@each_row(
    ("words", "expected"),
    [
        (("--algorithms", "two-opt"), "--tune is of one algorithm"),
        (("--vary", "cooling=2..3"), "cooling"),
        (("--vary", "colling"), "did you mean cooling"),
        (("--vary", "schedule=geometric"), "schedule"),
        (("--trials", "1"), "trials"),
        (("--trials", "2000"), "trials"),
        (("--save-preset", "mine.json"), "tourpreset"),
    ],
)
def test_wrong_option_gives_one_sentence(words, expected):
    with pytest.raises((UsageError, InvalidParams), match=expected) as refusal:
        make_spec(*words)
    assert "\n" not in str(refusal.value)


@each_row("word", ["--trials", "--vary", "--pruner"])
def test_tuning_options_require_a_tuning(word):
    value = "none" if word == "--pruner" else "3"
    with pytest.raises(UsageError, match="goes with --tune"):
        parse_command(["study", "--instances", "gr17", "--algorithms", "two-opt", word, value])


@pytest.mark.slow
def test_tuning_is_reported_written_and_resumed(work_here, tmp_path, capsys):
    out, preset = tmp_path / "few.tourstudy", tmp_path / "found.tourpreset"
    assert (
        main([*TUNE, *FEW, "--out", str(out), "--save-preset", str(preset), "--csv", str(tmp_path / "runs.csv")]) == 0
    )
    output = capsys.readouterr().out
    assert "6 of 6 trials" in output
    assert "in % above the optimum" in output
    assert "test runs with new seeds" in output
    assert len((tmp_path / "runs.csv").read_text().splitlines()) == 1 + 2 * 2 * 2
    before = trial_results(out)
    assert main(["study", str(out), "--json"]) == 0
    value = json.loads(capsys.readouterr().out)
    assert [each["number"] for each in value["trials"]] == list(range(6))
    assert value["best"] in range(1, 6)
    assert trial_results(out) == before
    with StudyReader(out) as reader:
        found = reader.spec.entries[1].stages[-1].params
    assert preset_file.read(preset).params == {name: v for name, v in found.items() if name != "chains"}
    run = read_run(["run", "gr17", "simulated-annealing", "--preset", str(preset), "--chains", "3"]).spec.stages[-1]
    assert run.params == preset_file.read(preset).params | {"chains": 3}


def test_command_without_optuna_says_what_to_install(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(packages, "find_spec", lambda name: None)
    assert main([*TUNE, *FEW, "--out", str(tmp_path / "none.tourstudy")]) == 2
    assert capsys.readouterr().err == f"{packages.MISSING}\n"
    assert not list(tmp_path.iterdir())


def test_preset_is_found_by_name_in_the_data_folder_or_as_a_file(tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    mine = OwnPreset("My ants", "ant-colony-system", {"beta": 4.0, "ants": 12}, "by hand")
    preset_file.write(tmp_path / FOLDER / "one.tourpreset", mine)
    words = ["run", "gr17", "ant-colony-system", "--preset"]
    for name in ("My ants", str(tmp_path / FOLDER / "one.tourpreset")):
        assert read_run([*words, name]).spec.stages[-1].params == mine.params
        assert read_run([*words, name, "--beta", "3"]).spec.stages[-1].params == mine.params | {"beta": 3}
    paper = find("ant-colony-system").presets[0]
    assert read_run([*words, paper.name]).spec.stages[-1].params == paper.params
    with pytest.raises(UsageError, match=r"did you mean|presets are"):
        read_run([*words, "My aunts"])
    with pytest.raises(UsageError, match="preset of ant-colony-system, not of"):
        read_run(["run", "gr17", "two-opt", "--preset", str(tmp_path / FOLDER / "one.tourpreset")])


@each_row(
    "content",
    [
        b"", b"[]", b"{}", b'{"preset": "a", "algorithm": "two-opt"}', b"\xff", b"[" * 100_000,
        b'{"preset": "", "algorithm": "two-opt", "params": {}}',
        b'{"preset": "a\\nb", "algorithm": "two-opt", "params": {}}',
        b'{"preset": "a", "algorithm": "none", "params": {}}',
        b'{"preset": "a", "algorithm": "two-opt", "params": {"climbers": 0}}',
        b'{"preset": "a", "algorithm": "two-opt", "params": {"beta": 1}}',
        b'{"preset": "a", "algorithm": "two-opt", "params": {}, "v": 99}',
        b'{"preset": "a", "algorithm": "two-opt", "params": {}, "more": 1}',
    ],
)  # fmt: skip
def test_invalid_preset_file_is_refused(content):
    with pytest.raises(InvalidParams):
        preset_file.parse(content)


def test_preset_survives_its_file(tmp_path):
    mine = OwnPreset("Überall – überall", "two-opt", {"climbers": 3}, "a, b; c")
    preset_file.write(tmp_path / "a.tourpreset", mine)
    assert preset_file.read(tmp_path / "a.tourpreset") == mine
