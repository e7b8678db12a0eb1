"""Damaged and hostile files: each gets its only correct result, in one short sentence."""

import pickle
import time
import tracemalloc

import pytest

from data import recognition
from data.collection.uploads import write
from data.errors import InvalidInstance
from data.limits import MAX_NAME
from data.tsplib import crosscheck
from data.tsplib.instances import read_checked, read_tour
from runs.web.downloads import _download_headers
from tests.clock import is_within_bound
from tests.data.tsplib.hostile_rows import CASES, GOOD, MATRIX, NODES, Accept, Case, Reject
from tests.tables import each_row

ROWS = range(1, 72)


def test_every_row_is_tested():
    assert {case.row for case in CASES} == set(ROWS)


@each_row("case", CASES)
def test_hostile_row(case: Case, tmp_path):
    start = time.process_time()
    try:
        warnings, instance = answer(case)
    except InvalidInstance as error:
        refusal = error
    else:
        refusal = None
    assert is_within_bound(time.process_time() - start, 2.0)  # 0.1 s at most
    if isinstance(case.answer, Reject):
        assert refusal is not None, "accepted"
        assert (refusal.code, refusal.line, refusal.column) == (case.answer.code, case.answer.line, case.answer.column)
        assert case.answer.words in refusal.sentence
        assert len(refusal.sentence) <= 200
        assert refusal.sentence.isprintable()
    else:
        assert refusal is None, refusal
        check_accepted(case.answer, warnings, instance, tmp_path)


def answer(case: Case):
    warnings: list[str] = []
    if case.tour:
        read_tour(case.raw, GOOD, warnings)
        return warnings, GOOD
    instance = recognition.read(case.raw, case.filename) if case.filename else read_checked(case.raw)
    return instance.warnings, instance


def check_accepted(expected: Accept, warnings, instance, folder):
    assert len(warnings) == bool(expected.warning), warnings
    assert expected.warning in "".join(warnings)
    assert expected.then(instance)
    # No NAME is used in a path, or breaks the line or header that it stands in.
    path = write(instance, folder / "kept")
    assert [file for file in folder.rglob("*") if file.is_file() and file.suffix != ".json"] == [path]
    assert path.name == f"{instance.sha256}.tsp"
    again = read_checked(path.read_bytes())
    assert (again.name, again.sha256) == (instance.name, instance.sha256)
    assert instance.name.isprintable()
    assert 1 <= len(instance.name) <= MAX_NAME
    summary = {"instance": {"name": instance.name}, "spec": {"stages": [{"algorithm": "two-opt"}]}}
    saved = _download_headers(summary, suffix=".tour")["Content-Disposition"]
    name = saved.removeprefix('attachment; filename="').removesuffix('"')
    assert not set(name) & set("\"'<>=/\\|;@ \r\n\0")
    assert not name.startswith(".")


@each_row("case", [case for case in CASES if case.row in (8, 9, 40)])
def test_huge_dimension_is_refused_before_allocation(case: Case):
    def refuse() -> float:
        start = time.process_time()
        with pytest.raises(InvalidInstance):
            read_checked(case.raw)
        return time.process_time() - start

    # The best of some, for the noise of the machine; an array of that size would take far longer.
    assert min(refuse() for _ in range(5)) < 0.05
    tracemalloc.start()
    refuse()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1_000_000


def test_bomb_is_not_inflated():
    bomb = next(case for case in CASES if case.row == 65 and case.answer == Reject("LIMIT"))
    assert len(bomb.raw) < 2_000_000
    tracemalloc.start()
    with pytest.raises(InvalidInstance):
        read_checked(bomb.raw)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 40_000_000


@each_row(
    ("text", "old", "new"),
    [
        (NODES, "2 3 0", "2 3 1"),
        (NODES, "3 0 4\n", ""),
        (NODES, "3 0 4", "4 0 4"),
        (MATRIX, "1 0 3\n2 3", "1 0 9\n2 9"),
    ],
)
def test_disagreement_of_readers_is_a_refusal(text, old, new, monkeypatch):
    canonical = crosscheck._format_canonical
    monkeypatch.setattr(crosscheck, "_format_canonical", lambda *arguments: canonical(*arguments).replace(old, new))
    with pytest.raises(InvalidInstance) as caught:
        read_checked(text.encode())
    assert caught.value.code == "DISAGREE"


def test_error_crosses_processes():
    error = pickle.loads(pickle.dumps(InvalidInstance("COUNT", "Too few.", 3, 7)))
    assert (error.code, error.sentence, error.line, error.column) == ("COUNT", "Too few.", 3, 7)
    assert str(error) == "Too few. (line 3, column 7)"
