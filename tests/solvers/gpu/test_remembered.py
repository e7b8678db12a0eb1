"""A trial's choice is cached on disk; other content there is ignored."""

import json

import pytest

from solvers.gpu.answer_cache import cache_path, load_answer, save_answer
from tests.tables import each_row

QUESTION = {"variant": "tuned", "device": "NVIDIA H200", "compute_capability": [9, 0], "cities": 112}
ANSWERS = (64, 128, 256)


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TOURSCOPE_CACHE", str(tmp_path / "cache"))


def test_answer_is_cached_only_for_its_question():
    assert load_answer(QUESTION, ANSWERS) is None
    save_answer(QUESTION, 128)
    assert load_answer(QUESTION, ANSWERS) == 128
    assert load_answer(QUESTION | {"cities": 128}, ANSWERS) is None
    assert load_answer(QUESTION | {"device": "Another"}, ANSWERS) is None
    save_answer(QUESTION, 256)
    assert load_answer(QUESTION, ANSWERS) == 256
    assert [each.name for each in cache_path(QUESTION).parent.iterdir()] == [cache_path(QUESTION).name]


@each_row("content", [
    b"", b"{", b"\xff\xfe", b"[]", b"[" * 100_000, b"null", b"128",
    json.dumps({"answer": 128}).encode(),
    json.dumps({"question": QUESTION | {"device": "Another"}, "answer": 128}).encode(),
    json.dumps({"question": QUESTION}).encode(),
    json.dumps({"question": QUESTION, "answer": 96}).encode(),
    json.dumps({"question": QUESTION, "answer": "128"}).encode(),
    json.dumps({"question": QUESTION, "answer": 128.0}).encode(),
    json.dumps({"question": QUESTION, "answer": True}).encode(),
])  # fmt: skip
def test_damaged_or_foreign_file_is_ignored_and_replaced(content):
    path = cache_path(QUESTION)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    assert load_answer(QUESTION, ANSWERS) is None
    save_answer(QUESTION, 64)
    assert load_answer(QUESTION, ANSWERS) == 64


def test_nothing_is_cached_if_nothing_can_be_written(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TOURSCOPE_CACHE", str(tmp_path / "file"))
    save_answer(QUESTION, 64)
    assert load_answer(QUESTION, ANSWERS) is None


def test_folder_in_place_of_the_file_is_left_alone():
    cache_path(QUESTION).mkdir(parents=True)
    save_answer(QUESTION, 64)
    assert load_answer(QUESTION, ANSWERS) is None
    assert [each.name for each in cache_path(QUESTION).parent.iterdir()] == [cache_path(QUESTION).name]
