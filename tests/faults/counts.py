"""How often a fault is made to happen: a few times with the other tests, as often as its row says in ``make soak``."""

import os

#: The share of the full counts: 1 in ``make soak``, 0 otherwise.
SHARE = float(os.environ.get("TOURSCOPE_SOAK", "0"))


def count(short: int, full: int) -> int:
    """How often: `short` times, or the share of `full` that was asked for."""
    return max(short, round(full * SHARE))
