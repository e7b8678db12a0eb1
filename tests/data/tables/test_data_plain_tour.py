"""Tours as people have them: whatever their spelling, the cities come out in the order of the visit."""

import gzip
from dataclasses import replace

import numpy as np
import pytest

from data.collection.resolve import load
from data.errors import InvalidInstance
from data.tables import plain_tour
from data.tsplib.instances import write_tour

BERLIN = load("berlin52")
ORDER = BERLIN.optimal_tour.tolist()
FILE = write_tour(BERLIN, BERLIN.optimal_tour, 7542).encode()
FROM_0 = "The cities of the list were counted from 0."
SPELLINGS = {
    "file": (FILE, []),
    "gzip": (gzip.compress(FILE), []),
    "without -1": (FILE.replace(b"-1\n", b""), ["The tour ends without -1."]),
    "list": ("\r\n".join(str(city + 1) for city in ORDER).encode(), []),
    "list from 0": (", ".join(map(str, ORDER)).encode(), [FROM_0]),
    "concorde": (f"52\n{' '.join(map(str, ORDER))} \n".encode(), [FROM_0]),
}


@pytest.mark.parametrize(("raw", "told"), SPELLINGS.values(), ids=SPELLINGS)
def test_a_tour_is_read_however_it_is_spelt(raw, told):
    warnings = []
    assert plain_tour.read(raw, BERLIN, warnings).tolist() == ORDER
    assert warnings == told


def test_a_list_has_the_instances_own_numbers():
    odd = replace(BERLIN, node_ids=np.arange(52)[::-1] * 10)
    raw = " ".join(str(odd.node_ids[city]) for city in ORDER).encode()
    assert plain_tour.read(raw, odd, []).tolist() == ORDER


BAD = {
    "too few": (b"1 2 3", "NOT_A_TOUR"),
    "a city twice": (b"1 " * 52, "NOT_A_TOUR"),
    "a wrong count in front": (f"51 {' '.join(map(str, ORDER))}".encode(), "NOT_A_TOUR"),
    "huge": (b"9" * 40, "RANGE"),
    "empty": (b" \n", "EMPTY"),
    "prose": (b"my best tour", "NOT_A_TOUR"),
    "arabic digits": ("\u0661 2".encode(), "NOT_A_TOUR"),
}


@pytest.mark.parametrize(("raw", "code"), BAD.values(), ids=BAD)
def test_what_is_no_tour_is_refused(raw, code):
    with pytest.raises(InvalidInstance) as caught:
        plain_tour.read(raw, BERLIN, [])
    assert caught.value.code == code
    assert caught.value.line in (None, 1)
