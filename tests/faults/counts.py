"""How often a fault is repeated: a few times in ordinary tests, the promised number in ``make soak``."""

import os

#: The share of the full counts: 1 in ``make soak``, 0 otherwise.
SHARE = float(os.environ.get("TOURSCOPE_SOAK", "0"))


def count(short: int, full: int) -> int:
    """The number of repetitions: `short`, or the requested share of `full`."""
    return max(short, round(full * SHARE))
