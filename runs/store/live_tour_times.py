"""Spreads time stamps that arrive in bursts evenly over the time in which tours were found."""

from runs.store.live_tour import Head


class Spread:
    """Spreads heads that arrive together evenly over the time since the previous heads.

    An algorithm reports many iterations at once, so their heads share a time stamp although they were found one after
    another.
    """

    #: Maximum seconds between the heads of one burst, and maximum seconds over which they are spread.
    BURST, MAX_PAUSE = 0.004, 0.06

    def __init__(self) -> None:
        self._last = 0.0

    def spread(self, heads: list[Head]) -> list[Head]:
        """Adjust the times of these heads, which follow the last call's; return the same list."""
        first = 0
        for k, head in enumerate(heads):
            if k + 1 == len(heads) or heads[k + 1].elapsed - heads[first].elapsed > self.BURST:
                begin = max(self._last, head.elapsed - self.MAX_PAUSE)
                for number, each in enumerate(heads[first : k + 1], 1):
                    each.elapsed = begin + number / (k + 1 - first) * (head.elapsed - begin)
                first, self._last = k + 1, head.elapsed
        return heads
