"""A study of 3,000 runs with 200 improvements each is evaluated in less than a second of processor time."""

import time

import numpy as np
import pytest

from studies.report.sentences import cautions
from studies.report.summary import summarise
from studies.report.verdicts import verdicts
from studies.stats.accuracy import accuracies
from studies.stats.anytime import anytime
from studies.stats.compare import compare
from studies.stats.ranks import rank_entries
from studies.stats.references import find_references
from studies.stats.running_time import expected_times
from studies.stats.targets import ecdf
from tests.clock import is_within_bound
from tests.studies.tables import large


def first_picture(table):
    """All numbers of the page as it opens, and their processor seconds, which other load does not change."""
    before = time.process_time()
    references, found = find_references(table), compare(table)
    answer = [
        anytime(table, references),
        ecdf(table, references),
        expected_times(table, references),
        summarise(table),
    ]
    answer += [accuracies(table, references), found, rank_entries(table), cautions(table, references, found)]
    answer.append(verdicts(found))
    return time.process_time() - before, answer


@pytest.mark.long
def test_first_picture_of_3000_runs():
    table = large()
    assert (table.runs.length.size, table.logs.length.size) == (3000, 600_000)
    seconds, (curves, reached, *_, answer) = first_picture(table)
    for _ in range(2):  # the first time, memory is new and SciPy is imported
        seconds = min(seconds, first_picture(table)[0])
    assert is_within_bound(seconds, 1.0)  # 0.4 s
    assert curves.grid.is_thinned
    assert curves.grid.x.size == reached.grid.x.size == 500
    assert all(np.isfinite(band.median[-1]) for band in curves.bands)
    assert (answer[0, 1].outcome, answer[0, 1].wins, answer[0, 1].effect) == ("better", 60, "large")
    assert answer[0, 1].p < 0.01
