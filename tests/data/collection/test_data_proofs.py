"""Proven optima: stored by an instance's hash, and trusted only if the tour has that length."""

import json

import numpy as np
import pytest

from data.collection import resolve
from data.collection.proofs import attach_proof, save_proof
from data.distances import tour_length
from data.generators import GENERATORS

ORDER = np.array([3, 1, 0, 2, 4, 5], np.int32)


@pytest.fixture
def instance():
    return GENERATORS["uniform"](6, 1)


@pytest.fixture
def file(tmp_path, instance):
    save_proof(tmp_path, instance, ORDER, "abcdefghijkl")
    return tmp_path / f"{instance.sha256}.json"


def test_stored_tour_is_the_optimum_of_its_instance(tmp_path, instance, file):
    assert file.is_file()
    known = attach_proof(instance, tmp_path)
    assert (known.optimum, known.proven) == (tour_length(instance, ORDER), True)
    assert known.optimal_tour.tolist() == ORDER.tolist()
    assert json.loads(file.read_text())["run"] == "abcdefghijkl"


def test_other_cities_have_no_optimum(tmp_path, file):
    other = GENERATORS["uniform"](6, 2)
    assert attach_proof(other, tmp_path) is other
    assert attach_proof(other, None) is other


def test_proven_optimum_stays(tmp_path):
    berlin = resolve.load("berlin52")
    save_proof(tmp_path, berlin, np.arange(52, dtype=np.int32), "abcdefghijkl")
    assert attach_proof(berlin, tmp_path) is berlin


@pytest.mark.parametrize(
    "change",
    [
        lambda value: value | {"length": value["length"] - 1},
        lambda value: value | {"tour": [0, 1, 2, 3, 4, 5]},
        lambda value: value | {"tour": [0, 0, 1, 2, 3, 4]},
        lambda value: value | {"tour": [0, 1, 2, 3, 4]},
        lambda value: value | {"tour": [0.5, 1, 2, 3, 4, 5]},
        lambda value: value | {"tour": [[0], 1]},
        lambda value: value | {"tour": [10**30, 1, 2, 3, 4, 5]},
        lambda value: value | {"sha256": "0" * 64},
        lambda value: value | {"format": 3},
        lambda value: {},
        lambda value: [],
    ],
)
def test_changed_file_proves_nothing(tmp_path, instance, file, change):
    file.write_text(json.dumps(change(json.loads(file.read_text()))))
    assert attach_proof(instance, tmp_path) is instance


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[" * 60_000, b" " * 100_000])
def test_damaged_file_proves_nothing(tmp_path, instance, file, content):
    file.write_bytes(content)
    assert attach_proof(instance, tmp_path) is instance
