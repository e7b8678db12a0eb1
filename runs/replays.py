"""Short-lived cache of replayed climbs: a whole class asks for the lecturer's climb at once."""

import threading
from collections.abc import Callable
from concurrent.futures import Future

#: Climbs that are kept, the newest.
MOST = 8
_Key = tuple[str, int]


class Replays:
    """Computes each climb once for all who ask for it while it is computed, or soon after."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[_Key, Future[bytes]] = {}  # by run and climber, the newest at the end

    def get(self, run: str, climber: int, compute: Callable[[], bytes]) -> bytes:
        """The climb of a climber; a failure fails all waiting requests, and the next request tries again.

        Raises
        ------
        Exception
            What `compute` raises.
        """
        key = run, climber
        with self._lock:
            found = self._known.get(key)
            mine: Future[bytes] | None = None if found else Future()
            if mine:
                self._known[key] = mine
                while len(self._known) > MOST:
                    del self._known[next(iter(self._known))]
        if found:
            return found.result()
        assert mine
        try:
            mine.set_result(compute())
        except BaseException as failure:
            with self._lock:
                self._known.pop(key, None)
            mine.set_exception(failure)
            raise
        return mine.result()
