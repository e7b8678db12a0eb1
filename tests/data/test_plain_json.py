"""JSON from users: everything that a browser reads is accepted, and nothing else."""

import json

import pytest

from data.plain_json import DEPTH, VALUES, count_marks, is_plain, loads
from tests.tables import each_row


def nest_lists(depth):
    return "[" * depth + "]" * depth


@each_row(
    "value", [None, True, 0, -1, 2**53, 10**300, 1e308, "", "\U0001f600", [], {}, [[1, {"a": None}]], list(range(5000))]
)
def test_browser_json_is_read(value):
    assert loads(json.dumps(value)) == value
    assert is_plain(value)


def test_allowed_nesting():
    assert loads(nest_lists(DEPTH)) is not None
    assert loads("[" + "1," * (VALUES - 2) + "1]")


@each_row(
    "text",
    [
        "", "{", "a", "NaN", "[Infinity]", "-Infinity", "1e999", "1" * 310, "-" + "1" * 400, "1" * 5000, '"\\ud800"',
        '{"\\udc00": 1}', nest_lists(DEPTH + 1), nest_lists(988), nest_lists(100_000), '{"a":' * 988 + "1" + "}" * 988,
        "[" + "1," * VALUES + "1]",
    ]
)  # fmt: skip
def test_non_browser_json_is_refused(text):
    with pytest.raises(ValueError):  # noqa: PT011 - of whatever words
        loads(text)


@each_row("text", [b"[" + b"[]," * 4_000_000 + b"[]]", "[" + "1," * VALUES + "1]"])
def test_too_many_values_are_refused_before_parsing(text, monkeypatch):
    monkeypatch.setattr(json, "loads", None)
    with pytest.raises(ValueError, match="too large"):
        loads(text)


def test_separators_are_counted_up_to_the_limit():
    assert count_marks(b'{"a": [1, 2], "b,": {}}') == 6
    assert count_marks(b"[,", 5) == 7
    assert VALUES < count_marks(b"," * 12_000_000) < 2 * VALUES
