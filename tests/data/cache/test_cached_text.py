"""Cached texts, computed again when their sources change."""

import os

import pytest

from data.cache.cached_text import cached_text


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TOURSCOPE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def fail_if_made() -> str:
    raise AssertionError("it is there")


def test_text_is_computed_once():
    text = "const a = “ä”;\r\n\x00"
    assert cached_text("pages", "state", "a.js", lambda: text) == text
    assert cached_text("pages", "state", "a.js", fail_if_made) == text
    assert cached_text("pages", "other", "a.js", lambda: "1") == "1"
    assert cached_text("pages", "state", "b.js", lambda: "2") == "2"


def test_unreadable_file_is_recreated(cache):
    cached_text("pages", "state", "a.js", lambda: "right")
    (cache / "pages" / "state" / "a.js").write_bytes(b"\xff\xfe")
    assert cached_text("pages", "state", "a.js", lambda: "right") == "right"
    assert cached_text("pages", "state", "a.js", fail_if_made) == "right"


def test_newest_states_are_kept(cache):
    for k in range(8):
        cached_text("pages", f"state{k}", "a.js", lambda: "")
        os.utime(cache / "pages" / f"state{k}", (k, k))
    cached_text("pages", "newest", "a.js", lambda: "")
    assert {each.name for each in (cache / "pages").iterdir()} == {"newest", "state7", "state6", "state5", "state4"}


def test_text_is_recomputed_if_nothing_can_be_written(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TOURSCOPE_CACHE", str(tmp_path / "file"))
    assert [cached_text("pages", "state", "a.js", lambda each=each: each) for each in "ab"] == ["a", "b"]
