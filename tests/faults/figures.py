"""The measured costs of faults, stored with every sample by ``make soak``."""

import json
import os
import statistics
from collections.abc import Sequence
from pathlib import Path

from tests.faults.counts import SHARE

#: The file that gets a line for each row; nothing is kept if it is not named.
FILE = os.environ.get("TOURSCOPE_SOAK_FILE", "")


def store_samples(row: str, what: str, samples: Sequence[float], count: int | None = None) -> None:
    """Store the samples of a row's figure, and how often its fault happened."""
    if FILE:
        path = Path(FILE)
        path.parent.mkdir(parents=True, exist_ok=True)
        stored = {"row": row, "what": what, "count": len(samples) if count is None else count, "samples": list(samples)}
        with path.open("a") as file:
            file.write(json.dumps(stored) + "\n")


def is_within(seconds: Sequence[float], most: float) -> bool:
    """Whether none took longer; when other tests run, on a machine with other load, whether most did not."""
    return (max(seconds) if SHARE else statistics.median(seconds)) <= most
