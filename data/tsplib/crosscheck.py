"""Cross-check with the tsplib95 package: both readers must agree on the sections it reads."""

from itertools import chain

import numpy as np

from data.errors import InvalidInstance
from data.instance import UNITS, Instance
from data.missing import find_missing
from data.tsplib.header import Head
from data.tsplib.matrix_formats import unpack
from data.tsplib.numerals import convert_exponents
from data.tsplib.tokens import FIXED_EDGES, Document, Section

# Sections that are compared separately, or that other programs interpret differently.
_OTHER = ("EDGE_DATA_SECTION", FIXED_EDGES)
# Number of a matrix's rows to compare by tsplib95's own indexing, which takes one Python call per entry.
_ROWS = 50


def compare(document: Document, instance: Instance, header: Head) -> None:
    """Raise an error if tsplib95 reads an instance differently.

    tsplib95 gets the section bodies of the file under a new header with the values read here, since its own search for
    keywords also finds them inside comments, and it does not accept everything that this reader does (lower case,
    Fortran's exponents, a missing EOF).

    Parameters
    ----------
    document : Document
        The tokenized file.
    instance : Instance
        The instance read from the file.
    header : Head
        Header of the file.

    Raises
    ------
    InvalidInstance
        ``DISAGREE``.
    """
    # Imported here, since it is slow and only needed for uploads.
    import tsplib95

    try:
        same = True
        if header.kind:
            problem = tsplib95.parse(_format_canonical(document, header))
            same = _have_same_nodes(problem, instance) and (
                header.kind != "EXPLICIT" or _have_same_weights(problem, instance)
            )
        if header.edges:
            same = same and _have_same_edges(tsplib95.parse(_format_graph(document, header)), instance, header)
    except Exception as error:  # its exceptions are undocumented, so any exception counts as a disagreement
        raise _make_error() from error
    if not same:
        raise _make_error()


def _make_error() -> InvalidInstance:
    return InvalidInstance("DISAGREE", "Two readers understand this file differently: write it as plain TSPLIB 95.")


def _format_canonical(document: Document, header: Head) -> str:
    kind = "GEO" if header.kind in UNITS else header.kind  # only their coordinates are compared
    entries = {
        "NAME": "checked", "TYPE": header.problem, "DIMENSION": header.n, "EDGE_WEIGHT_TYPE": kind,
        "EDGE_WEIGHT_FORMAT": header.layout,
    }  # fmt: skip
    return _join_text(entries, [section for section in document.sections.values() if section.name not in _OTHER])


def _format_graph(document: Document, header: Head) -> str:
    """Format the list of edges as a separate file, as tsplib95 accepts it only without weights."""
    entries = {"NAME": "checked", "TYPE": "HCP", "DIMENSION": header.n, "EDGE_DATA_FORMAT": header.edges}
    return _join_text(entries, [document.sections["EDGE_DATA_SECTION"]])


def _join_text(entries: dict[str, object], sections: list[Section]) -> str:
    lines = [f"{keyword}: {value}" for keyword, value in entries.items() if value]
    for section in sections:
        body = (line for line in convert_exponents(section.text).split("\n") if line.strip())
        lines += [section.name, *body]
    return "\n".join([*lines, "EOF", ""])


def _have_same_nodes(problem, instance: Instance) -> bool:  # type: ignore[no-untyped-def]  # the package has no types
    if instance.coordinates is None:
        return True
    ids = range(1, instance.n + 1) if instance.node_ids is None else instance.node_ids.tolist()
    node_coords = problem.node_coords
    if len(node_coords) != instance.n:
        return False
    points = np.array([node_coords[i] for i in ids], np.float64)
    return np.array_equal(points, instance.coordinates)


def _have_same_edges(problem, instance: Instance, header: Head) -> bool:  # type: ignore[no-untyped-def]  # the package has no types
    """Return whether the edge lists agree; marks in a matrix may remove more edges."""
    groups = problem.edge_data.items()
    if header.edges == "EDGE_LIST":  # tsplib95 reads these pairs as a single list of neighbours
        numbers = [node for first, others in groups for node in (first, *others)]
        listed = list(zip(numbers[::2], numbers[1::2], strict=True))
    else:
        listed = [(first, other) for first, others in groups for other in others]
    present = np.eye(instance.n, dtype=bool)
    for i, j in listed:
        present[i - 1, j - 1] = present[j - 1, i - 1] = True
    missing = np.zeros_like(present) if instance.weights is None else instance.weights == instance.missing_weight
    if not instance.missing:
        return bool(present.all())
    extra = present & missing & ~np.eye(instance.n, dtype=bool)
    return bool((present | missing).all()) and (header.kind == "EXPLICIT" or not extra.any())


def _have_same_weights(problem, instance: Instance) -> bool:  # type: ignore[no-untyped-def]  # the package has no types
    if instance.weights is None or instance.n == 1:
        return True
    n, off_diagonal = instance.n, ~np.eye(instance.n, dtype=bool)
    values = np.fromiter(chain.from_iterable(problem.edge_weights), np.int64)
    matrix = unpack(problem.edge_weight_format, n, values)
    expected = instance.weights
    if instance.missing:  # their length here differs from the file's
        missing = instance.weights == instance.missing_weight
        marks = find_missing(matrix)
        if marks is not None and (marks & ~missing).any():
            return False
        expected = np.where(missing, matrix, instance.weights)
    if (matrix != expected)[off_diagonal].any():
        return False
    # All values agree; also check that tsplib95 finds each at its indices.
    first = min(problem.get_nodes())
    rows = range(n) if n <= _ROWS else np.linspace(0, n - 1, _ROWS).astype(int).tolist()
    pairs = ((i, j) for i in rows for j in range(n) if i != j)
    return all(problem.get_weight(first + i, first + j) == expected[i, j] for i, j in pairs)
