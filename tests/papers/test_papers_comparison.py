"""Published figures and TourScope's: a ratio above 1 means that TourScope's are better, in every unit."""

import pytest

from papers.catalogue import find, list_entries
from papers.comparison import compute_ratio, compute_ratios, falls_short
from papers.results import MeasuredTable
from tests.tables import each_row


@each_row(
    ("column", "unit", "published", "ours", "times"),
    [
        ("GPU", "ms", 10.0, 5.0, 2.0),
        ("GPU", "s", 5.0, 10.0, 0.5),
        ("speed-up", "x", 10.0, 20.0, 2.0),
        ("throughput", "GB/s", 10.0, 5.0, 0.5),
        ("accuracy", "%", 50.0, 100.0, 2.0),
        ("lowest length", "", 30_000.0, 15_000.0, 2.0),
        ("cities", "", 52.0, 52.0, None),
        ("GPU", "ms", None, 5.0, None),
        ("GPU", "ms", 5.0, None, None),
    ],
)
def test_ratio_above_one_favours_own_figure(column, unit, published, ours, times):
    assert compute_ratio(column, unit, published, ours) == times


def test_unit_without_direction_is_a_count():
    """New units must be added here: otherwise their figures would have no ratio."""
    for _, entry in list_entries():
        for column, unit in zip(*((entry.published.columns, entry.published.units) if entry.published else ((), ())),
                                strict=True):  # fmt: skip
            counts = column in ("cities", "optimum", "scans a climb")
            assert (compute_ratio(column, unit, 1.0, 1.0) is None) == counts, (column, unit)


def test_ratios_need_both_figures():
    _, entry = find("uchida/table-ii")
    measured = MeasuredTable(
        "Instance", ("CPU", "GPU"), ("ms", "ms"), {"d198": ([10.0, 9.92], []), "fl417": ([1.0], [])}
    )
    assert compute_ratios(entry, measured) == {("d198", "CPU"): pytest.approx(19.84 / 9.96)}


def test_a_figure_within_one_percent_does_not_fall_short():
    assert not falls_short(0.995)
    assert falls_short(0.98)
