"""What a trial chose is kept on disk; whatever else is there is ignored."""

import json

import pytest

from solvers.gpu.remembered import path_of, recall, remember

QUESTION = {"variant": "tuned", "device": "NVIDIA H200", "compute_capability": [9, 0], "cities": 112}
ANSWERS = (64, 128, 256)


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TOURSCOPE_CACHE", str(tmp_path / "cache"))


def test_an_answer_is_remembered_for_its_question_alone():
    assert recall(QUESTION, ANSWERS) is None
    remember(QUESTION, 128)
    assert recall(QUESTION, ANSWERS) == 128
    assert recall(QUESTION | {"cities": 128}, ANSWERS) is None
    assert recall(QUESTION | {"device": "Another"}, ANSWERS) is None
    remember(QUESTION, 256)
    assert recall(QUESTION, ANSWERS) == 256
    assert [each.name for each in path_of(QUESTION).parent.iterdir()] == [path_of(QUESTION).name]


@pytest.mark.parametrize("content", [
    b"", b"{", b"\xff\xfe", b"[]", b"[" * 100_000, b"null", b"128",
    json.dumps({"answer": 128}).encode(),
    json.dumps({"question": QUESTION | {"device": "Another"}, "answer": 128}).encode(),
    json.dumps({"question": QUESTION}).encode(),
    json.dumps({"question": QUESTION, "answer": 96}).encode(),
    json.dumps({"question": QUESTION, "answer": "128"}).encode(),
    json.dumps({"question": QUESTION, "answer": 128.0}).encode(),
    json.dumps({"question": QUESTION, "answer": True}).encode(),
], ids=range(14))  # fmt: skip
def test_a_damaged_or_foreign_file_is_ignored_and_replaced(content):
    path = path_of(QUESTION)
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    assert recall(QUESTION, ANSWERS) is None
    remember(QUESTION, 64)
    assert recall(QUESTION, ANSWERS) == 64


def test_where_nothing_can_be_written_nothing_is_remembered(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TOURSCOPE_CACHE", str(tmp_path / "file"))
    remember(QUESTION, 64)
    assert recall(QUESTION, ANSWERS) is None


def test_a_folder_in_the_place_of_the_file_is_left_alone():
    path_of(QUESTION).mkdir(parents=True)
    remember(QUESTION, 64)
    assert recall(QUESTION, ANSWERS) is None
    assert [each.name for each in path_of(QUESTION).parent.iterdir()] == [path_of(QUESTION).name]
