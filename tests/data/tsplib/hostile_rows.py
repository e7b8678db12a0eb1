"""Damaged and hostile files, grouped by the rows of the project's list, each with its only correct result."""

import gzip
import io
import tarfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from data.distances import tour_length
from data.instance import Instance
from data.tsplib.instances import format_tour, read_checked, read_tour, write

NODES = "NAME: t\nTYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 3 0\n3 0 4\nEOF\n"
MATRIX = (
    "NAME: m\nTYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: FULL_MATRIX\n"
    "EDGE_WEIGHT_SECTION\n0 1 2\n1 0 3\n2 3 0\nEOF\n"
)
TOUR = "NAME: t.tour\nTYPE: TOUR\nDIMENSION: 3\nTOUR_SECTION\n2\n1\n3\n-1\nEOF\n"
GOOD = read_checked(NODES.encode())


@dataclass(frozen=True)
class Reject:
    """A refusal: its code, the position of the fault, and words in its sentence."""

    code: str
    line: int | None = None
    column: int | None = None
    words: str = ""


@dataclass(frozen=True)
class Accept:
    """An accepted file: the words of its only warning, if any, and further properties of the instance."""

    warning: str = ""
    then: Callable[[Instance], object] = lambda instance: True


@dataclass(frozen=True)
class Case:
    """One input of a row.

    `tour` says whether it is a tour for the small valid file; `filename` is its name if the format has to be
    recognised.
    """

    row: int
    raw: bytes
    answer: Reject | Accept
    tour: bool = False
    filename: str = ""


def nodes(old: str, new: str) -> bytes:
    """The small valid file with one change."""
    assert old in NODES
    return NODES.replace(old, new).encode()


def matrix(old: str, new: str) -> bytes:
    """The small valid matrix with one change."""
    assert old in MATRIX
    return MATRIX.replace(old, new).encode()


def tour(body: str, dimension: str = "3") -> bytes:
    """The small valid tour with another body and dimension."""
    return TOUR.replace("2\n1\n3\n-1", body).replace("DIMENSION: 3", f"DIMENSION: {dimension}").encode()


def has_same_numbers(instance: Instance) -> bool:
    """Whether the numbers are those of the small valid file."""
    return instance.sha256 == GOOD.sha256


def only_tour(n: int, length: int) -> Callable[[Instance], bool]:
    """Whether there are n cities, and the tour in file order has this length."""
    return lambda instance: instance.n == n and tour_length(instance, np.arange(n)) == length


def keeps_ids(*ids: int) -> Callable[[Instance], bool]:
    """Whether both written files contain the original numbers and can be read."""

    def check(instance: Instance) -> bool:
        order = np.array([2, 0, 1])
        text = format_tour(instance, order, 0)
        assert read_tour(text.encode(), instance).tolist() == order.tolist()
        assert text.split("TOUR_SECTION\n")[1].split() == [*(str(ids[i]) for i in order), "-1", "EOF"]
        return [int(line.split()[0]) for line in write(instance).split("\n")[5:8]] == list(ids)

    return check


def make_zip() -> bytes:
    """A ZIP with a member whose path leaves its folder."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("../x.tsp", NODES)
    return file.getvalue()


def make_tar(kind: bytes = tarfile.REGTYPE, name: str = "../x.tsp", target: str = "") -> bytes:
    """A tar with one member."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        member = tarfile.TarInfo(name)
        member.type, member.linkname = kind, target
        member.size = len(NODES) if kind == tarfile.REGTYPE else 0
        archive.addfile(member, io.BytesIO(NODES.encode()))
    return file.getvalue()


GEO = NODES.replace("EUC_2D", "GEO")
HUGE = "DIMENSION: 1000000000"
NO_SECTION = b"TYPE: TSP\n" + HUGE.encode() + b"\nEDGE_WEIGHT_TYPE: EUC_2D\nEOF\n"
FIXED = "FIXED_EDGES_SECTION\n"
AGAIN = "NODE_COORD_SECTION\n1 0 0\n2 3 0\n3 0 4\nEOF"
ALL_KINDS = "EUC_2D, CEIL_2D, GEO, ATT, EXPLICIT"

