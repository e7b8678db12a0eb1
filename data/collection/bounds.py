"""Lower bounds that this server has proven: a file for each instance, named by its hash as proofs and uploads are.

Only what was computed here is written, from the instance itself; no file of a run, a race or a study carries a bound.
"""

import json
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from data.collection.instance_reference import check_sha256
from data.errors import InvalidInstance
from data.files import read_bytes, write_whole

FORMAT = 1
#: Most rows of a course; every second of more is left out.
MOST_ROWS = 600
#: Most bytes of a file: several times what as many rows take.
_MOST_BYTES = 262_144
#: Most bytes of the steps that led to a bound.
_MOST_ASCENT = 5_000_000
#: Absolute value of a bound, and the most of anything else.
_MOST = 2**62

#: Seconds of processor time, 1-trees, and the bound: each time that it rose.
Row = tuple[float, int, int]


@dataclass(frozen=True)
class KnownBound:
    """The progress of an instance's bound.

    Attributes
    ----------
    rows : tuple of Row
        The last one has the bound that is proven; empty while there is none.
    seconds : float
        Processor time so far, which is also that after which the bound rose no more.
    trees : int
        1-trees so far.
    ended : bool
        Whether the ascent came to its end by itself; one that was cut could rise further.
    """

    rows: tuple[Row, ...] = field(default=())
    seconds: float = 0.0
    trees: int = 0
    ended: bool = False

    @property
    def length(self) -> int | None:
        """The length that no tour is below; None while nothing is proven."""
        return self.rows[-1][2] if self.rows else None


def thin(rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """Thin the rows to at most `MOST_ROWS`, the first and the last among them."""
    while len(rows) > MOST_ROWS:
        rows = (*rows[:-1:2], rows[-1])
    return rows


def save_bound(folder: Path, sha256: str, bound: KnownBound) -> None:
    """Keep the bound of the instance of that hash in `folder`, which is created if it does not exist.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    value = {"format": FORMAT, "sha256": sha256, "seconds": bound.seconds, "trees": bound.trees, "ended": bound.ended}
    write_whole(_path(folder, sha256), json.dumps({**value, "rows": bound.rows}).encode("ascii"))


def save_ascent(folder: Path, sha256: str, record: bytes) -> None:
    """Keep the steps that led to the bound of the instance of that hash, an ``ascent`` frame.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    write_whole(_ascent_path(folder, sha256), record)


def load_ascent(folder: Path, sha256: str) -> bytes | None:
    """Load the steps of the ascent for the instance with this hash; None if there are none."""
    try:
        path = _ascent_path(folder, sha256)
        return read_bytes(path, _MOST_ASCENT) if path.is_file() else None
    except InvalidInstance:
        return None


def load_bound(folder: Path, sha256: str) -> KnownBound | None:
    """Load the bound of the instance with this hash; None if there is no valid file."""
    try:
        path = _path(folder, sha256)
        if not path.is_file():
            return None
        value = json.loads(read_bytes(path, _MOST_BYTES))
        if value["format"] != FORMAT or value["sha256"] != sha256 or type(value["ended"]) is not bool:
            return None
        rows = tuple((_seconds(at), _whole(trees), _whole(length)) for at, trees, length in value["rows"])
        bound = KnownBound(rows, _seconds(value["seconds"]), _whole(value["trees"]), value["ended"])
    except (InvalidInstance, ValueError, LookupError, TypeError, OverflowError, RecursionError):
        return None
    rises = all(one[2] < other[2] for one, other in pairwise(rows))
    return bound if rows and rises and len(rows) <= MOST_ROWS else None


def _path(folder: Path, sha256: str) -> Path:
    return folder / f"{check_sha256(sha256)}.json"


def _ascent_path(folder: Path, sha256: str) -> Path:
    return folder / f"{check_sha256(sha256)}.ascent"


def _seconds(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value < _MOST:
        raise ValueError("a time is invalid")
    return float(value)


def _whole(value: object) -> int:
    if type(value) is not int or not -_MOST <= value < _MOST:
        raise ValueError("a number is invalid")
    return value
