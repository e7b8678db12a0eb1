"""Lower bounds proven by this server: a file per instance, named after its hash.

Only bounds computed here from the instance itself are written; no file of a run, race or study contains a bound.
"""

import json
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from data.collection.instance_reference import check_sha256
from data.errors import InvalidInstance
from data.files import read_bytes, write_whole

FORMAT = 1
#: Maximum number of rows of progress; beyond that, every second row is dropped.
MAX_ROWS = 600
#: Maximum size of a file in bytes: several times what the maximum number of rows needs.
_MAX_BYTES = 262_144
#: Maximum size in bytes of the steps of an ascent.
_MAX_ASCENT = 5_000_000
#: Limits on the absolute value of a bound, and on all other values.
_MAX_NUMBER = 2**62

#: A rise in the bound: the processor time in seconds, the number of 1-trees, and the new bound.
Row = tuple[float, int, int]


@dataclass(frozen=True)
class KnownBound:
    """A lower bound on an instance, and its progress.

    Attributes
    ----------
    rows : tuple of Row
        Progress; the last row has the proven bound. Empty if nothing is proven yet.
    seconds : float
        Total processor time, including the time after the last rise.
    trees : int
        Total number of 1-trees.
    ended : bool
        Whether the ascent is complete; after an interrupted ascent, the bound could rise further.
    """

    rows: tuple[Row, ...] = field(default=())
    seconds: float = 0.0
    trees: int = 0
    ended: bool = False

    @property
    def length(self) -> int | None:
        """The proven lower bound; None while nothing is proven."""
        return self.rows[-1][2] if self.rows else None


def thin(rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """Thin the rows to at most `MAX_ROWS`, keeping the first and last."""
    while len(rows) > MAX_ROWS:
        rows = (*rows[:-1:2], rows[-1])
    return rows


def save_bound(folder: Path, sha256: str, bound: KnownBound) -> None:
    """Save a bound for the instance with this hash in `folder`, which is created if missing.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    value = {"format": FORMAT, "sha256": sha256, "seconds": bound.seconds, "trees": bound.trees, "ended": bound.ended}
    write_whole(_make_path(folder, sha256), json.dumps({**value, "rows": bound.rows}).encode("ascii"))


def save_ascent(folder: Path, sha256: str, record: bytes) -> None:
    """Save an ascent, encoded as an ``ascent`` frame, of the instance with this hash.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    write_whole(_make_ascent_path(folder, sha256), record)


def load_ascent(folder: Path, sha256: str) -> bytes | None:
    """Load the ascent of the instance with this hash; None if there is none."""
    try:
        path = _make_ascent_path(folder, sha256)
        return read_bytes(path, _MAX_ASCENT) if path.is_file() else None
    except InvalidInstance:
        return None


def load_bound(folder: Path, sha256: str) -> KnownBound | None:
    """Load the bound of the instance with this hash; None if there is no valid file."""
    try:
        path = _make_path(folder, sha256)
        if not path.is_file():
            return None
        value = json.loads(read_bytes(path, _MAX_BYTES))
        if value["format"] != FORMAT or value["sha256"] != sha256 or type(value["ended"]) is not bool:
            return None
        rows = tuple(
            (_check_seconds(at), _check_positive_int(trees), _check_positive_int(length))
            for at, trees, length in value["rows"]
        )
        bound = KnownBound(rows, _check_seconds(value["seconds"]), _check_positive_int(value["trees"]), value["ended"])
    except (InvalidInstance, ValueError, LookupError, TypeError, OverflowError, RecursionError):
        return None
    rises = all(one[2] < other[2] for one, other in pairwise(rows))
    return bound if rows and rises and len(rows) <= MAX_ROWS else None


def _make_path(folder: Path, sha256: str) -> Path:
    return folder / f"{check_sha256(sha256)}.json"


def _make_ascent_path(folder: Path, sha256: str) -> Path:
    return folder / f"{check_sha256(sha256)}.ascent"


def _check_seconds(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value < _MAX_NUMBER:
        raise ValueError("a time is invalid")
    return float(value)


def _check_positive_int(value: object) -> int:
    if type(value) is not int or not -_MAX_NUMBER <= value < _MAX_NUMBER:
        raise ValueError("a number is invalid")
    return value
