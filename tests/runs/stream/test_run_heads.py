"""Heads for clients that want all of them: none is skipped while there is room, and their times are evenly spaced."""

import numpy as np
import pytest

from runs.store.live_tour import Head
from runs.store.tour_timeline import Spread
from runs.stream import channel as stream_channel
from runs.stream.channel import Channel
from tests.tables import each_row


def head(number, elapsed=0.0, n=5):
    return Head(number, 0, 100 - number, 1.0, "moves", np.arange(n, dtype=np.int32), elapsed=elapsed)


def numbers(found):
    answer, heads = found
    return answer, [each.climber for each in heads]


def test_heads_since_the_last_request_arrive_in_order():
    channel = Channel()
    assert numbers(channel.heads(0)) == (0, [])
    channel.publish(("running", ""), heads=[head(1), head(2)])
    assert numbers(channel.heads(0)) == (2, [1, 2])
    channel.publish(("running", ""), heads=[head(3)])
    assert numbers(channel.heads(2)) == (3, [3])
    assert numbers(channel.heads(3)) == (3, [])
    assert channel.head.climber == 3
    channel.publish(("paused", ""))
    assert channel.head.climber == 3


def test_batch_keeps_as_many_heads_as_allowed(monkeypatch):
    assert [each.climber for each in stream_channel.select_newest([head(k) for k in range(100)])] == list(
        range(100 - stream_channel.MAX_HEADS, 100)
    )
    monkeypatch.setattr(stream_channel, "_MAX_BYTES", 1)
    assert [each.climber for each in stream_channel.select_newest([head(1), head(2)])] == [2]
    assert stream_channel.select_newest([]) == []


def test_only_the_last_heads_are_kept_and_fewer_of_large_ones(monkeypatch):
    channel = Channel()
    channel.publish(("running", ""), heads=[head(k) for k in range(200)])
    answer, saved = numbers(channel.heads(0))
    assert (answer, saved) == (200, list(range(200 - stream_channel.MAX_HEADS, 200)))
    monkeypatch.setattr(stream_channel, "_MAX_BYTES", 3 * 4 * 1000)
    channel.publish(("running", ""), heads=[head(k, n=1000) for k in range(200, 210)])
    assert numbers(channel.heads(200)) == (210, [207, 208, 209])
    monkeypatch.setattr(stream_channel, "_MAX_BYTES", 1)
    channel.publish(("running", ""), heads=[head(300)])
    assert numbers(channel.heads(0)) == (211, [300])


@each_row(
    ("expected", "laid"),
    [
        ([0.01, 0.02, 0.03], [0.01, 0.02, 0.03]),
        ([0.030, 0.031, 0.032], [0.032 / 3, 0.064 / 3, 0.032]),
        ([1.0, 1.001], [0.971, 1.001]),
        ([0.01, 0.02, 0.021], [0.01, 0.0155, 0.021]),
        ([], []),
    ],
)
def test_burst_is_spread_over_the_time_since_the_previous_one(expected, laid):
    found = Spread().spread([head(k, at) for k, at in enumerate(expected)])
    assert [each.elapsed for each in found] == pytest.approx(laid)


def test_times_never_decrease_between_bursts():
    spread = Spread()
    found = [each.elapsed for at in (0.1, 0.102, 0.103) for each in spread.spread([head(1, at), head(2, at + 0.001)])]
    assert found == sorted(found)
