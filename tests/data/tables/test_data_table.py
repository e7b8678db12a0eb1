"""Tables of coordinates: the contents match the file, and an unreadable file is refused with its line."""

import gzip
import io
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data import recognition
from data.distances import edge_lengths
from data.errors import InvalidInstance
from data.limits import MAX_CITIES
from data.tables import table
from data.tsplib.instances import read_checked
from data.tsplib.normal_form import write
from tests.data.mutants import damage
from tests.tables import each_row

CITIES = b"name,x,y\nA,1,2\nB,4,6\nC,-1.5,1e2\n"


def points(raw, x=0, y=1, kind="EUC_2D"):
    return table.read(raw, x, y, kind, "t").coordinates.tolist()


def peek_and_read(raw):
    table.peek(raw)
    return points(raw)


def test_table_lists_its_columns():
    found = table.peek(CITIES)
    assert (found.rows, found.header, found.guess, found.kind) == (3, True, (1, 2), "EUC_2D")
    assert found.columns[0] == table.Column("name", False, ("A", "B", "C"))
    assert found.columns[2] == table.Column("y", True, ("2", "6", "1e2"), (2.0, 6.0, 100.0))


def test_table_shows_sample_values_of_the_same_rows():
    rows = [f"{k};{k},5;{'nan' if k else 7}" for k in range(1001)]
    columns = table.peek("\n".join(rows).encode()).columns
    assert columns[0].values == tuple(range(0, 1001, 3))
    assert columns[1].values == tuple(k + 0.5 for k in range(0, 1001, 3))
    assert columns[2].values == (7.0, *[None] * 333)


def test_table_becomes_an_instance():
    instance = table.read(CITIES, 1, 2, "CEIL_2D", "mine")
    assert (instance.name, instance.kind, instance.source, instance.n) == ("mine", "CEIL_2D", "uploaded", 3)
    assert instance.coordinates.tolist() == [[1, 2], [4, 6], [-1.5, 100]]
    assert instance.warnings == ()
    assert points(CITIES, 2, 1) == [[2, 1], [6, 4], [100, -1.5]]


@each_row(
    "raw",
    [
        b"1,2\n4,6",
        b"1;2\r\n4;6\r\n",
        b"1\t2\r4\t6\r",
        b'"x","y"\n"1","2"\n"4","6"\n',
        b"x, y\n 1 ,2\n\n \n4,6\n\n",
        b",y\n1,2\n4,6\n",
        "x;y\n1;2\n4;6\n".encode("utf-16"),
        b"\xef\xbb\xbfx,y\n1,2\n4,6\n",
        gzip.compress(b"x,y\n1,2\n4,6\n"),
        b"1.0;2;K\xf6ln\n4;6;",
    ],
)
def test_spellings_of_the_same_table(raw):
    assert points(raw) == [[1, 2], [4, 6]]
    assert table.peek(raw).guess == (0, 1)


def test_decimal_comma_is_detected():
    instance = table.read(b"x;y\n1,5;2\n-3,25;4,5\n", 0, 1, "EUC_2D", "t")
    assert instance.coordinates.tolist() == [[1.5, 2], [-3.25, 4.5]]
    assert instance.warnings == ("Commas were read as decimal points.",)


@each_row(
    ("names", "guess", "kind"),
    [
        ("id,X_coord,Y_coord", (1, 2), "EUC_2D"),
        ("y [m],x [m],z", (1, 0), "EUC_2D"),
        ("Longitude,Latitude,height", (1, 0), "HAVERSINE_KM"),
        ("lng,lat,id", (1, 0), "HAVERSINE_KM"),
        ("Höhe,Länge,Breite", (2, 1), "HAVERSINE_KM"),
        ("Stadt,stopLat,stopLon", (1, 2), "HAVERSINE_KM"),
        ("id,широта,долгота", (1, 2), "HAVERSINE_KM"),
        ("szerokość,długość,id", (0, 1), "HAVERSINE_KM"),
        ("장소,위도,경도", (1, 2), "HAVERSINE_KM"),
        ("місто,широта,довгота", (1, 2), "HAVERSINE_KM"),
        ("id,geografska širina,geografska dužina", (1, 2), "HAVERSINE_KM"),
        ("πόλη,πλάτος,μήκος", (1, 2), "HAVERSINE_KM"),
        ("a,b,c", (1, 2), "EUC_2D"),
    ],
)
def test_guess_uses_names_and_then_numbers(names, guess, kind):
    found = table.peek(f"{names}\n1,5,7\n2,6,9\n".encode())
    assert (found.guess, found.kind) == (guess, kind)


