"""Spreads time stamps that arrive in bursts evenly over the time in which the tours were reached."""

from runs.store.live_tour import Head


class Spread:
    """Spreads heads that arrived together evenly over the time since the heads before them.

    An algorithm reports many iterations at once, so all of these heads have the same time stamp, though they were
    reached one after the other.
    """

    #: Most seconds between the heads of one burst, and the most seconds over which they are spread.
    BURST, MOST = 0.004, 0.06

    def __init__(self) -> None:
        self._last = 0.0

    def spread(self, heads: list[Head]) -> list[Head]:
        """Change the times of these heads, which follow those of the last call; returns the same list."""
        first = 0
        for k, head in enumerate(heads):
            if k + 1 == len(heads) or heads[k + 1].elapsed - heads[first].elapsed > self.BURST:
                begin = max(self._last, head.elapsed - self.MOST)
                for number, each in enumerate(heads[first : k + 1], 1):
                    each.elapsed = begin + number / (k + 1 - first) * (head.elapsed - begin)
                first, self._last = k + 1, head.elapsed
        return heads
