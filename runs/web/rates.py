"""Rate limits: a token bucket for each client, refilled steadily."""

import math
import time
from collections import OrderedDict
from collections.abc import Callable

#: Maximum number of clients to remember; beyond that, the least recent ones are forgotten.
MAX_CLIENTS = 4096


class Rate:
    """A rate limit for each client.

    Parameters
    ----------
    burst : int
        Number of requests allowed at once.
    per_minute : float
        Number of further requests allowed each minute.
    clock : callable
        Returns seconds.
    """

    def __init__(self, burst: int, per_minute: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._burst, self._per_second, self._clock = float(burst), per_minute / 60, clock
        self._clients: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, client: str) -> int:
        """Return the seconds until the client's next request is allowed, rounded up; 0 allows and counts it."""
        now = self._clock()
        tokens, at = self._clients.pop(client, (self._burst, now))
        tokens = min(self._burst, tokens + (now - at) * self._per_second)
        wait = 0 if tokens >= 1 else math.ceil((1 - tokens) / self._per_second)
        self._clients[client] = tokens - (not wait), now
        if len(self._clients) > MAX_CLIENTS:
            self._clients.popitem(last=False)
        return wait