TOWN = "48.13710,11.57540\n48.13520,11.58200\n48.14000,11.57700\n"
TURNED = "139.75,35.68\n135.5,34.69\n141.35,43.06\n"


@each_row(
    ("text", "guess", "kind"),
    [
        (TOWN, (0, 1), "HAVERSINE_M"),
        ("x,y\n" + TOWN, (0, 1), "HAVERSINE_M"),
        ("stop,lat,lon\n" + TOWN.replace("48.", "S,48."), (1, 2), "HAVERSINE_M"),
        (TURNED, (1, 0), "HAVERSINE_KM"),
        ("x;y\n" + TURNED.replace(",", ";").replace(".", ","), (1, 0), "HAVERSINE_KM"),
        ("-33.87,151.21\n51.5,-0.13\n40.71,-74.01\n", (0, 1), "HAVERSINE_KM"),
        ("x,y\n-33.87,151.21\n51.5,-0.13\n40.71,-74.01\n", (0, 1), "EUC_2D"),  # a plane has negatives, too
        ("x,y\n3.7,61.2\n44.1,7.5\n21.9,33.3\n", (0, 1), "EUC_2D"),  # a square that begins at 0
        ("3.7,61.2\n44.1,7.5\n21.9,33.3\n", (0, 1), "EUC_2D"),
        ("0.48,0.51\n0.52,0.53\n0.49,0.55\n", (0, 1), "EUC_2D"),  # the unit square
        ("41.0,29.0\n60.2,24.9\n38.7,-9.1\n64.1,-21.9\n", (0, 1), "HAVERSINE_KM"),
        ("48,11\n49,12\n50,11\n", (0, 1), "EUC_2D"),  # no fractions
        ("48.5,181.5\n49.5,182.5\n", (0, 1), "EUC_2D"),  # no longitudes
        ("Breite,Länge\n120.5,80.5\n95.5,60.5\n", (0, 1), "EUC_2D"),  # of boxes
        ("lat,lon\n120.5,80.5\n", (0, 1), "HAVERSINE_M"),  # which is refused when it is read
        ("lat,lon\n12.5,east\n", (0, 1), "HAVERSINE_M"),  # and so are these
        ("x,y\n1.5,!\n3.5,4\n", (0, 1), "EUC_2D"),
        ("Breite,Länge\n!,1.5\n", (0, 1), "EUC_2D"),
    ],
)
def test_degrees_are_recognised_by_names_and_by_values(text, guess, kind):
    found = table.peek(text.encode())
    assert (found.guess, found.kind) == (guess, kind)


def test_unnamed_degrees_are_reported():
    instance = table.read(b"x,y\n" + TOWN.encode(), 0, 1, "HAVERSINE_M", "t")
    assert instance.warnings == (
        "x and y were read as latitude and longitude; call them lon and lat if it is the other way round, or choose "
        "the distances EUC_2D if they are x and y.",
    )
    assert instance.coordinates[0].tolist() == [48.1371, 11.5754]
    assert table.read(b"Breitengrad,lon\n" + TOWN.encode(), 0, 1, "HAVERSINE_M", "t").warnings == ()


