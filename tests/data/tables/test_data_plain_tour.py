"""Tours in common notations: the cities are read in visiting order."""

import gzip
import time
from dataclasses import replace

import numpy as np
import pytest

from data.collection.resolve import load
from data.errors import InvalidInstance
from data.tables import plain_tour
from data.tour_edges import shared_edges
from data.tsplib.instances import format_tour
from data.tsplib.normal_form import assemble
from tests.clock import is_within_bound
from tests.tables import each_row

BERLIN = load("berlin52")
ORDER = BERLIN.optimal_tour.tolist()
FILE = format_tour(BERLIN, BERLIN.optimal_tour, 7542).encode()
FROM_0 = "The cities of the list were counted from 0."
SPELLINGS = {
    "file": (FILE, []),
    "gzip": (gzip.compress(FILE), []),
    "without -1": (FILE.replace(b"-1\n", b""), ["The tour ends without -1."]),
    "list": ("\r\n".join(str(city + 1) for city in ORDER).encode(), []),
    "list from 0": (", ".join(map(str, ORDER)).encode(), [FROM_0]),
    "concorde": (f"52\n{' '.join(map(str, ORDER))} \n".encode(), [FROM_0]),
}


@each_row(("raw", "expected"), SPELLINGS.values())
def test_tour_is_read_in_any_notation(raw, expected):
    warnings = []
    assert plain_tour.read(raw, BERLIN, warnings).tolist() == ORDER
    assert warnings == expected


def test_list_uses_the_instances_numbers():
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


@each_row(("raw", "code"), BAD.values())
def test_invalid_tour_is_refused(raw, code):
    with pytest.raises(InvalidInstance) as caught:
        plain_tour.read(raw, BERLIN, [])
    assert caught.value.code == code
    assert caught.value.line in (None, 1)


#: Seven cities in no order along the tour, which is 6 0 3 5 1 4 2 counted from 0.
TOUR = [6, 0, 3, 5, 1, 4, 2]
COUNTED = [city + 1 for city in TOUR]
SEVEN = assemble("seven", "EUC_2D", "uploaded", coordinates=np.array([[k * k, 7 * k % 5] for k in range(7)], float))
CLOSED = "The tour returns to its first city, which was read once."
EDGES = "".join(f"{b} {a} 12\n" for a, b in zip(TOUR, [*TOUR[1:], TOUR[0]], strict=True))
PROGRAMS = {
    "Python": (str(TOUR), [FROM_0]),
    "a variable of Python": (f"best = {TOUR};", [FROM_0]),
    "a tuple": (f"({', '.join(map(str, COUNTED))},)\n", []),
    "NumPy prints": (str(np.array(TOUR)), [FROM_0]),
    "NumPy represents": (f"np.array({TOUR})", [FROM_0]),
    "arrows": (" -> ".join(map(str, TOUR)), [FROM_0]),
    "arrows back to the first": ("\u2192".join(map(str, [*COUNTED[1:], *COUNTED[:2]])), [CLOSED]),
    "a solver's report": (
        "Objective: 99 km\nRoute for vehicle 0:\n 6 -> 0 -> 3 ->\n 5 -> 1 -> 4 -> 2 -> 6\nDone.\n",
        ["Lines that are not part of the tour were left out: 3.", FROM_0, CLOSED],
    ),
    "Kaggle": ("Path\n" + "\n".join(map(str, [*TOUR, TOUR[0]])), [FROM_0, CLOSED]),
    "the number of cities first": ("7\n" + " ".join(map(str, COUNTED)), []),
    "semicolons": (";".join(map(str, COUNTED)), []),
    "closed in TSPLIB": (f"TYPE : TOUR\nTOUR_SECTION\n{' '.join(map(str, [*COUNTED, COUNTED[0]]))} -1\nEOF", [CLOSED]),
    "from 0 in TSPLIB": (f"TYPE : TOUR\nTOUR_SECTION\n{' '.join(map(str, TOUR))} -1\nEOF", [FROM_0]),
    "VRPLIB": (f"Route #1: {' '.join(map(str, [3, 5, 1, 4, 2, 6]))}\nCost 99.0\n", [FROM_0]),
    "edges": (f"7 7\n{EDGES}", ["The lengths of the edges in the file were not read.", FROM_0]),
    "edges with fractions": (
        f"7 7\n{EDGES.replace('12', '12.5')}", ["The lengths of the edges in the file were not read.", FROM_0]
    ),
}  # fmt: skip


@each_row(("text", "expected"), PROGRAMS.values())
def test_tour_of_other_programs_is_read(text, expected):
    warnings = []
    order = plain_tour.read(text.encode(), SEVEN, warnings).tolist()
    assert shared_edges(np.array(order), np.array(TOUR)) == 7
    assert warnings == expected


NO_TOURS = {
    "two cycles": ("7 7\n0 1 1\n1 2 1\n2 0 1\n3 4 1\n4 5 1\n5 6 1\n6 3 1\n", "several cycles: the first has 3 of 7"),
    "an edge twice": ("7 7\n" + "0 1 1\n" * 7, "each city, counted from 0, needs two edges"),
    "an edge to itself": ("7 7\n0 0 1\n1 2 1\n2 3 1\n3 4 1\n4 5 1\n5 6 1\n6 1 1\n", "several cycles"),
    "edges of other cities": ("7 7\n" + EDGES.replace("6", "9"), "not a tour of 7 cities"),
    "edges of fewer cities": ("3 3\n0 1 1\n1 2 1\n2 0 1\n", "not a tour of 7 cities"),
    "closed early": ("1 2 3 4 5 6 1", "node 1 twice"),
    "names": ("Ulm -> Linz -> Ulm", "This is not a tour"),
    "lists in a list": ("[[1, 2], [3]]", "This is not a tour"),
    "an object": ('{"tour": [1, 2]}', "This is not a tour"),
    "an open bracket": ("[0, 1, 2", "This is not a tour"),
    "two routes": ("Route #1: 1 2 3\nRoute #2: 4 5 6\nCost 9\n", "This is not a tour"),
    "two columns": ("order,city\n0,3\n1,5", "This is not a tour"),
}


@each_row(("text", "words"), NO_TOURS.values())
def test_invalid_tour_is_refused_with_its_cause(text, words):
    with pytest.raises(InvalidInstance, match=words) as caught:
        plain_tour.read(text.encode(), SEVEN, [])
    assert caught.value.code == "NOT_A_TOUR"
    assert len(caught.value.sentence) <= 200


@each_row("text", ["[" + " \n" * 500_000, "-" * 900_000, "0" + " -" * 400_000, ", " * 400_000])
def test_long_non_tour_files_are_refused_quickly(text):
    start = time.process_time()
    with pytest.raises(InvalidInstance):
        plain_tour.read(text.encode(), SEVEN, [])
    assert plain_tour.is_list(text[:65_536], False) in (True, False)
    assert is_within_bound(time.process_time() - start, 2.0)  # 0.1 s
