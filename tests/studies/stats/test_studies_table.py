"""The table of runs: valid contents, reference lengths, and independence of the order."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studies.stats.accuracy import accuracies
from studies.stats.anytime import anytime
from studies.stats.logs import Logs
from studies.stats.references import BEST_HERE, BEST_KNOWN, OPTIMUM, UNKNOWN, find_references, gap_percent
from studies.stats.running_time import expected_times
from studies.stats.targets import ecdf
from tests.studies.stats.slow import OPTIMA, slow_references
from tests.studies.tables import make_table, plain_studies
from tests.tables import each_row


@given(plain_studies())
def test_run_is_compared_with_the_optimum_or_the_best_of_its_study(rows):
    references = find_references(make_table(rows, OPTIMA, proven=[True, False, False]))
    assert references.length.tolist() == slow_references(rows)
    found = any(row[0] == 1 and row[4] for row in rows)
    assert references.kind == (OPTIMUM, BEST_HERE if found else UNKNOWN, BEST_KNOWN)


def test_only_the_reference_has_a_zero_gap():
    huge = np.array([2**53 - 1, 2**53 - 2, 0])
    gaps = gap_percent(huge, np.array([2**53 - 2] * 3))
    assert gaps[0] > 0
    assert gaps[1:].tolist() == [0, math.inf]
    assert math.isnan(gap_percent(np.array([5]), np.array([0]))[0])


@given(plain_studies(), st.randoms(use_true_random=False))
def test_order_of_runs_is_irrelevant(rows, random):
    shuffled = random.sample(rows, len(rows))
    answer = []
    for some in (rows, shuffled):
        table = make_table(some, OPTIMA)
        references = find_references(table)
        bands = [np.stack([b.median, b.lower, b.upper]) for b in anytime(table, references).bands]
        curves = [curve.share for curve in ecdf(table, references).curves]
        numbers = [time.expected for time in expected_times(table, references)]
        answer.append((bands, curves, numbers, accuracies(table, references)))
    np.testing.assert_equal(answer[0], answer[1])


@each_row(
    ("change", "says"),
    [
        ({"length": np.array([5, 5])}, "do not decrease"),
        ({"seconds": np.array([2.0, 1.0])}, "of a log decrease"),
        ({"seconds": np.array([1.0, np.nan])}, "not all finite"),
        ({"iterations": np.array([1])}, "not all finite"),
        ({"length": np.array([5, 0])}, "not positive"),
        ({"offsets": np.array([0, 3])}, "do not part"),
        ({"offsets": np.array([0, 2, 1, 2])}, "do not part"),
    ],
)
def test_invalid_logs_are_refused(change, says):
    two = np.array([1, 2])
    good = {"offsets": np.array([0, 2]), "seconds": two / 1.0, "evaluations": two, "iterations": two, "length": 7 - two}
    assert Logs(**good).run.tolist() == [0, 0]
    with pytest.raises(ValueError, match=says):
        Logs(**good | change)


def test_inconsistent_table_is_refused():
    table = make_table([(0, 0, 1, 2.0, [(1.0, 1100)]), (0, 0, 2, 2.0, [])])
    other = make_table([(0, 0, 1, 2.0, [(1.0, 1101)]), (0, 0, 2, 2.0, [])])
    foreign = make_table([(0, 1, 1, 2.0, [(1.0, 1100)]), (0, 0, 2, 2.0, [])])
    short = make_table([(0, 0, 1, 2.0, [(1.5, 1100)]), (0, 0, 2, 2.0, [])])
    long = make_table([(0, 0, 1, 1.0, [(1.0, 1100)]), (0, 0, 2, 2.0, [])])
    for runs, logs, says in (
        (table.runs, other.logs, "not the last of its log"),
        (table.runs, table.logs.take(np.array([1, 0])), "not the last of its log"),
        (table.runs, table.logs.take(np.array([0])), "not a log for every run"),
        (foreign.runs, foreign.logs, "does not have"),
        (long.runs, short.logs, "more seconds than its run"),
    ):
        with pytest.raises(ValueError, match=says):
            type(table)(table.instances, table.entries, runs, logs)


def test_a_study_without_runs_has_no_numbers():
    table = make_table([])
    references = find_references(table)
    assert anytime(table, references).bands == ecdf(table, references).curves == ()
    assert expected_times(table, references) == accuracies(table, references) == []