BAD = {
    "empty": (b" \n", "EMPTY", None),
    "picture": (b"\x89PNG\r\n\x1a\n\0\0", "NOT_TEXT", 1),
    "archive": (b"PK\x03\x04\x14\x00\x00", "NOT_TEXT", None),
    "gzip in gzip": (gzip.compress(gzip.compress(CITIES)), "NOT_TEXT", 1),
    "gzip bomb": (gzip.compress(bytes(50_000_000), 1), "LIMIT", None),
    "gzip cut": (gzip.compress(CITIES * 9)[:-9], "GZIP", None),
    "one column": (b"x\n1\n2\n", "COLUMNS", 1),
    "too many columns": (b",".join([b"1"] * 300), "LIMIT", 1),
    "header alone": (b"x,y\n", "COUNT", None),
    "no numbers": (b"a,b\nc,d\n", "COLUMNS", None),
    "row too short": (b"x,y,z\n1,2,3\n1,2\n", "COLUMNS", 3),
    "row too long": (b"1,2\n\n1,2,3\n", "COLUMNS", 3),
    "line break in a cell": (b'1,2,"a\nb"\n3,4,c\n5,6\n', "COLUMNS", 4),
    "quotation mark open": (b'x,y\n1,2\n"3,4\n5,6\n', "COLUMNS", 3),
    "text behind a quotation mark": (b'x,y\n"1"2,2\n', "COLUMNS", 2),
    "cell missing": (b"x,y\n1,2\n3,\n", "NUMBER", 3),
    "text among numbers": (b"x,y\n1,2\n3,four\n", "NUMBER", 3),
    "text in the first row": (b"1,two\n3,4\n", "NUMBER", 1),
    "formula": (b"x,y\n1,2\n=cmd(),4\n", "NUMBER", 3),
    "underscore": (b"1_000,2\n3,4\n", "NUMBER", 1),
    "arabic digits": ("٣,2\n3,4\n".encode(), "NUMBER", 1),
    "hexadecimal": (b"x,y\n0x10,2\n3,4\n", "NUMBER", 2),
    "thousands": (b"x;y\n1.234,5;2\n", "NUMBER", 2),
    "points and commas": (b"x;y\n1.5;2\n1,234;3\n", "NUMBER", 3),
    "two numbers in a cell": (b'x,y\n"1\n2",3\n4,5\n', "NUMBER", 2),
    "nan": (b"nan,nan\n1,2\n", "NONFINITE", 1),
    "infinite": (b"x,y\n1,2\n-inf,2\n", "NONFINITE", 3),
    "1e999": (b"x,y\n1e999,2\n", "RANGE", 2),
    "1e308": (b"x,y\n1,2\n1,1e308\n", "RANGE", 3),
    "too many cities": (b"1,2\n" * (MAX_CITIES + 1), "LIMIT", MAX_CITIES + 1),
}


@each_row(("raw", "code", "line"), BAD.values())
def test_bad_tables_are_refused(raw, code, line):
    with pytest.raises(InvalidInstance) as caught:
        peek_and_read(raw)
    assert (caught.value.code, caught.value.line) == (code, line)
    assert len(caught.value.sentence) <= 200


@each_row(("x", "y"), [(0, 0), (-1, 0), (0, 3), (None, 1), (0, True), ("0", 1), (0.0, 1)])
def test_invalid_columns_are_refused(x, y):
    with pytest.raises(InvalidInstance, match="two different columns"):
        points(CITIES, x, y)


@each_row("kind", ["EXPLICIT", "EUC_3D", "", None, ["EUC_2D"]])
def test_other_kinds_of_distance_are_refused(kind):
    with pytest.raises(InvalidInstance, match="must be one of EUC_2D, CEIL_2D, ATT, GEO, HAVERSINE_KM, HAVERSINE_M"):
        table.read(CITIES, 1, 2, kind, "t")


def test_cells_like_formulas_or_markup_are_text():
    found = table.peek(b"=cmd(),<img onerror>,x,y\n=1+1,<b>,1,2\n@a,\xe2\x80\xaeb,2,3\n")
    assert [column.name for column in found.columns] == ["=cmd()", "<img onerror>", "x", "y"]
    assert found.columns[0].sample == ("=1+1", "@a")
    assert found.columns[1].sample[1] == "b"
    assert not found.columns[0].numeric


def haversine(a, b):
    """Great-circle distance in km, by a formula that TSPLIB does not use."""
    (p, u), (q, v) = (map(math.radians, place) for place in (a, b))
    h = math.sin((p - q) / 2) ** 2 + math.cos(p) * math.cos(q) * math.sin((u - v) / 2) ** 2
    return 2 * 6378.388 * math.asin(math.sqrt(h))


