"""Directed matrices, and graphs with missing edges: reading, writing, and refusals."""

import numpy as np
import pytest

from data.distances import coordinate_matrix, tour_length
from data.errors import InvalidInstance
from data.instance import Instance
from data.missing import describe_missing, find_missing
from data.tsplib.instances import read, read_checked, write
from tests.tables import each_row

FULL = "NAME: m\nTYPE: ATSP\nDIMENSION: {n}\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: FULL_MATRIX\n{more}"
GRAPH = "NAME: h\nTYPE: HCP\nDIMENSION: 4\nEDGE_DATA_FORMAT: {layout}\nEDGE_DATA_SECTION\n{edges}\nEOF\n"
NODES = "NODE_COORD_SECTION\n1 0 0\n2 30 0\n3 30 40\n4 0 40\n"


def matrix_file(matrix: np.ndarray, more: str = "", kind: str = "ATSP") -> str:
    """The text of a matrix file."""
    rows = "\n".join(" ".join(map(str, row)) for row in matrix.tolist())
    head = FULL.format(n=len(matrix), more=more).replace("ATSP", kind)
    return f"{head}EDGE_WEIGHT_SECTION\n{rows}\nEOF\n"


def asymmetric(n: int = 6, diagonal: int = 9999) -> np.ndarray:
    """A matrix of small, different numbers."""
    matrix = np.random.default_rng(n).integers(1, 100, (n, n)).astype(np.int32)
    np.fill_diagonal(matrix, diagonal)
    return matrix


def round_trip(text: str) -> Instance:
    """The instance, after asserting that it stays the same when written and read."""
    instance = read_checked(text.encode())
    for reread in (read(write(instance).encode(), "folder"), read_checked(write(instance).encode())):
        assert reread.sha256 == instance.sha256
        assert (reread.directed, reread.missing) == (instance.directed, instance.missing)
        assert reread.missing_weight == instance.missing_weight
        assert np.array_equal(reread.weights, instance.weights)
    return instance


def test_directed_matrix():
    matrix = asymmetric()
    instance = round_trip(matrix_file(matrix))
    off = ~np.eye(6, dtype=bool)
    assert instance.directed
    assert not instance.missing
    assert (instance.weights[off] == matrix[off]).all()
    assert not np.diagonal(instance.weights).any()
    assert "TYPE: ATSP\n" in write(instance)
    assert "FULL_MATRIX" in write(instance)
    order = np.array([2, 0, 5, 1, 4, 3])
    assert tour_length(instance, order) == sum(matrix[a, b] for a, b in zip(order, np.roll(order, -1), strict=True))
    assert tour_length(instance, order) != tour_length(instance, order[::-1])
    assert instance.display.shape == (6, 2)
    assert instance.display_note
    assert np.isfinite(instance.display).all()
    transposed = round_trip(matrix_file(matrix.T))
    assert transposed.sha256 != instance.sha256


@each_row("width", [1, 5, 8, 36])
def test_row_may_span_lines(width):
    head, _, numbers = matrix_file(asymmetric()).partition("EDGE_WEIGHT_SECTION\n")
    words = numbers.split()[:-1]
    lines = [" ".join(words[start : start + width]) for start in range(0, len(words), width)]
    broken = "\n".join([f"{head}EDGE_WEIGHT_SECTION", *lines, "EOF", ""])
    assert read_checked(broken.encode()).sha256 == read_checked(matrix_file(asymmetric()).encode()).sha256


def test_symmetric_matrix_is_undirected_whatever_its_type():
    matrix = np.triu(asymmetric(diagonal=0))
    matrix += matrix.T
    one, other = round_trip(matrix_file(matrix)), round_trip(matrix_file(matrix, kind="TSP"))
    assert not one.directed
    assert one.sha256 == other.sha256


def test_type_tsp_needs_a_symmetric_matrix():
    with pytest.raises(InvalidInstance, match="the TYPE ATSP") as refused:
        read(matrix_file(asymmetric(), kind="TSP").encode(), "folder")
    assert refused.value.code == "ASYM"


