"""Finds the cities' own numbers in a table, which tours and lists of stops use."""

import re
from itertools import count

import numpy as np

from data.tables.sheet import Sheet

#: Names of columns of cities' numbers: id, CityId, node_id, POLYID; No., Nr, #, index.
_IDS = re.compile(r".*id|id|no|nr|num|number|index|idx|node|nodes|#|key", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]{1,18}")


def find_ids(sheet: Sheet, x: int, y: int) -> np.ndarray | None:
    """Return the cities' numbers, (rows,) int64; None if no column other than x and y has them."""
    column = next((k for k in range(sheet.width) if k not in (x, y) and is_id_column(sheet, k)), None)
    return None if column is None else np.array([int(row[column]) for row in sheet.cities()], np.int64)


def is_id_column(sheet: Sheet, column: int) -> bool:
    """Return whether a column has distinct whole numbers, and is named id or counts from 0 or 1.

    Only the first column may count from 0 or 1 without such a name.
    """
    name = re.sub(r"[\s.:]", "", sheet.header_cells()[column]) if sheet.header else ""
    named = _IDS.fullmatch(name) is not None
    if not named and (name or column):
        return False
    cells = [row[column] for row in sheet.cities()]
    if not all(map(_NUMBER.fullmatch, cells)):
        return False
    if named:
        return len(set(map(int, cells))) == len(cells)
    return any(all(int(cell) == k for cell, k in zip(cells, count(first), strict=False)) for first in (0, 1))