CASES = [
    Case(1, b"", Reject("EMPTY")),
    Case(2, b" \n\n\t ", Reject("EMPTY")),
    Case(3, b"\x00\x01\x02\xff\xfe\x80", Reject("NOT_TEXT", 1)),
    Case(3, make_zip(), Reject("NOT_TEXT", words="ZIP archive")),
    Case(4, b"<!DOCTYPE html>\n<html><body>404: not found</body></html>", Reject("NO_HEADER", 1)),
    Case(5, nodes("EOF\n", ""), Accept("without EOF", has_same_numbers)),
    Case(6, nodes("EOF\n", "EOF"), Accept(then=has_same_numbers)),
    Case(7, nodes("EOF\n", "EOF\nleft over\n9 9 9\n"), Accept("after EOF", has_same_numbers)),
    Case(8, nodes("DIMENSION: 3", HUGE), Reject("LIMIT", 3)),
    Case(9, NO_SECTION, Reject("LIMIT", 2)),
    Case(10, nodes("DIMENSION: 3", "DIMENSION: -5"), Reject("RANGE", 3)),
    Case(11, nodes("DIMENSION: 3", "DIMENSION: 0"), Reject("RANGE", 3)),
    Case(12, nodes("DIMENSION: 3", "DIMENSION: 3.7"), Reject("INT", 3)),
    Case(13, nodes("DIMENSION: 3", "DIMENSION: abc"), Reject("INT", 3)),
    Case(14, nodes("DIMENSION: 3", "DIMENSION: " + "9" * 5000), Reject("RANGE", 3)),
    Case(15, nodes("2 3 0", "2 NaN 0"), Reject("NONFINITE", 7, 3)),
    Case(16, nodes("2 3 0", "2 3 -inf"), Reject("NONFINITE", 7, 5)),
    Case(17, nodes("2 3 0", "2 1e308 0"), Reject("RANGE", 7, 3)),
    Case(17, nodes("2 3 0", "2 3 -1e999"), Reject("RANGE", 7, 5)),
    Case(18, nodes("2 3 0", " 1 3 0"), Reject("DUPLICATE", 7, 2, "in line 6 already")),
    Case(19, nodes("2 3 0\n", ""), Reject("COUNT", 5, words="has 2 nodes and the header asks for 3")),
    Case(20, nodes("2 3 0", "2 3 0\n4 1 1"), Reject("COUNT", 5, words="has 4 nodes and the header asks for 3")),
    Case(21, nodes("2 3 0", "1.5 3 0"), Reject("INT", 7, 1)),
    Case(22, nodes("2 3 0", "two 3 0"), Reject("INT", 7, 1)),
    Case(23, nodes("1 0 0\n2 3 0\n3 0 4", "0 0 0\n1 3 0\n2 0 4"), Accept(then=keeps_ids(0, 1, 2))),
    Case(24, nodes("1 0 0\n2 3 0\n3 0 4", "7 0 0\n2 3 0\n90 0 4"), Accept(then=keeps_ids(7, 2, 90))),
    Case(24, nodes("3 0 4", f"{2**63 - 1} 0 4"), Accept(then=keeps_ids(1, 2, 2**63 - 1))),
    Case(24, nodes("2 3 0", f"{2**63} 3 0"), Reject("RANGE", 7, 1)),
    Case(24, nodes("2 3 0", "1" + "0" * 30 + " 3 0"), Reject("RANGE", 7, 1)),
    Case(24, nodes("2 3 0", "-1 3 0"), Reject("RANGE", 7, 1)),
    Case(24, nodes("2 3 0", "-1\n2 3 0"), Reject("COLUMNS", 7)),
    Case(24, nodes("EOF", "-1\n4 1 1\n-1\nEOF"), Reject("COLUMNS", 9)),
    Case(25, nodes("3\nEDGE", "1\nEDGE").replace(b"2 3 0\n3 0 4\n", b""), Accept(then=only_tour(1, 0))),
    Case(26, nodes("3\nEDGE", "2\nEDGE").replace(b"3 0 4\n", b""), Accept(then=only_tour(2, 6))),
    Case(26, NODES.encode(), Accept(then=only_tour(3, 12))),
    Case(27, nodes("2 3 0", "2 3 0 1"), Reject("COLUMNS", 7)),
    Case(28, nodes("2 3 0", "2 3"), Reject("COLUMNS", 7)),
    Case(28, NODES.replace(" 0\n", "\n").encode(), Reject("COLUMNS", 6)),
    Case(29, nodes("EUC_2D", "EUC_4D"), Reject("UNSUPPORTED", 4, words=ALL_KINDS)),
    Case(30, nodes("EUC_2D", "euc_2d"), Accept("read as EUC_2D", has_same_numbers)),
    *(Case(31, nodes("EUC_2D", kind), Reject("UNSUPPORTED", 4)) for kind in ("SPECIAL", "XRAY1", "XRAY2")),
    Case(32, nodes("EDGE_WEIGHT_TYPE: EUC_2D\n", ""), Reject("MISSING", words="EDGE_WEIGHT_TYPE")),
    Case(33, matrix("2 3 0\n", "2 3\n"), Reject("COUNT", 6, words="has 8 numbers and the header asks for 9")),
    Case(34, matrix("2 3 0\n", "2 3 0 0\n"), Reject("COUNT", 6, words="has 10 numbers and the header asks for 9")),
    Case(35, matrix("2 3 0\n", "2 4 0\n"), Reject("ASYM", 8, 5)),
    Case(36, matrix("0 1 2\n1", "0 -1 2\n-1"), Accept("negative")),
    Case(37, matrix("2 3 0\n", "nan 3 0\n"), Reject("NONFINITE", 9, 1)),
    Case(38, matrix("2 3 0\n", "2 2147483648 0\n"), Reject("RANGE", 9, 3)),
    Case(38, matrix("2 3 0\n", "2 3 1e20\n"), Reject("RANGE", 9, 5)),
    Case(38, matrix("2 3 0\n", "2 1" + "0" * 20 + " 0\n"), Reject("RANGE", 9, 3)),
    Case(
        38,
        matrix("2\n1 0 3\n2 3", "2147483647\n1 0 2147483647\n2147483647 2147483647"),
        Accept(then=only_tour(3, 2**32 - 1)),
    ),
    Case(39, matrix("0 1 2", "7 1 2"), Accept("diagonal", lambda instance: instance.weights[0, 0] == 0)),
    Case(40, matrix("DIMENSION: 3", HUGE), Reject("LIMIT", 3)),
    Case(41, matrix("FULL_MATRIX", "HALF"), Reject("UNSUPPORTED", 5, words="FULL_MATRIX, UPPER_ROW, LOWER_ROW")),
    Case(42, matrix("FULL_MATRIX", "FUNCTION"), Reject("UNSUPPORTED", 5)),
    Case(43, matrix("EDGE_WEIGHT_FORMAT: FULL_MATRIX\n", ""), Reject("MISSING", words="EDGE_WEIGHT_FORMAT")),
    Case(44, matrix("0 1 2\n1 0 3\n2 3 0", "0 1 2 1 0 3 2 3 0"), Accept(then=only_tour(3, 6))),
    Case(44, matrix("0 1 2\n1 0 3\n2 3 0", "0\n\n1 2 1 0\n 3 2\t3\n0"), Accept(then=only_tour(3, 6))),
    Case(45, nodes("EOF", AGAIN), Reject("DUPLICATE", 9, words="in line 5 already")),
    Case(46, nodes("DIMENSION: 3", "DIMENSION: 3\nDIMENSION: 3"), Reject("DUPLICATE", 4, words="in line 3 already")),
    Case(47, nodes("EOF", f"{FIXED}1 2\nEOF"), Reject("COUNT", 9)),
    Case(48, nodes("EOF", f"{FIXED}1 99\n-1\nEOF"), Reject("RANGE", 9)),
    Case(49, nodes("EOF", f"{FIXED}1 2\n-1\nEOF"), Accept(then=lambda it: it.fixed == ((0, 1), (1, 0)))),
    *(Case(50, nodes("TYPE: TSP", f"TYPE: {kind}"), Reject("UNSUPPORTED", 2)) for kind in ("CVRP", "SOP", "HPP")),
    Case(51, nodes("TYPE: TSP", "TYPE: TSQ"), Reject("UNSUPPORTED", 2)),
    Case(51, nodes("TYPE: TSP\n", ""), Accept("TYPE is missing", has_same_numbers)),
    Case(
        52,
        nodes("TYPE: TSP", "COMMENT: DIMENSION: 9 EOF NODE_COORD_SECTION\nTYPE: TSP"),
        Accept(
            then=lambda instance: (
                instance.comment == "DIMENSION: 9 EOF NODE_COORD_SECTION" and has_same_numbers(instance)
            )
        ),
    ),
    Case(53, NODES.replace(":", "").encode(), Reject("HEADER", 1)),
    Case(54, NODES.replace("\n", "\r\n").encode(), Accept(then=has_same_numbers)),
    Case(54, NODES.replace("\n", "\r").encode(), Accept(then=has_same_numbers)),
    Case(55, b"\xef\xbb\xbf" + NODES.encode(), Accept(then=has_same_numbers)),
    Case(
        56,
        NODES.replace("NAME: t", "NAME: t\nCOMMENT: Städte").encode("latin-1"),
        Accept("Latin-1", lambda instance: instance.comment == "Städte" and has_same_numbers(instance)),
    ),
    Case(57, NODES.encode("utf-16"), Accept(then=has_same_numbers)),
    Case(57, NODES.encode("utf-16-le"), Accept("read as UTF-16", has_same_numbers)),
    Case(57, NODES.encode("utf-16-be"), Accept("read as UTF-16", has_same_numbers)),
    Case(57, NODES.encode("utf-16-le")[:-1], Reject("NOT_TEXT", 1)),
    Case(57, NODES.encode("utf-16-le") + b"\0\0", Reject("NOT_TEXT", 1)),
    Case(58, nodes("2 3 0", "2 1_000 0"), Reject("NUMBER", 7, 3)),
    Case(58, nodes("2 3 0", "2 ٣ 0"), Reject("NUMBER", 7, 3)),
    Case(58, nodes("2 3 0", "٢ 3 0"), Reject("NUMBER", 7, 1)),
    Case(58, nodes("DIMENSION: 3", "DIMENSION: ٣"), Reject("NUMBER", 3)),
    Case(58, matrix("2 3 0", "2 ３ 0"), Reject("NUMBER", 9, 3)),
    Case(58, nodes("2 3 0", "2\u00a03 0"), Reject("NUMBER", 5)),
    Case(59, nodes("2 3 0", "2 0.3D+01 0d0"), Accept(then=has_same_numbers)),
    Case(59, nodes("2 3 0", "2 0x10 0"), Reject("NUMBER", 7, 3)),
    Case(59, nodes("2 3 0", "2 0,5 0"), Reject("NUMBER", 7, 3)),
    Case(60, nodes("1 0 0\n2 3 0\n3 0 4", "1 5 5\n2 5 5\n3 5 5"), Accept("same coordinates", only_tour(3, 0))),
    Case(61, tour("1 1 3 -1"), Reject("NOT_A_TOUR", 5, 3, "node 1"), tour=True),
    Case(61, tour("1 3 -1"), Reject("NOT_A_TOUR", words="names 2 cities and the instance has 3"), tour=True),
    Case(61, tour("1 2\n4 -1"), Reject("NOT_A_TOUR", 6, 1, "node 4"), tour=True),
    Case(61, tour("2 1 3 -1", "4"), Reject("NOT_A_TOUR", 3, words="has 4 cities and the instance has 3"), tour=True),
    Case(61, tour("2 1 3 -1", "three"), Reject("INT", 3), tour=True),
    Case(61, tour("2 1 3 -1\nFIXED_EDGES_SECTION\n1 2\n-1"), Reject("UNSUPPORTED", 6), tour=True),
    Case(62, tour("2 1 3"), Accept("without -1"), tour=True),
    Case(63, nodes("NAME: t", "NAME: " + "t" * 5_000_000), Reject("LIMIT", 1)),
    Case(63, matrix("0 1 2", "0 1" + " " * 900_000 + "2"), Accept(then=only_tour(3, 6))),
    Case(63, nodes("2 3 0\n", "\n" * 50_000 + "2 3 0\n" + "\n" * 50_000), Accept(then=has_same_numbers)),
    Case(63, matrix("2 3 0", "2 3 " + "9" * 900_000 + "x"), Reject("INT", 9, 5)),
    Case(63, nodes("EOF", "EOF" + " " * 900_000 + "x"), Reject("COLUMNS", 9)),
    Case(63, nodes("NAME: t", "COMMENT: t\n" * 1_500_000), Reject("LIMIT")),
    Case(63, nodes("NAME: t", "COMMENT: t\n" * 2000), Reject("LIMIT", 1001)),
    Case(64, GEO.replace("2 3 0", "2 999 0").encode(), Reject("RANGE", 7, 1)),
    Case(64, GEO.replace("2 3 0", "2 3 -999").encode(), Reject("RANGE", 7, 1)),
    Case(64, GEO.replace("2 3 0", "2 3.60 0").encode(), Accept("60 minutes")),
    Case(65, gzip.compress(NODES.encode()), Accept(then=has_same_numbers)),
    Case(65, gzip.compress(bytes(200_000_000), 1), Reject("LIMIT")),
    Case(65, gzip.compress(gzip.compress(NODES.encode())), Reject("NOT_TEXT", 1)),
    Case(65, gzip.compress(make_zip()), Reject("NOT_TEXT", words="ZIP archive")),
    Case(65, gzip.compress(NODES.encode())[:-9], Reject("GZIP")),
    Case(65, gzip.compress(NODES.encode()) + b"more", Reject("GZIP")),
    Case(66, make_tar(), Reject("NOT_TEXT", 1)),
    Case(66, make_tar(name="/etc/cron.d/x"), Reject("NOT_TEXT", 1)),
    Case(66, make_tar(tarfile.SYMTYPE, "x.tsp", "/etc/passwd"), Reject("NOT_TEXT", 1)),
    Case(66, gzip.compress(make_tar()), Reject("NOT_TEXT", 1)),
    *(
        Case(67, nodes("NAME: t", f"NAME: {name}"), Accept(then=has_same_numbers))
        for name in ("../../../etc/passwd", "CON")
    ),
    Case(67, nodes("NAME: t", "NAME: t\u202eu"), Accept("name was shortened", has_same_numbers)),
    Case(67, nodes("NAME: t", "NAME: " + "t" * 500), Accept("name was shortened", has_same_numbers)),
    Case(67, nodes("NAME: t", "NAME:"), Accept(then=lambda instance: instance.name == "unnamed")),
    Case(67, nodes("NAME: t", "NAME: t\0"), Reject("NOT_TEXT", 1)),
    *(
        Case(68, nodes("NAME: t", f"NAME: {name}"), Accept(then=lambda instance, name=name: instance.name == name))
        for name in ("<img src=x onerror=alert(1)>", "=cmd|' /C calc'!A0", "@SUM(1+1)", '"><svg onload=alert(1)>')
    ),
    # Tables, matrices and maps, which are read by what is in them.
    *(
        Case(69, raw, answer, filename="some.csv")
        for raw, answer in (
            (b"sep=;\nx;y\n1;2\n30,4;5\n", Accept("decimal points", only_tour(2, 60))),
            (b"sep=;\nx,y\n1,2\n", Reject("COLUMNS", 1)),
            (b"x,y\n,\n1,2\n,\n", Accept("Rows without any value", only_tour(1, 0))),
            (b'x,y\n"1,234","5,678"\n', Reject("NUMBER", 2, words='"1,234"')),
            (b"3\n0 0\n0 4\n", Reject("COUNT", 1, words="2 cities and the line before it says 3")),
            ("a | b\n1 | 52\N{DEGREE SIGN}7\n".encode(), Reject("NUMBER", 2, words="decimal degrees")),
            (b"0,1,2\n3,0,4\n5,6,0\n", Reject("AMBIGUOUS")),
            (b",A,B\nA,0,1.00000001\nB,1,0\n", Reject("NUMBER", words="8 decimals")),
            (b",A,B\nA,0,3e9\nB,1,0\n", Reject("RANGE", words="whole number")),
            (b",A,B\nA,0,1e999\nB,1,0\n", Reject("RANGE", words="whole number")),
            (
                b",A,B,C\nA,0,5,\nB,5,0,-\nC,,-,0\n",
                Accept("distances from each row's city", lambda instance: instance.missing == 2),
            ),
            (b"A,0,1\nB,1,0,\n", Reject("COLUMNS", 2)),
        )
    ),
    *(
        Case(70, raw, answer, filename="some.gpx")
        for raw, answer in (
            (b"<gpx><wpt lat='1' lon='2'/></gpx>", Accept(then=only_tour(1, 0))),
            (
                b"<?xml version='1.0'?><!DOCTYPE gpx [<!ENTITY a '1'>]><gpx><wpt lat='&a;' lon='2'/></gpx>",
                Reject("UNSUPPORTED", words="DOCTYPE"),
            ),
            (
                b"<?xml version='1.0'?><!DOCTYPE x SYSTEM 'file:///etc/passwd'><kml/>",
                Reject("UNSUPPORTED", words="DOCTYPE"),
            ),
            (b"<gpx>" + b"<a>" * 200, Reject("LIMIT", words="100 elements")),
            (b"<gpx><wpt lat='1' lon='2'>", Reject("SYNTAX", 1)),
            (b"<gpx><wpt lat='nan' lon='2'/></gpx>", Reject("NONFINITE", words="latitude")),
            (b"<gpx><wpt lat='1' lon='1_0'/></gpx>", Reject("NUMBER", words="longitude")),
            (b"<gpx><wpt lat='91' lon='2'/></gpx>", Reject("RANGE", words="latitude")),
            (b"<gpx><wpt lat='1'/></gpx>", Reject("NUMBER", words="longitude")),
            (
                b"<gpx><trk><trkseg><trkpt lat='1' lon='2'/></trkseg></trk></gpx>",
                Reject("UNSUPPORTED", words="waypoints"),
            ),
            (b"<gpx><rte/><rte><rtept lat='1' lon='2'/></rte></gpx>", Reject("UNSUPPORTED", words="2 routes")),
            (b"<?xml version='1.0'?><svg/>", Reject("UNSUPPORTED", words="neither GPX nor KML")),
            (b"<?xml version='1.0' encoding='utf-77'?><gpx/>", Reject("SYNTAX")),
            (b"<kml><Placemark><Point><coordinates>2</coordinates></Point></Placemark></kml>", Reject("NUMBER")),
            (b"<osm><node lat='1' lon='2'/><node lat='1'/></osm>", Reject("NUMBER", words="longitude")),
            (b"<osm><way><nd ref='1'/></way></osm>", Reject("UNSUPPORTED", words="nodes of OpenStreetMap")),
        )
    ),
    *(
        Case(71, raw, answer, filename="some.geojson")
        for raw, answer in (
            (b'{"type":"Point","coordinates":[2,1,30]}', Accept(then=only_tour(1, 0))),
            (b'{"type":"Point","coordinates":[2]}', Reject("SYNTAX", words="point")),
            (b'{"type":"Point","coordinates":["2",true]}', Reject("NUMBER")),
            (b'{"type":"Point","coordinates":[NaN,1]}', Reject("SYNTAX")),
            (b'{"type":"Point","coordinates":[2,1e999]}', Reject("SYNTAX")),
            (b'{"type":"Point","coordinates":[500000,5800000]}', Reject("RANGE", words="latitude")),
            (b'{"type":"LineString","coordinates":[[2,1],[3,1]]}', Reject("UNSUPPORTED", words="no places")),
            (
                b'{"type":"FeatureCollection","crs":"EPSG:3857","features":[]}',
                Reject("UNSUPPORTED", words="projection"),
            ),
            (b'{"type":"FeatureCollection","features":{}}', Reject("SYNTAX", words="features")),
            (b'{"type":"FeatureCollection","features":[7]}', Reject("SYNTAX", words="feature")),
            (b'{"a":' * 200 + b"1" + b"}" * 200, Reject("SYNTAX")),
            (b'{"a":' * 100_000, Reject("SYNTAX")),
            (b"{" + b"[" * 5_000_000, Reject("SYNTAX")),
            (b'{"locations":[{"latitudeE7":true,"longitudeE7":2}]}', Reject("UNSUPPORTED", words="no places")),
            (b'{"semanticSegments":[{"visit":7},8]}', Reject("UNSUPPORTED", words="no places")),
            (b'{"elements":{"lat":1,"lon":2}}', Reject("SYNTAX", words="elements")),
            (b'{"elements":[{"lat":1}, {"center":7}, 8]}', Reject("NUMBER", words="longitude")),
            (b'{"elements":[{"type":"relation","tags":{"a":"b"}},{"lat":1,"lon":2}]}', Reject("UNSUPPORTED")),
        )
    ),
]