@each_row("mark", [9999, 100_000_000, 198])
def test_marks_of_missing_edges(mark):
    matrix = asymmetric(diagonal=mark)
    matrix[0, 1] = matrix[3, 2] = mark
    instance = round_trip(matrix_file(matrix))
    longest = matrix[matrix != mark].max()
    assert (instance.missing, instance.missing_weight) == (2, 6 * longest + 1)
    assert instance.weights[0, 1] == instance.weights[3, 2] == instance.missing_weight
    assert not instance.warnings
    assert describe_missing(instance.missing, instance.edge_count) == "2 of 30 edges are missing"


def test_an_edge_missing_both_ways_is_one_edge():
    matrix = np.triu(asymmetric())
    matrix += np.triu(matrix, 1).T
    matrix[1, 4] = matrix[4, 1] = 9999
    instance = round_trip(matrix_file(matrix, kind="TSP"))
    assert not instance.directed
    assert describe_missing(instance.missing, instance.edge_count) == "1 of 15 edges is missing"


def test_values_that_mark_no_missing_edge():
    matrix = asymmetric(diagonal=150)
    matrix[0, 1] = 150  # the longest other edge is more than half as long
    matrix[1, 0] = 76
    assert find_missing(matrix) is None
    matrix[matrix < 150] = 75
    assert find_missing(matrix) is not None
    matrix[5, 5] = 149  # the diagonal is not one number
    assert find_missing(matrix) is None
    assert find_missing(np.full((4, 4), 7, np.int32)) is None  # a complete graph of equal edges
    assert find_missing(np.array([[0]], np.int32)) is None


@each_row(
    ("layout", "edges"),
    [
        ("EDGE_LIST", "1 2\n2 3\n3 4\n4 1\n-1"),
        ("ADJ_LIST", "1 2 4 -1\n3 2 4 -1\n-1"),
        ("edge_list", "1 2 2 3 3 4 4 1 -1"),
    ],
)
def test_hamiltonian_cycle_problem(layout, edges):
    instance = round_trip(GRAPH.format(layout=layout, edges=edges))
    assert (instance.kind, instance.directed, instance.missing, instance.missing_weight) == ("EXPLICIT", False, 2, 5)
    assert tour_length(instance, np.arange(4)) == 4
    crossing = tour_length(instance, np.array([0, 2, 1, 3]))
    assert instance.missing_in(crossing) == 2
    assert crossing == 12
    assert instance.missing_in(4) == 0


def test_a_complete_graph_has_no_missing_edges():
    instance = round_trip(GRAPH.format(layout="ADJ_LIST", edges="1 2 3 4 -1\n2 3 4 -1\n3 4 -1\n-1"))
    assert (instance.missing, instance.missing_in(10**9)) == (0, 0)


@each_row("kind", ["EUC_2D", "CEIL_2D", "ATT", "GEO"])
def test_edges_of_cities_with_coordinates(kind):
    head = f"NAME: c\nTYPE: TSP\nDIMENSION: 4\nEDGE_WEIGHT_TYPE: {kind}\nEDGE_DATA_FORMAT: EDGE_LIST\n{NODES}"
    instance = round_trip(f"{head}EDGE_DATA_SECTION\n1 2\n2 3\n3 4\n4 1\n-1\nEOF\n")
    assert instance.kind == "EXPLICIT"
    assert instance.missing == 2
    assert not instance.display_note
    points = np.array([[0, 0], [30, 0], [30, 40], [0, 40]], np.float64)
    expected = coordinate_matrix(kind, points)
    listed = [0, 1, 2, 3], [1, 2, 3, 0]
    assert (instance.weights[listed] == expected[listed]).all()


def test_length_counts_missing_edges():
    """A tour with fewer missing edges is shorter, regardless of its other edges."""
    rng = np.random.default_rng(3)
    matrix = asymmetric(7)
    matrix[rng.random((7, 7)) < 0.4] = 9999
    instance = read(matrix_file(matrix).encode(), "folder")
    found = []
    for _ in range(300):
        order = rng.permutation(7)
        used = int((instance.weights[order, np.roll(order, -1)] == instance.missing_weight).sum())
        length = tour_length(instance, order)
        assert instance.missing_in(length) == used
        found.append((used, length))
    assert [used for used, _ in sorted(found, key=lambda each: each[1])] == sorted(used for used, _ in found)


