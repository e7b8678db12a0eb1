"""Tables in common forms: separators, titles and comments, empty rows, ids, and tables of distances."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data import recognition
from data.distances import tour_length
from data.errors import InvalidInstance
from data.tables import table
from data.tsplib.instances import format_tour, write
from exports.itinerary.files import tour_csv
from exports.itinerary.route_files import tour_gpx
from tests.data.mutants import assert_read_or_refused, damage
from tests.tables import each_row

ROWS = "{0}Ulm{1}0{1}0\n{0}Linz{1}30{1}0\n{0}Graz{1}30{1}40\n"
POINTS = [[0, 0], [30, 0], [30, 40]]


def shortest(instance):
    """The length of the shortest tour, by brute force."""
    orders = permutations(range(1, instance.n))
    return min(tour_length(instance, np.array([0, *order], np.int32)) for order in orders)


DIALECTS = {
    "tab": (ROWS.format("", "\t"), None),
    "bar": (ROWS.format("", "|"), None),
    "blanks": (ROWS.format(" ", "   "), None),
    "declared": ("sep=;\nname;x;y\n" + ROWS.format("", ";"), None),
    "declared, in quotation marks": ('"sep=,"\n' + ROWS.format("", ","), None),
    "empty rows": ("name;x;y\n" + ROWS.format("", ";") + ";;\n;;\n", "Rows without any value were left out: 2."),
    "a title": ("My towns\n\nname,x,y\n" + ROWS.format("", ","), "Lines before the table were left out: 1."),
    "a title in cells": ("24 of,,\n,,\nname,x,y\n" + ROWS.format("", ","), "Lines before the table were left out: 1."),
    "comments": ("# one\n% two\n// three\n" + ROWS.format("", " "), "Lines before the table were left out: 3."),
    "a header in a comment": ("# name x y\n" + ROWS.format("", " "), None),
    "a number of cities": ("3\n" + ROWS.format("", " "), None),
    "Markdown": ("| name | x | y |\n|:---|---:|---:|\n" + ROWS.format("| ", " | "), None),
    "a database": (" name | x | y\n------+---+---\n" + ROWS.format("", " | "), None),
    "R": ("x y\n" + ROWS.format("", " "), None),
    "an empty last column without a name": ("name;x;y\n" + ROWS.format("", ";").replace("\n", ";\n"), None),
    "lists": ('[["Ulm",0,0],["Linz",30,0],["Graz",30,40]]', None),
}  # fmt: skip


@each_row(("text", "warning"), DIALECTS.values())
def test_table_is_read_with_any_separator(text, warning):
    instance = recognition.read(text.encode(), "towns")
    assert instance.coordinates.tolist() == POINTS
    assert instance.names == ("Ulm", "Linz", "Graz")
    assert instance.warnings == (() if warning is None else (warning,))
    assert shortest(instance) == 120


@each_row(
    ("text", "points"),
    [
        ('x,y\n"0,5","1,25"\n"-3","4,5"\n', [[0.5, 1.25], [-3, 4.5]]),
        ("200,5 1,25\n-3 4,5\n", [[200.5, 1.25], [-3, 4.5]]),
        ("200,5|1,25\n-3|4,5\n", [[200.5, 1.25], [-3, 4.5]]),
    ],
)
def test_decimal_commas_are_detected_with_any_separator(text, points):
    instance = recognition.read(text.encode(), "t.csv")
    assert instance.coordinates.tolist() == points
    assert instance.warnings == ("Commas were read as decimal points.",)


@each_row(
    ("text", "code", "words"),
    [
        ('x,y\n"1,000","2,500"\n', "NUMBER", '"1,000"'),
        ("name,lat,lon\nUlm,48,4,9,99\nLinz,48,3,14,29\n", "COLUMNS", "names 3 columns and those below have 5 cells"),
        ("4\nA 0 0\nB 1 1\nC 2 2\n", "COUNT", "3 cities and the line before it says 4"),
        ("name,x,y\nA,1\nB,2,3\nC,4,5\n", "COLUMNS", "The other rows have 3 cells, this one has 2"),
        ("1,5,7,9\n2,6,8,9\n3,1,1,9\n", "AMBIGUOUS", "call two of them x and y"),
        ("x,y\n52°7'0\"N,4°39'\n", "NUMBER", '52°7\'0"N": write decimal degrees'),
        ("only text\nand more text\n", "NO_HEADER", "of no kind that is read"),
    ],
)
def test_ambiguous_table_is_refused_with_its_cause(text, code, words):
    with pytest.raises(InvalidInstance) as caught:
        recognition.read(text.encode(), "some.file")
    assert caught.value.code == code
    assert words in caught.value.sentence


IDS = {
    "from 0": ("CityId,X,Y\n0,5,5\n1,7,8\n2,1,3\n", [0, 1, 2]),
    "any": ("node_id,x,y\n12,5,5\n7,7,8\n90,1,3\n", [12, 7, 90]),
    "without a header": ("0 5 5\n1 7 8\n2 1 3\n", [0, 1, 2]),
    "below no name": (",x,y\n0,5,5\n1,7,8\n2,1,3\n", [0, 1, 2]),
    "from 1": ("id,x,y\n1,5,5\n2,7,8\n3,1,3\n", None),
    "twice": ("id,x,y\n4,5,5\n4,7,8\n3,1,3\n", None),
    "fractions": ("id,x,y\n4.5,5,5\n4,7,8\n3,1,3\n", None),
    "not of the cities": ("x,y,demand\n5,5,0\n7,8,1\n1,3,2\n", None),
}


@each_row(("text", "ids"), IDS.values())
def test_ids_of_a_table_match_its_tours(text, ids):
    instance = recognition.read(text.encode(), "t.csv")
    assert (None if instance.node_ids is None else instance.node_ids.tolist()) == ids
    order = np.array([0, 2, 1], np.int32)
    lines = format_tour(instance, order, 0).split("TOUR_SECTION\n")[1].split()
    numbers = ids or [1, 2, 3]
    assert lines[:3] == [str(numbers[city]) for city in order]
    rows = tour_csv(instance, order, 0).decode("utf-8-sig").splitlines()[1:4]
    assert [row.split(",")[1] for row in rows] == lines[:3]
    assert recognition.read(write(instance).encode(), "again.tsp").sha256 == instance.sha256


def test_names_and_ids_are_in_tour_files():
    instance = recognition.read(b"id;name;lat;lon\n0;Ulm;48.4;10\n1;Linz;48.3;14.29\n2;Graz;47.07;15.44\n", "towns.csv")
    order = np.array([0, 2, 1], np.int32)
    assert [row.split(",")[1:3] for row in tour_csv(instance, order, 0).decode("utf-8-sig").splitlines()[1:4]] == [
        ["0", "Ulm"], ["2", "Graz"], ["1", "Linz"],
    ]  # fmt: skip
    assert tour_gpx(instance, order, 0).decode().count("<name>Graz</name>") == 1


DISTANCES = [[0, 29, 20, 21], [29, 0, 15, 17], [20, 15, 0, 28], [21, 17, 28, 0]]  # the shortest tour has 73
ONE_WAY = [[0, 2, 9, 10], [1, 0, 6, 4], [15, 7, 0, 8], [6, 3, 12, 0]]  # 21


def square(weights, separator=",", diagonal="0", top="", side=None):
    """The text of a distance table."""
    lines = [f"{separator.join(['', *top])}\n"] if top else []
    for k, row in enumerate(weights):
        cells = [diagonal if j == k else str(weight) for j, weight in enumerate(row)]
        lines.append(separator.join([*([side[k]] if side else []), *cells]) + "\n")
    return "".join(lines)


MATRICES = {
    "names": (square(DISTANCES, top="ABCD", side="ABCD"), 73, ("A", "B", "C", "D")),
    "names at the side": (square(DISTANCES, ";", side="ABCD"), 73, ("A", "B", "C", "D")),
    "names at the top": ("A\tB\tC\tD\n" + square(DISTANCES, "\t"), 73, ("A", "B", "C", "D")),
    "numbers as names": (square(ONE_WAY, top="0123", side="0123"), 21, ("0", "1", "2", "3")),
    "numbers at the top": ("0,1,2,3\n" + square(ONE_WAY), 21, ("0", "1", "2", "3")),
    "cities called x and y": (square(DISTANCES, top="xyzu", side="xyzu"), 73, ("x", "y", "z", "u")),
    "no names": (square(DISTANCES, " "), 73, ()),
    "Python": ("distances = " + str(DISTANCES).replace("],", "],\n  "), 73, ()),
    "JSON": (str(ONE_WAY), 21, ()),
    "NumPy": (str(np.array(ONE_WAY)), 21, ()),
    "one way": (square(ONE_WAY, ";"), 21, ()),
    "dashes": (square(ONE_WAY, "|", "-", side="ABCD"), 21, ("A", "B", "C", "D")),
    "nothing": (square(ONE_WAY, ",", "", "ABCD", "ABCD"), 21, ("A", "B", "C", "D")),
    "a large number": (square(DISTANCES, ",", "9999"), 73, ()),
    "halves": (square([[w / 2 for w in row] for row in DISTANCES], " ").replace("0.0", "0"), 365, ()),
    "decimal commas": (
        square([[f"{w},5" for w in row] for row in DISTANCES], ";", side="ABCD"), 750, ("A", "B", "C", "D")),
    "one half": (
        "".join(f"{name};{';'.join(str(w) if j > k else '' for j, w in enumerate(DISTANCES[k]))}\n"
                for k, name in enumerate("ABCD")), 73, ("A", "B", "C", "D")),
}  # fmt: skip


@each_row(("text", "length", "names"), MATRICES.values())
def test_a_table_of_distances_is_recognised(text, length, names):
    instance = recognition.read(text.encode(), "distances")
    assert (instance.kind, instance.n, instance.names, instance.missing) == ("EXPLICIT", 4, names, 0)
    assert shortest(instance) == length
    assert instance.directed == (length == 21)
    assert "The table was read as distances from each row's city to each column's." in instance.warnings
    assert table.peek(text.encode()).kind == "EXPLICIT"


def test_edges_absent_from_a_table_are_missing():
    text = ",A,B,C,D\nA,0,1,-,4\nB,1,0,2,\nC,inf,2,0,3\nD,4,,3,0\n"
    instance = recognition.read(text.encode(), "roads.csv")
    assert (instance.missing, instance.directed, shortest(instance)) == (2, False, 10)


COORDINATES = {
    "called x and y": ("id,x,y\n0,5,6\n1,0,7\n2,3,0\n", 3),
    "two cities": ("0 7\n7 0\n", 2),
    "a first city that counts": ("0,1\n0,5\n5,0\n", 3),
    "a diagonal that is not empty": ("name,a,b\nA,5,6\nB,4,9\n", 2),
    "more rows": ("0,5,6\n1,0,7\n2,3,0\n3,3,3\n", 4),
}


@each_row(("text", "n"), COORDINATES.values())
def test_coordinates_are_not_taken_for_distances(text, n):
    instance = recognition.read(text.encode(), "t.csv")
    assert (instance.kind, instance.n) == ("EUC_2D", n)


@each_row(
    ("text", "code", "words"),
    [
        ("0,1,2\n3,0,4\n5,6,0\n", "AMBIGUOUS", "put a row id, x, y or names before them"),
        ("A,0,1.00000001\nB,1,0\n", "NUMBER", "8 decimals"),
        ('A,0,"1,500"\nB,"2,000",0\n', "NUMBER", '"1,500"'),
        ("A,0,9e9\nB,9e9,0\n", "RANGE", "beyond 2,147,483,647"),
    ],
)
def test_ambiguous_distances_are_refused_with_their_cause(text, code, words):
    with pytest.raises(InvalidInstance) as caught:
        recognition.read(text.encode(), "t.csv")
    assert caught.value.code == code
    assert words in caught.value.sentence


@given(st.data())
def test_mutants_are_read_or_refused_in_one_sentence(data):
    seeds = [text.encode() for text, *_ in (*DIALECTS.values(), *MATRICES.values(), *IDS.values())]
    pieces = [b";", b"\n", b'"', b"-", b"1e9", b"0,5", b"#"]
    assert_read_or_refused(damage(data, seeds, 3, pieces), "some.csv")


def test_edges_are_directed_or_symmetric_if_none_is_listed_twice():
    one_way = recognition.read(b"from,to,cost\nUlm,Bonn,3\nBonn,Kiel,4.5\nKiel,Ulm,2\nUlm,Kiel,7\n", "roads.csv")
    far = one_way.missing_weight
    assert one_way.names == ("Ulm", "Bonn", "Kiel")
    assert one_way.weights.tolist() == [[0, 30, 70], [far, 0, 45], [20, far, 0]]
    assert (one_way.directed, one_way.missing) == (True, 2)
    both = recognition.read(b"von;nach;Entfernung\n1;2;3,5\n2;3;4\n1;3;2\n2;2;9\n", "wege.csv")
    assert both.weights.tolist() == [[0, 35, 20], [35, 0, 40], [20, 40, 0]]
    assert "The table was read as edges in both directions, since none is listed in both." in both.warnings


@each_row(
    ("text", "expected"),
    [
        ("from,to,cost\nA,B,3\nB,A,2\nA,B,4\n", r"listed twice.*line 4"),
        ("from,to,cost\nA,B,3\nB,A,x\n", r"length of an edge.*line 3"),
        ("from,to,cost\nA,A,3\n", "between 1 cities"),
        ("source,target,km\nA,B,\n", "length of an edge"),
    ],
)
def test_unclear_edges_are_refused(text, expected):
    with pytest.raises(InvalidInstance, match=expected):
        recognition.read(text.encode(), "roads.csv")
