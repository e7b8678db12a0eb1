"""Step functions and anytime curves against plain Python that walks every log point by point."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studies.stats.anytime import anytime
from studies.stats.axes import NotComparable, make_grid, unit
from studies.stats.quantiles import quantiles
from studies.stats.references import find_references
from studies.stats.step_functions import first_reached, lengths_at, lengths_at_budget, lengths_on
from tests.studies.stats.slow import OPTIMA, slow_length, slow_quantile, slow_time
from tests.studies.tables import make_table, plain_studies


@given(plain_studies())
def test_length_is_that_of_the_last_improvement(rows):
    table, places = make_table(rows, OPTIMA), np.arange(-1.0, 27.0)
    wanted = [[slow_length(row[4], x) for x in places] for row in rows]
    assert lengths_on(table, "seconds", places).tolist() == wanted
    assert lengths_on(table, "evaluations", 100 * places).tolist() == wanted
    assert [lengths_at(table, "seconds", x).tolist() for x in places] == np.transpose(wanted).tolist()
    assert lengths_at_budget(table).tolist() == [row[4][-1][1] if row[4] else 0 for row in rows]


@given(plain_studies())
def test_time_is_that_of_the_first_length_within(rows):
    targets = np.array([[1200, 1100, 1100, 1050, 1001], [1250, 1010, 1005, 1000, 900], [1300, 1299, 1100, 1000, 0]])
    wanted = [[slow_time(row[4], target) for target in targets[row[0]]] for row in rows]
    assert first_reached(make_table(rows, OPTIMA), "seconds", targets).tolist() == wanted


@given(plain_studies(), st.integers(1, 9))
def test_anytime_bands_are_quantiles_over_all_runs_with_missing_tours_last(rows, points):
    table = make_table(rows, OPTIMA)
    references = find_references(table)
    found = anytime(table, references, points=points)
    x = found.grid.x
    changes = {at for row in rows for at in (row[3], *(at for at, _ in row[4])) if at > 0}
    assert found.grid.distinct == len(changes)
    assert found.grid.is_thinned == (len(changes) > points)
    assert x.tolist() == sorted(changes) if not found.grid.is_thinned else x.size == points
    assert found.kinds == tuple(references.kind[code] for code in sorted({row[0] for row in rows}))
    for band in found.bands:
        mine = [row for row in rows if row[1] == band.entry]
        for k, at in enumerate(x):
            lengths = [(slow_length(row[4], at), references.length[row[0]]) for row in mine]
            gaps = sorted(100 * (length - best) / best if length else math.inf for length, best in lengths)
            for share, got in zip((0.25, 0.5, 0.75), (band.lower, band.median, band.upper), strict=True):
                assert got[k] == pytest.approx(slow_quantile(gaps, share), nan_ok=True)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=12))
def test_quantiles_of_finite_numbers_match_numpy(values):
    shares = (0.0, 0.25, 0.5, 0.75, 1.0)
    assert quantiles(np.array(values), shares) == pytest.approx(np.quantile(values, shares))


def test_median_is_undefined_until_more_than_half_have_a_tour():
    rows = [(0, 0, seed, 9.0, [(float(seed), 1000 + seed)]) for seed in range(1, 5)]
    (band,) = anytime(make_table(rows), find_references(make_table(rows))).bands
    assert np.isnan(band.median).tolist() == [True, True, False, False, False]
    assert band.median[3] == pytest.approx(0.25)
    near = anytime(make_table(rows), find_references(make_table(rows)), measure="accuracy_percent").bands[0]
    assert near.median[2] == pytest.approx((100_000 / 1002 + 100_000 / 1003) / 2)
    assert np.isnan(near.lower).tolist() == [True, True, True, False, False]
    assert np.isnan(near.upper).tolist() == [True, False, False, False, False]


def test_long_curve_is_thinned_at_equal_ratios_with_a_note():
    rows = [(0, 0, 1, 1000.0, [(float(k), 3000 - k) for k in range(1, 1000)])]
    grid = make_grid(make_table(rows), "seconds", 500)
    assert (grid.x.size, grid.distinct, grid.is_thinned) == (500, 1000, True)
    assert (grid.x[0], grid.x[-1]) == (1, 1000)
    assert np.diff(np.log(grid.x)) == pytest.approx(np.log(1000) / 499)


def test_only_equal_quantities_are_compared():
    rows = [(0, 0, 1, 2.0, [(1.0, 1100)]), (1, 1, 1, 2.0, [(1.0, 1200)])]
    table = make_table(rows, optimum=(1000, 1000), units=["move", "tour"])
    with pytest.raises(NotComparable, match="A counts moves, B counts tours"):
        anytime(table, find_references(table), "evaluations")
    with pytest.raises(NotComparable, match="Lengths of different instances"):
        anytime(table, find_references(table), measure="length")
    with pytest.raises(NotComparable, match="stages of A"):
        unit(make_table(rows[:1], units=[""]), "iterations")
    with pytest.raises(ValueError, match="no axis"):
        unit(table, "hours")
    with pytest.raises(ValueError, match="no measure"):
        anytime(table, find_references(table), measure="beauty")
    of_one = table.take(table.entry_mask(1))
    assert unit(of_one, "evaluations") == "tour"
    assert anytime(of_one, find_references(table), "evaluations", "length").bands[0].median.tolist() == [1200, 1200]