REFUSED = {
    "an empty list": (GRAPH.format(layout="EDGE_LIST", edges="-1"), "RANGE", "needs edges"),
    "no end": (GRAPH.format(layout="EDGE_LIST", edges="1 2\n2 3"), "COUNT", "end with -1"),
    "half a pair": (GRAPH.format(layout="EDGE_LIST", edges="1 2\n3\n-1"), "COUNT", "cut off"),
    "two ends": (GRAPH.format(layout="EDGE_LIST", edges="1 2\n-1 -1 -1"), "RANGE", "-1"),
    "node 5": (GRAPH.format(layout="EDGE_LIST", edges="1 5\n-1"), "RANGE", "node 5"),
    "node 0": (GRAPH.format(layout="ADJ_LIST", edges="1 0 -1\n-1"), "RANGE", "node 0"),
    "a loop": (GRAPH.format(layout="EDGE_LIST", edges="1 2\n3 3\n-1"), "RANGE", "with itself"),
    "one end": (GRAPH.format(layout="ADJ_LIST", edges="1 2 4 -1"), "COUNT", "last list"),
    "no node": (GRAPH.format(layout="ADJ_LIST", edges="1 2 4 -1\n-1\n-1"), "COUNT", "without a node"),
    "letters": (GRAPH.format(layout="EDGE_LIST", edges="1 b\n-1"), "INT", "integer"),
    "other layout": (GRAPH.format(layout="MATRIX", edges="1 2\n-1"), "UNSUPPORTED", "EDGE_DATA_FORMAT"),
    "no format": (GRAPH.format(layout="", edges="1 2\n-1"), "MISSING", "EDGE_DATA_FORMAT"),
    "no section": (GRAPH.partition("EDGE_DATA_S")[0].format(layout="EDGE_LIST") + "EOF\n", "MISSING", "DATA_SECTION"),
    "weights of a graph": (
        GRAPH.format(layout="EDGE_LIST", edges="1 2\n-1\nEDGE_WEIGHT_SECTION\n1 2"), "UNSUPPORTED", "EDGE_WEIGHT",
    ),
    "fixed edges": (
        matrix_file(asymmetric(4, 0)).replace("EOF", "FIXED_EDGES_SECTION\n1 2\n1 3\n-1\nEOF"), "UNSUPPORTED", "meet",
    ),
    "edges of a directed matrix": (
        matrix_file(asymmetric(3, 0), "EDGE_DATA_FORMAT: EDGE_LIST\n"), "UNSUPPORTED", "mark missing edges",
    ),
    "too long": (matrix_file(np.array([[2**31 - 1, 2**31 - 1, 1], [2**30 - 1, 2**31 - 1, 1], [1, 1, 2**31 - 1]])),
                 "RANGE", "357,913,941"),
    "negative": (matrix_file(np.array([[9, 9, 1], [-1, 9, 1], [1, 1, 9]])), "RANGE", "negative"),
    "a number short": (matrix_file(asymmetric(3)).replace("9999\nEOF", "\nEOF"), "COUNT", "8 numbers"),
    "too many cities": (
        GRAPH.format(layout="EDGE_LIST", edges="1 2\n-1").replace("DIMENSION: 4", "DIMENSION: 5001"), "LIMIT", "5,000",
    ),
}  # fmt: skip


@each_row("name", REFUSED)
def test_refused(name):
    text, code, words = REFUSED[name]
    with pytest.raises(InvalidInstance) as refused:
        read_checked(text.encode())
    assert refused.value.code == code
    assert words in refused.value.sentence
    assert len(refused.value.sentence) <= 200


def test_nodes_with_other_numbers_are_refused():
    head = f"NAME: c\nTYPE: TSP\nDIMENSION: 4\nEDGE_WEIGHT_TYPE: EUC_2D\nEDGE_DATA_FORMAT: EDGE_LIST\n{NODES}"
    text = f"{head}EDGE_DATA_SECTION\n1 2\n-1\nEOF\n".replace("\n4 0 40", "\n7 0 40")
    with pytest.raises(InvalidInstance, match="numbered from 1"):
        read(text.encode(), "folder")
