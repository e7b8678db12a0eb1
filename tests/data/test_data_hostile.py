"""Damaged and hostile files: each is refused with its own code, in one short sentence."""

import gzip
import pickle
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data import crosscheck
from data.errors import InvalidInstance
from data.library import load
from data.tsplib import read_checked, write

NODES = "NAME: t\nTYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 3 0\n3 0 4\nEOF\n"
MATRIX = (
    "NAME: m\nTYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: FULL_MATRIX\n"
    "EDGE_WEIGHT_SECTION\n0 1 2\n1 0 3\n2 3 0\nEOF\n"
)


def nodes(old, new):
    assert old in NODES
    return NODES.replace(old, new).encode()


def matrix(old, new):
    assert old in MATRIX
    return MATRIX.replace(old, new).encode()


BAD = {
    "empty": (b"", "EMPTY", None),
    "blank": (b" \n\n\t ", "EMPTY", None),
    "zip": (b"PK\x03\x04\x14\x00\x00", "NOT_TEXT", 1),
    "utf-16 without mark": (NODES.encode("utf-16-le"), "NOT_TEXT", 1),
    "html": (b"<!DOCTYPE html>\n<html><body>404</body></html>", "NO_HEADER", 1),
    "prose": (b"Dear sir: hello\n", "NO_HEADER", 1),
    "dimension huge": (nodes("DIMENSION: 3", "DIMENSION: 1000000000"), "LIMIT", 3),
    "dimension huge, no section": (b"TYPE: TSP\nDIMENSION: 1000000000\nEDGE_WEIGHT_TYPE: EUC_2D\nEOF\n", "LIMIT", 2),
    "dimension negative": (nodes("DIMENSION: 3", "DIMENSION: -5"), "RANGE", 3),
    "dimension zero": (nodes("DIMENSION: 3", "DIMENSION: 0"), "RANGE", 3),
    "dimension fraction": (nodes("DIMENSION: 3", "DIMENSION: 3.7"), "INT", 3),
    "dimension word": (nodes("DIMENSION: 3", "DIMENSION: abc"), "INT", 3),
    "dimension of 5,000 digits": (nodes("DIMENSION: 3", "DIMENSION: " + "9" * 5000), "RANGE", 3),
    "dimension missing": (nodes("DIMENSION: 3\n", ""), "MISSING", None),
    "dimension twice": (nodes("DIMENSION: 3", "DIMENSION: 3\nDIMENSION: 3"), "DUPLICATE", 4),
    "nan": (nodes("2 3 0", "2 NaN 0"), "NONFINITE", 7),
    "inf": (nodes("2 3 0", "2 3 -inf"), "NONFINITE", 7),
    "1e308": (nodes("2 3 0", "2 1e308 0"), "RANGE", None),
    "1e999": (nodes("2 3 0", "2 1e999 0"), "RANGE", 7),
    "node twice": (nodes("2 3 0", "1 3 0"), "DUPLICATE", 7),
    "nodes too few": (nodes("2 3 0\n", ""), "COUNT", 5),
    "nodes too many": (nodes("2 3 0", "2 3 0\n4 1 1"), "COUNT", 5),
    "node fraction": (nodes("2 3 0", "1.5 3 0"), "INT", 7),
    "node word": (nodes("2 3 0", "two 3 0"), "INT", 7),
    "node negative": (nodes("2 3 0", "-1 3 0"), "RANGE", 5),
    "node beyond int64": (nodes("2 3 0", "1" + "0" * 30 + " 3 0"), "RANGE", 7),
    "three coordinates": (nodes("2 3 0", "2 3 0 1"), "COLUMNS", 7),
    "one coordinate": (nodes("2 3 0", "2 3"), "COLUMNS", 7),
    "metric unknown": (nodes("EUC_2D", "EUC_4D"), "UNSUPPORTED", 4),
    "metric special": (nodes("EUC_2D", "SPECIAL"), "UNSUPPORTED", 4),
    "metric missing": (nodes("EDGE_WEIGHT_TYPE: EUC_2D\n", ""), "MISSING", None),
    "section missing": (nodes("NODE_COORD_SECTION\n1 0 0\n2 3 0\n3 0 4\n", ""), "MISSING", None),
    "section twice": (nodes("EOF", "NODE_COORD_SECTION\n1 0 0\n2 3 0\n3 0 4\nEOF"), "DUPLICATE", 9),
    "fixed edges": (nodes("EOF", "FIXED_EDGES_SECTION\n1 99\n-1\nEOF"), "UNSUPPORTED", 9),
    "type cvrp": (nodes("TYPE: TSP", "TYPE: CVRP"), "UNSUPPORTED", 2),
    "type of a tour": (nodes("TYPE: TSP", "TYPE: TOUR"), "UNSUPPORTED", 2),
    "no colons": (NODES.replace(":", "").encode(), "HEADER", 1),
    "underscore": (nodes("2 3 0", "2 1_000 0"), "NUMBER", 7),
    "arabic digits": (nodes("2 3 0", "2 ٣ 0"), "NUMBER", 7),
    "arabic node": (nodes("2 3 0", "٢ 3 0"), "NUMBER", 7),
    "hexadecimal": (nodes("2 3 0", "2 0x10 0"), "NUMBER", 7),
    "comma": (nodes("2 3 0", "2 0,5 0"), "NUMBER", 7),
    "foreign blank": (nodes("2 3 0", "2\u00a03 0"), "NUMBER", 5),
    "NUL in the name": (nodes("NAME: t", "NAME: t\0"), "NOT_TEXT", 1),
    "line of 5 MB": (nodes("NAME: t", "NAME: " + "t" * 5_000_000), "LIMIT", 1),
    "file of 9 MB": (nodes("NAME: t", "COMMENT: t\n" * 900_000), "LIMIT", None),
    "header without end": (nodes("NAME: t", "COMMENT: t\n" * 2000), "LIMIT", 1001),
    "geo out of range": (nodes("EUC_2D", "GEO").replace(b"2 3 0", b"2 999 0"), "RANGE", None),
    "matrix short": (matrix("2 3 0\n", "2 3\n"), "COUNT", 6),
    "matrix long": (matrix("2 3 0\n", "2 3 0 0\n"), "COUNT", 6),
    "matrix asymmetric": (matrix("2 3 0\n", "2 4 0\n"), "ASYM", None),
    "matrix nan": (matrix("2 3 0\n", "nan 3 0\n"), "NONFINITE", 9),
    "matrix 2^31": (matrix("2 3 0\n", "2147483648 3 0\n"), "RANGE", 9),
    "matrix 10^20": (matrix("2 3 0\n", "1e20 3 0\n"), "RANGE", 9),
    "matrix fraction": (matrix("2 3 0\n", "2.5 3 0\n"), "INT", 9),
    "matrix foreign blank": (matrix("2 3 0\n", "2\u00a03 0\n"), "NUMBER", 6),
    "matrix dimension huge": (matrix("DIMENSION: 3", "DIMENSION: 1000000000"), "LIMIT", 3),
    "matrix format unknown": (matrix("FULL_MATRIX", "HALF"), "UNSUPPORTED", 5),
    "matrix format function": (matrix("FULL_MATRIX", "FUNCTION"), "UNSUPPORTED", 5),
    "matrix format missing": (matrix("EDGE_WEIGHT_FORMAT: FULL_MATRIX\n", ""), "MISSING", None),
    "gzip bomb": (gzip.compress(bytes(50_000_000)), "LIMIT", None),
    "gzip cut": (gzip.compress(NODES.encode())[:-9], "GZIP", None),
    "gzip with more behind": (gzip.compress(NODES.encode()) + b"more", "GZIP", None),
    "gzip in gzip": (gzip.compress(gzip.compress(NODES.encode())), "NOT_TEXT", 1),
}


