"""The check of kernels reports findings, and planted faults that no tool found."""

import json

import pytest

from benchmarks import sanitize
from benchmarks.sanitize import PLANTED, TOOLS, check_all


@pytest.fixture
def exit_codes(monkeypatch):
    """Exit codes by tool and program; all other programs pass."""
    codes = {(tool, fault): sanitize._FAULT for fault, tool in PLANTED.items()}
    monkeypatch.setattr(sanitize, "run_sanitizer", lambda tool, _, name: (codes.get((tool, name), 0), "words"))
    monkeypatch.setattr(sanitize, "list_subjects", lambda: ["held-karp-2", "strip"])
    monkeypatch.setattr(sanitize, "_describe_machine", dict)
    monkeypatch.setattr(sanitize.shutil, "which", lambda _: "there")
    return codes


def test_all_clean(exit_codes, tmp_path):
    assert check_all([""], 2, tmp_path / "found.json") == 0
    found = json.loads((tmp_path / "found.json").read_text())
    assert found["planted"] == dict.fromkeys(PLANTED, "caught")
    assert found["subjects"] == {name: dict.fromkeys(TOOLS, "clean") for name in ("held-karp-2", "strip")}


def test_only_the_requested_tools_run(exit_codes, tmp_path):
    exit_codes["memcheck", "strip"] = 86
    assert check_all(["held"], 1, tmp_path / "found.json") == 0
    assert list(json.loads((tmp_path / "found.json").read_text())["subjects"]) == ["held-karp-2"]


def test_finding_is_reported_and_fails(exit_codes, tmp_path, capsys):
    exit_codes["initcheck", "strip"] = 86
    assert check_all([""], 2, tmp_path / "found.json") == 1
    assert json.loads((tmp_path / "found.json").read_text())["subjects"]["strip"]["initcheck"] == "exit code 86"
    assert "words" in capsys.readouterr().out


@pytest.mark.parametrize("fault", PLANTED)
def test_unnoticed_planted_fault_fails(exit_codes, fault):
    exit_codes[PLANTED[fault], fault] = 0
    assert check_all([""], 1, None) == 1


def test_subject_that_fails_alone_fails(exit_codes):
    exit_codes["", "strip"] = 1
    assert check_all([""], 1, None) == 1


def test_each_subject_has_a_purpose():
    names = sanitize.list_subjects()
    assert len(names) == len(set(names))
    assert {"held-karp-parts-2", "held-karp-qin-han", "islands-max-min-ant-system"} <= set(names)
