"""Spreads timestamps that arrive in bursts evenly over the time in which they were reached."""

from runs.store.live_tour import Head


class Spread:
    """Lays heads that were told in one go evenly over the time since those before them.

    An algorithm tells of many iterations at once, and all of these heads have one moment, though they were reached one
    after the other.
    """

    #: Seconds within which heads are of one burst, and over which they are laid at most.
    BURST, MOST = 0.004, 0.06

    def __init__(self) -> None:
        self._last = 0.0

    def lay(self, heads: list[Head]) -> list[Head]:
        """Move the moments of these heads, which follow in time on those before; the same list comes back."""
        first = 0
        for k, head in enumerate(heads):
            if k + 1 == len(heads) or heads[k + 1].elapsed - heads[first].elapsed > self.BURST:
                begin = max(self._last, head.elapsed - self.MOST)
                for number, each in enumerate(heads[first : k + 1], 1):
                    each.elapsed = begin + number / (k + 1 - first) * (head.elapsed - begin)
                first, self._last = k + 1, head.elapsed
        return heads