@pytest.mark.parametrize(("raw", "code", "line"), BAD.values(), ids=BAD)
def test_bad_files_are_refused(raw, code, line):
    start = time.perf_counter()
    with pytest.raises(InvalidInstance) as caught:
        read_checked(raw)
    assert (caught.value.code, caught.value.line) == (code, line)
    assert len(caught.value.sentence) <= 200
    assert caught.value.sentence.isascii()
    assert time.perf_counter() - start < 2.0


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (NODES, "2 3 0", "2 3 1"),
        (NODES, "3 0 4\n", ""),
        (NODES, "3 0 4", "4 0 4"),
        (MATRIX, "1 0 3\n2 3", "1 0 9\n2 9"),
    ],
)
def test_a_disagreement_of_the_readers_is_a_refusal(text, old, new, monkeypatch):
    canonical = crosscheck._canonical
    monkeypatch.setattr(crosscheck, "_canonical", lambda *given: canonical(*given).replace(old, new))
    with pytest.raises(InvalidInstance) as caught:
        read_checked(text.encode())
    assert caught.value.code == "DISAGREE"


def test_the_error_crosses_between_processes():
    error = pickle.loads(pickle.dumps(InvalidInstance("COUNT", "Too few.", 3)))
    assert (error.code, error.sentence, error.line, str(error)) == ("COUNT", "Too few.", 3, "Too few. (line 3)")


@given(data=st.data())
def test_mutants_are_read_or_refused_and_never_break_the_reader(data):
    raw = bytearray(write(load(data.draw(st.sampled_from(["burma14", "eil51", "swiss42"])))).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(raw) - 1))
        match data.draw(st.sampled_from(["set", "cut", "insert"])):
            case "set":
                raw[place] = data.draw(st.integers(0, 255))
            case "cut":
                del raw[place : place + data.draw(st.integers(1, 20))]
            case _:
                raw[place:place] = data.draw(st.binary(max_size=8))
    try:
        instance = read_checked(bytes(raw))
    except InvalidInstance:
        return
    assert read_checked(write(instance).encode()).sha256 == instance.sha256
