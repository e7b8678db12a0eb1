"""Timestamps in files: valid ones, and their display, which never fails."""

from datetime import UTC

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.moments import LATEST, check_moment, format_moment, is_moment, read_moment
from tests.tables import each_row

CAN_BE = [0, 0.0, 1.5, 1_700_000_000, 4_102_444_800.0, LATEST]
NONE = [
    1e300, -1e300, float("inf"), float("-inf"), float("nan"), 10**400, -(10**400), -1, LATEST + 1, "noon", "", None,
    True, [], {}, b"5", 2j, np.zeros(2),
]  # fmt: skip


@each_row("value", CAN_BE)
def test_any_clock_value_is_a_moment(value):
    assert is_moment(value)
    assert check_moment(value) == value
    assert format_moment(value, "%Y", UTC) in ("1970", "2023", "2100", "9999")
    assert format_moment(value, "%d %b %Y") != ""


@each_row("value", NONE)
def test_impossible_times_are_no_moment(value, tmp_path):
    assert not is_moment(value)
    with pytest.raises(ValueError, match=r"^the time .* is invalid$"):
        check_moment(value)
    assert format_moment(value, "%Y") == ""
    assert read_moment(value, tmp_path) == tmp_path.stat().st_mtime
    assert read_moment(value, tmp_path / "gone") == 0.0


@given(st.floats() | st.integers() | st.text() | st.none())
def test_any_value_has_words(value):
    assert isinstance(format_moment(value, "%d %b, %H:%M"), str)
