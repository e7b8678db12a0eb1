"""The statistics of a completed study, against SciPy's on its CSV."""

import csv
import io
import itertools
import statistics
from collections import defaultdict

import numpy as np
import pytest
import scipy

from studies.export.csv import csv_text
from studies.file.reader import StudyReader
from studies.report.summary import summarise
from studies.stats.compare import compare
from studies.stats.ranks import rank_entries
from studies.stats.references import find_references
from tests.studies.small_study import ENTRIES, finish_study, tiny_study

LABELS = ("2-opt", "ants", "random")


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """Three entries on three instances with six seeds: the table, and the lengths of each in the CSV."""
    spec = tiny_study(
        instances=[{"name": name} for name in ("berlin52", "fri26", "bays29")],
        entries=[{"label": label, "stages": ENTRIES[label]} for label in LABELS],
        seeds={"first": 1, "count": 6},
        budget={"iterations": 4},
    )
    with StudyReader(finish_study(tmp_path_factory.mktemp("study") / "run.tourstudy", spec, cores=2)) as reader:
        lengths = defaultdict(list)
        for row in csv.DictReader(io.StringIO(csv_text(reader))):
            lengths[row["instance"], row["entry"]].append(int(row["length"]))
        yield reader.table(), lengths


def test_comparisons_match_scipy_on_the_csv(study):
    table, lengths = study
    found, raw = compare(table), []
    for row in range(found.p.size):
        name = table.instances.names[found.instance[row]]
        first, second = (lengths[name, table.entries.labels[code[row]]] for code in (found.first, found.second))
        tied = len({*first, *second}) < len(first) + len(second)
        method = scipy.stats.PermutationMethod(n_resamples=10**6) if tied else "exact"
        wanted = scipy.stats.mannwhitneyu(first, second, method=method)
        assert (found.u[row], found.p[row]) == pytest.approx((wanted.statistic, wanted.pvalue))
        assert found.a12[row] == pytest.approx(np.mean([(a < b) + (a == b) / 2 for a in first for b in second]))
        assert found.difference[row] == statistics.median(first) - statistics.median(second)
        raw.append(wanted.pvalue)
    assert len(raw) == len(list(itertools.combinations(LABELS, 2))) * 3
    least_first, so_far = np.argsort(raw, kind="stable"), 0.0
    for k, row in enumerate(least_first.tolist()):
        so_far = max(so_far, min(1.0, raw[row] * (len(raw) - k)))
        assert found.corrected[row] == pytest.approx(so_far)


def test_medians_and_ranks_match_the_csv(study):
    table, lengths = study
    references = find_references(table)
    medians = {}
    summary = summarise(table)
    for instance, entry, rows in table.groups():
        there, best = lengths[table.instances.names[instance], table.entries.labels[entry]], references.length[instance]
        medians[instance, entry] = statistics.median(there)
        assert summary.median[instance, entry] == pytest.approx(100 * (statistics.median(there) - best) / best)
        assert sorted(table.runs.length[rows].tolist()) == sorted(there)
    columns = [[medians[instance, entry] for instance in range(3)] for entry in range(3)]
    found, wanted = rank_entries(table), scipy.stats.friedmanchisquare(*columns)
    assert (found.statistic, found.p) == pytest.approx((wanted.statistic, wanted.pvalue))
    assert found.average == pytest.approx(scipy.stats.rankdata(columns, axis=0).mean(axis=1))
