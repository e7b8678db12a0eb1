"""Reads NumPy's ``.npy`` arrays as a table's text, without Python objects."""

import io

import numpy as np

from data.errors import InvalidInstance
from data.limits import MAX_OWN_BYTES

MAGIC = b"\x93NUMPY"


def read_text(raw: bytes) -> str:
    """Format an array's rows as lines of numbers separated by blanks.

    Raises
    ------
    InvalidInstance
        ``LIMIT``; ``UNSUPPORTED`` for any array other than a table of numbers; ``SYNTAX`` for a damaged file.
    """
    if len(raw) > MAX_OWN_BYTES:
        raise InvalidInstance("LIMIT", "The array is too large: save it as whole numbers of 32 bits.")
    file = io.BytesIO(raw)
    try:
        version = np.lib.format.read_magic(file)
        read_header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, by_columns, dtype = read_header(file)
    except (ValueError, SyntaxError, EOFError):
        raise InvalidInstance("SYNTAX", "The array's header cannot be read: save it again by numpy.save.") from None
    if dtype.kind not in "iuf" or len(shape) != 2:
        raise InvalidInstance("UNSUPPORTED", "A .npy file has one array of numbers in rows: n x 2 or n x n.")
    values = raw[file.tell() :]
    if shape[0] * shape[1] * dtype.itemsize != len(values):
        raise InvalidInstance("SYNTAX", "The array's values are cut off: save it again by numpy.save.")
    rows = np.frombuffer(values, dtype).reshape(shape, order="F" if by_columns else "C")
    return "\n".join(" ".join(f"{value:.15g}" for value in row) for row in rows.tolist())
