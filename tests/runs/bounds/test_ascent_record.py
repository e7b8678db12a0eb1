"""The recorded steps of an ascent: 1-trees and prices that prove their bounds, in bounded memory."""

import numpy as np
import pytest

from data.collection.bounds import load_ascent
from data.collection.resolve import load
from data.distances import distance_matrix
from data.generators import GENERATORS
from runs.bounds import record as module
from runs.bounds.program import compute_progress
from runs.bounds.record import AscentRecord, add_first_steps, is_record
from solvers.worker.frames import decode, encode
from tests.runs.bounds.test_bound_service import ONE, bench, wait_until_over  # noqa: F401 - a fixture
from tests.tables import each_row


def record_ascent(instance):
    record = AscentRecord(instance.n)
    *_, known = compute_progress(instance, 10.0, record)
    add_first_steps(record, instance)
    return record.frame(), known


@each_row("instance", [load("eil51"), GENERATORS["uniform"](14, 6)])
def test_each_step_is_a_1_tree_whose_prices_give_its_bound(instance):
    raw, known = record_ascent(instance)
    arrays = decode(raw).arrays
    assert is_record(raw, instance.n, known.length)
    assert 5 <= len(arrays["bound"]) <= module.MAX_STEPS
    assert (arrays["tree"][0], arrays["bound"][-1]) == (0, known.length)
    assert not arrays["prices"][0].any(), "it begins with prices of zero"
    matrix = distance_matrix(instance)
    trees = arrays["edges"].reshape(-1, instance.n, 2)
    for edges, prices, bound in zip(trees, arrays["prices"], arrays["bound"], strict=True):
        length = matrix[edges[:, 0], edges[:, 1]].sum() + prices[edges].sum() - 2 * prices.sum()
        assert bound == pytest.approx(np.ceil(length), abs=1.0 + 1e-6 * abs(length)), "prices are float32"
        special = edges[-1, 0]
        assert (edges == special).sum() == 2
        rest = edges[(edges != special).all(axis=1)]
        assert len(rest) == instance.n - 2
        group = list(range(instance.n))  # a tree of all other cities: each edge joins two groups
        for a, b in rest.tolist():
            assert group[a] != group[b]
            group = [group[a] if each == group[b] else each for each in group]


def test_excess_steps_keep_the_first_and_last(monkeypatch):
    monkeypatch.setattr(module, "MAX_STEPS", 5)
    whole, _ = record_ascent(load("eil51"))
    arrays = decode(whole).arrays
    assert len(arrays["bound"]) <= 5
    assert not arrays["prices"][0].any()
    assert AscentRecord(10**6)._most == 2, "of very many cities there are few"


def test_record_is_stored_with_its_bound(bench, tmp_path):  # noqa: F811
    board = bench.ask_and_wait(ONE, 1)
    arrays = {
        "tree": np.arange(2), "bound": np.array([5, 9]), "edges": np.zeros((2, 18), np.int32),
        "prices": np.zeros((2, 9), np.float32),
    }  # fmt: skip
    raw = encode("ascent", {}, arrays)
    bench.processes[0].say(5)
    bench.processes[0].write(raw)
    bench.processes[0].say(5, 9, ended=True)
    bench.processes[0].end()
    assert wait_until_over(bench, board).known.length == 9
    assert raw == load_ascent(tmp_path, ONE.sha256)
    assert load_ascent(tmp_path, "0" * 64) is None
    assert is_record(raw, 9, 9)
    for damaged in (raw[:-8], encode("bound", {}, arrays), encode("ascent", {}, {**arrays, "tree": np.zeros(3)})):
        assert not is_record(damaged, 9, 9)
    assert not is_record(raw, 9, 8)
    assert not is_record(raw, 8, 9)


def test_invalid_record_is_discarded(bench):  # noqa: F811
    board = bench.ask_and_wait(ONE, 1)
    bench.processes[0].write(encode("ascent", {}, {"bound": np.zeros(1)}))
    bench.processes[0].say(5, 9, ended=True)
    bench.processes[0].end()
    assert wait_until_over(bench, board).state == "done"
    assert load_ascent(bench.service.folder, ONE.sha256) is None