places = st.tuples(st.floats(-90, 90), st.floats(-180, 180))


@given(places, places)
def test_decimal_degrees_keep_their_positions(a, b):
    raw = "".join(f"{latitude!r},{longitude!r}\n" for latitude, longitude in (a, b)).encode()
    instance = table.read(raw, 0, 1, "GEO", "t")
    assert "Column 1 and Column 2 were read as latitude and longitude" in instance.warnings[0]
    np.testing.assert_allclose(instance.display, [a[::-1], b[::-1]], rtol=0, atol=2e-12)
    length = edge_lengths(instance, np.array([0]), np.array([1]))[0]
    # 1 km for TSPLIB's rounding up, 1 for its short pi and its arc cosine, which is blunt at short and long distances
    assert -1 <= length - haversine(a, b) <= 2
    assert read_checked(write(instance).encode()).sha256 == instance.sha256


def test_degrees_beyond_the_globe_are_refused_with_the_line():
    with pytest.raises(InvalidInstance, match="first column is the latitude") as caught:
        points(b"lon,lat\n13.4,52.5\n-100.2,40\n", 0, 1, "GEO")
    assert (caught.value.code, caught.value.line) == ("RANGE", 3)


@given(st.lists(st.tuples(*[st.floats(-5e8, 5e8)] * 2), min_size=1, max_size=20), st.sampled_from(",;\t"))
def test_written_numbers_are_restored(cities, delimiter):
    raw = "".join(f"{x!r}{delimiter}{y!r}\n" for x, y in cities).encode()
    assert points(raw) == [[x + 0.0, y + 0.0] for x, y in cities]


@given(st.data())
def test_mutants_are_read_or_refused(data):
    raw = damage(data, [CITIES, b"a;b\n1,5;2\n3;4,25\n", b'"x"\t"y"\n"1"\t2\n3\t4\n'], 3, [])
    try:
        found = table.peek(raw)
        instance = table.read(raw, *found.guess, found.kind, "t")
    except InvalidInstance:
        return
    assert instance.n == found.rows


@each_row(
    ("raw", "names"),
    [
        (b"id,x,y,Town\n1,0,0,Ulm\n2,3,4,Aalen\n", ("Ulm", "Aalen")),
        (b"x,y,why,city\n0,0,a,Ulm\n3,4,b,\n", ("Ulm", "")),
        ("Ulm\t0\t0\nAa\u2066len\t3\t4\n".encode(), ("Ulm", "Aa len")),
        (b"id,x,y\n1,0,0\n2,3,4\n", ()),
    ],
)
def test_names_come_from_a_names_column(raw, names):
    found = table.peek(raw)
    assert table.read(raw, *found.guess, found.kind, "t").names == names


@each_row("kind", [np.int32, np.float64])
@each_row("order", ["C", "F"])
def test_numpy_array_is_a_table(kind, order):
    matrix = np.array([[0, 3, 9, 1], [4, 0, 2, 1], [7, 1, 0, 1], [8, 2, 5, 0]], kind, order=order)
    file = io.BytesIO()
    np.save(file, matrix)
    instance = recognition.read(file.getvalue(), "matrix.npy")
    assert instance.weights.tolist() == matrix.tolist()
    assert instance.directed
    with pytest.raises(InvalidInstance, match="cut off"):
        recognition.read(file.getvalue()[:-1], "matrix.npy")
    np.save(file := io.BytesIO(), np.array([{}]), allow_pickle=True)
    with pytest.raises(InvalidInstance, match="array of numbers"):
        recognition.read(file.getvalue(), "matrix.npy")


@pytest.mark.slow
def test_users_file_may_have_more_cities():
    raw = b"1,2\n" * (MAX_CITIES + 1)
    assert table.read_guess(raw, "mine", "folder").n == MAX_CITIES + 1
    with pytest.raises(InvalidInstance):
        table.read_guess(raw, "mine", "uploaded")
