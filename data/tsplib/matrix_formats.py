"""TSPLIB 95's formats of a weight matrix (EDGE_WEIGHT_FORMAT)."""

from collections.abc import Callable

import numpy as np

#: Maximum number of entries that are formatted one by one, which is faster for so few.
_FEW = 64

_Indices = Callable[[int, int], tuple[np.ndarray, ...]]


def _index_upper(n: int, offset: int) -> tuple[np.ndarray, ...]:
    return np.triu_indices(n, offset)


def _index_lower(n: int, offset: int) -> tuple[np.ndarray, ...]:
    return np.tril_indices(n, -offset)


#: Index pairs of each triangle in the order of the file, and 1 if it has no diagonal. A triangle by columns lists the
#: pairs of the other triangle by rows.
TRIANGLES: dict[str, tuple[_Indices, int]] = {
    "UPPER_ROW": (_index_upper, 1),
    "LOWER_ROW": (_index_lower, 1),
    "UPPER_DIAG_ROW": (_index_upper, 0),
    "LOWER_DIAG_ROW": (_index_lower, 0),
    "UPPER_COL": (_index_lower, 1),
    "LOWER_COL": (_index_upper, 1),
    "UPPER_DIAG_COL": (_index_lower, 0),
    "LOWER_DIAG_COL": (_index_upper, 0),
}
#: Supported formats.
FORMATS = ("FULL_MATRIX", *TRIANGLES)


def count_entries(layout: str, n: int) -> int:
    """Return how many entries a matrix of `n` cities has in this format."""
    return n * n if layout == "FULL_MATRIX" else n * (n + 1) // 2 - n * TRIANGLES[layout][1]


def unpack(layout: str, n: int, values: np.ndarray) -> np.ndarray:
    """Unpack the full matrix.

    Parameters
    ----------
    layout : str
        One of `FORMATS`.
    n : int
        Number of cities.
    values : ndarray, shape (count_entries(layout, n),), int64
        Entries in the order of the file, within int32.

    Returns
    -------
    ndarray, shape (n, n), int32
        Matrix with the diagonal of the file, or zero; symmetric if made from a triangle.
    """
    if layout == "FULL_MATRIX":
        return values.reshape(n, n).astype(np.int32)
    indices, offset = TRIANGLES[layout]
    rows, columns = indices(n, offset)
    matrix = np.zeros((n, n), np.int32)
    matrix[rows, columns] = values
    matrix[columns, rows] = values
    return matrix


def pack(matrix: np.ndarray, directed: bool = False, mark: int = 0) -> tuple[str, list[np.ndarray]]:
    """Return a matrix's shortest format and its rows: all if directed, otherwise the upper triangle.

    Parameters
    ----------
    matrix : ndarray, shape (n, n), int32
    directed : bool
    mark : int
        Length of missing edges, which is also written on the diagonal; 0 if there are none.
    """
    n = len(matrix)
    if mark:
        matrix = matrix + np.int32(mark) * np.eye(n, dtype=np.int32)
    if directed:
        return "FULL_MATRIX", list(matrix)
    if mark:
        return "UPPER_DIAG_ROW", [matrix[i, i:] for i in range(n)]
    return "UPPER_ROW", [matrix[i, i + 1 :] for i in range(n - 1)]


def format_row(row: np.ndarray) -> str:
    """Format whole numbers in decimal, separated by spaces.

    Parameters
    ----------
    row : ndarray, shape (n,), int32
    """
    if row.size < _FEW or row.min() < 0:
        return " ".join(map(str, row.tolist()))
    width = len(str(row.max()))
    text, is_written = np.full((width + 1, row.size), ord(" "), np.uint8), np.ones((width + 1, row.size), bool)
    left = row
    for digit in range(width - 1, -1, -1):
        is_written[digit] = left > 0  # zeros in front of a number are not written
        tens = left // 10
        text[digit] = ord("0") + left - 10 * tens
        left = tens
    is_written[width - 1] = True
    return text.T[is_written.T].tobytes().decode()[:-1]
