"""The coastlines drawn by pages: the contents of their files, and rings across the date line."""

from pathlib import Path

import numpy as np
import pytest

from data.places.build_coastlines import STEPS, unwrap
from tests.tables import each_row

WORLD = Path(__file__).parents[2] / "assets" / "world"


def rings(detail):
    numbers = np.fromfile(WORLD / f"land-{detail}.bin", "<i2").astype(int)
    start = 0
    while start < len(numbers):
        end = start + 1 + 2 * numbers[start]
        assert end <= len(numbers)
        yield numbers[start + 1 : end].reshape(-1, 2) / STEPS
        start = end


def is_inside(ring, longitude, latitude) -> bool:
    """Whether a place is in a ring, by the crossings of a ray eastwards."""
    (x, y), (to_x, to_y) = ring.T, np.roll(ring, -1, axis=0).T
    crosses = (y > latitude) != (to_y > latitude)
    with np.errstate(divide="ignore", invalid="ignore"):
        at = x + (latitude - y) / (to_y - y) * (to_x - x)
    return bool((crosses & (at > longitude)).sum() % 2)


@pytest.mark.slow
@each_row("detail", ["110m", "50m"])
def test_land_has_its_position(detail):
    def on_land(longitude, latitude):
        return sum(is_inside(ring, longitude + turn, latitude) for ring in rings(detail) for turn in (0, 360)) % 2 == 1

    assert on_land(10, 50)
    assert on_land(140, -25)
    assert on_land(-60, -10)
    assert on_land(-175, 66.5)  # the end of Siberia, beyond the date line
    assert on_land(0, -85)
    assert not on_land(-30, 40)
    assert not on_land(51, 42)  # the Caspian Sea, a ring within a ring
    assert not on_land(-150, 0)


@each_row("detail", ["110m", "50m"])
def test_no_ring_jumps_across_the_map(detail):
    for ring in rings(detail):
        steps = np.abs(np.diff(ring[:, 0], append=ring[0, 0]))
        # Antarctica goes back along the pole.
        assert steps[np.abs(ring[:, 1]) < 89.9].max(initial=0) < 180


def test_polar_ring_is_closed_through_the_pole():
    ring = unwrap(np.array([[-180.0, -70], [-60, -71], [60, -72], [179, -70]]))
    assert ring[-2:, 1].tolist() == [-90, -90]
    assert np.ptp(ring[:, 0]) == 360
