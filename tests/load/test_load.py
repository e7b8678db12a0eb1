"""A server with many viewers is fast and small, in a short test; ``make soak`` checks the limits for ten minutes."""

import pytest

from tests.load import lecture, question
from tests.load.measuring import Settings, exceeded_limits, figures, measure, stored_samples

pytestmark = [pytest.mark.slow, pytest.mark.long, pytest.mark.alone, pytest.mark.timeout(1200)]

#: How much slower a machine may be that has other work.
PATIENCE = 4.0
SHORT = Settings(viewers=20, runs=4, seconds=30)


def test_twenty_viewers_of_four_runs_see_news_at_once(tmp_path):
    measured = measure(tmp_path, SHORT)
    assert not exceeded_limits(measured, PATIENCE), figures(measured)
    answer = figures(measured)
    assert answer["heads"] > 20 * 30  # one a second for each, of two at most
    assert sum(stored_samples(measured)["samples"]["head age by ms"].values()) == answer["heads"]


def test_a_server_that_is_slowed_down_exceeds_the_limits(tmp_path):
    """Each head sent to a browser takes another 300 ms."""
    measured = measure(tmp_path, Settings(4, 2, 8), ("-m", "tests.faults.planted", "slow"))
    found = exceeded_limits(measured, PATIENCE)
    assert any(why.startswith("head age p50") for why in found), found


def test_class_follows_its_lecturer_to_the_last_place(tmp_path):
    """Of twenty positions per second, at most ten are sent."""
    measured = lecture.measure(tmp_path, lecture.Class(followers=10, places=20, seconds=3))
    assert not any(measured["faults"].values())
    assert 10 <= measured["figures"]["places told"] <= 10 * (3 * 10 + 2)


def test_hundred_answers_in_two_seconds_are_counted_once_each(tmp_path):
    """The server takes 0.17 s on two cores of an AMD EPYC with other load."""
    measured = question.measure(tmp_path, question.Class(visitors=100, seconds=2))
    assert not any(measured["faults"].values()), measured["faults"]
    assert len(measured["answers"]) == 100 + 100 // question.CHANGES
    assert measured["figures"]["server processor seconds"] < 1.0
