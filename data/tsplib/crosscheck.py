"""Cross-check: the tsplib95 package reads the same sections, and both readers must agree."""

from itertools import chain

import numpy as np

from data.errors import InvalidInstance
from data.instance import Instance
from data.tsplib.matrix_formats import unpack
from data.tsplib.numerals import plain
from data.tsplib.tokens import Document

# Rows of a matrix that are compared through tsplib95's own indexing, which takes one Python call per entry.
_ROWS = 50


def compare(document: Document, instance: Instance, layout: str) -> None:
    """Raise an error if tsplib95 reads an instance differently.

    tsplib95 gets the section bodies of the file under a new header with the values read here: its own search for
    keywords also finds them inside comments, and it does not accept all that this reader does (lower case, Fortran's
    exponents, a missing EOF).

    Parameters
    ----------
    document : Document
        The tokenized file.
    instance : Instance
        The instance read from it.
    layout : str
        Its EDGE_WEIGHT_FORMAT, upper-case.

    Raises
    ------
    InvalidInstance
        ``DISAGREE``.
    """
    # Imported here: it is slow, and only needed for uploads.
    import tsplib95

    try:
        problem = tsplib95.parse(_canonical(document, instance, layout))
        same = _same_nodes(problem, instance) and _same_weights(problem, instance)
    except Exception as error:  # its exceptions are undocumented; any of them is a disagreement
        raise _disagree() from error
    if not same:
        raise _disagree()


def _disagree() -> InvalidInstance:
    return InvalidInstance("DISAGREE", "Two readers understand this file differently: write it as plain TSPLIB 95.")


def _canonical(document: Document, instance: Instance, layout: str) -> str:
    lines = ["NAME: checked", "TYPE: TSP", f"DIMENSION: {instance.n}", f"EDGE_WEIGHT_TYPE: {instance.kind}"]
    if instance.kind == "EXPLICIT":
        lines.append(f"EDGE_WEIGHT_FORMAT: {layout}")
    for section in document.sections.values():
        body = (line for line in plain(section.text).split("\n") if line.strip())
        lines += [section.name, *body]
    return "\n".join([*lines, "EOF", ""])


def _same_nodes(problem, instance: Instance) -> bool:  # type: ignore[no-untyped-def]  # the package has no types
    if instance.coordinates is None:
        return True
    ids = range(1, instance.n + 1) if instance.node_ids is None else instance.node_ids.tolist()
    node_coords = problem.node_coords
    if len(node_coords) != instance.n:
        return False
    points = np.array([node_coords[i] for i in ids], np.float64)
    return np.array_equal(points, instance.coordinates)


def _same_weights(problem, instance: Instance) -> bool:  # type: ignore[no-untyped-def]  # the package has no types
    if instance.weights is None or instance.n == 1:
        return True
    n, off_diagonal = instance.n, ~np.eye(instance.n, dtype=bool)
    values = np.fromiter(chain.from_iterable(problem.edge_weights), np.int64)
    if (unpack(problem.edge_weight_format, n, values) != instance.weights)[off_diagonal].any():
        return False
    # All values agree; also check that tsplib95 finds each at its indices.
    first = min(problem.get_nodes())
    rows = range(n) if n <= _ROWS else np.linspace(0, n - 1, _ROWS).astype(int).tolist()
    pairs = ((i, j) for i in rows for j in range(n) if i != j)
    return all(problem.get_weight(first + i, first + j) == instance.weights[i, j] for i, j in pairs)
