"""The limits of the load, on made-up samples."""

import pytest

from tests.load.measuring import MAX_MB, exceeded_limits, quantile, relative_growth
from tests.tables import each_row

NAMES = ("head age", "log age", "click", "load", "cancel", "lag")


def made_up(**changes):
    shares = {f"{who} {what}": [0.1] for who in ("server", "swarm") for what in ("core", "waited")}
    samples = {**dict.fromkeys(NAMES, [0.01] * 100), **shares, "mb": [200.0] * 600, "files": [9], "threads": [9]}
    asked = {"seconds": 600, "viewers": 1, "every": 6.0}  # a hundred heads
    return {"settings": asked, "errors": {}, "samples": {**samples, "worker mb": [1.0], **changes}}


def test_values_within_the_limits_pass():
    assert exceeded_limits(made_up()) == []


@each_row(
    ("name", "samples", "why"),
    [
        ("head age", [0.01] * 40 + [0.06] * 60, "head age p50"),
        ("head age", [0.01] * 94 + [0.3] * 6, "head age p95"),
        ("head age", [0.01] * 98 + [1.1] * 2, "head age p99"),
        ("head age", [], "head age p50"),
        ("head age", [0.01] * 79, "heads come to 79%"),
        ("click", [0.4] * 100, "click p95"),
        ("cancel", [0.1, 2.1], "cancel max"),
        ("mb", [200.0] * 599 + [MAX_MB + 1], "the server takes"),
        ("mb", [200.0] * 300 + [200 + k / 20 for k in range(300)], "the server has grown"),
    ],
)
def test_exceeded_limit_is_reported(name, samples, why):
    assert any(each.startswith(why) for each in exceeded_limits(made_up(**{name: samples})))


def test_one_error_is_too_many():
    assert exceeded_limits({**made_up(), "errors": {"status 500 of /": 1}}) == ["1 times: status 500 of /"]


def test_slower_machine_gets_more_time_but_no_more_memory():
    assert not exceeded_limits(made_up(click=[0.4] * 100), patience=2)
    assert exceeded_limits(made_up(mb=[MAX_MB + 1] * 600), patience=2)


def test_quantiles_and_growth():
    assert quantile([3, 1, 2], 0.5) == 2
    assert quantile([1] * 99 + [5], 0.99) == 5
    assert relative_growth([100.0] * 10 + [110.0] * 10) == pytest.approx(0.1)
