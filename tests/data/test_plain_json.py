"""JSON of strangers: what a browser reads is read, and nothing else."""

import json

import pytest

from data.plain_json import DEPTH, VALUES, is_plain, loads


def nested(depth):
    return "[" * depth + "]" * depth


@pytest.mark.parametrize(
    "value", [None, True, 0, -1, 2**53, 10**300, 1e308, "", "\U0001f600", [], {}, [[1, {"a": None}]], list(range(5000))]
)
def test_what_a_browser_reads_is_read(value):
    assert loads(json.dumps(value)) == value
    assert is_plain(value)


def test_what_may_be_within_each_other():
    assert loads(nested(DEPTH)) is not None
    assert loads("[" + "1," * (VALUES - 2) + "1]")


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "a", "NaN", "[Infinity]", "-Infinity", "1e999", "1" * 310, "-" + "1" * 400, "1" * 5000, '"\\ud800"',
        '{"\\udc00": 1}', nested(DEPTH + 1), nested(988), nested(100_000), '{"a":' * 988 + "1" + "}" * 988,
        "[" + "1," * VALUES + "1]",
    ],
    ids=lambda text: text[:20],
)  # fmt: skip
def test_what_no_browser_reads_is_refused(text):
    with pytest.raises(ValueError):  # noqa: PT011 - of whatever words
        loads(text)
