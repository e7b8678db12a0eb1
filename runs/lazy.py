"""Lazy construction, so the server can answer before everything is loaded."""

import threading
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar


class Closeable(Protocol):
    """A service that is closed when the server ends."""

    def close(self) -> None:
        """Stop its work."""
        ...


Value = TypeVar("Value")
Service = TypeVar("Service", bound=Closeable)


def once(make: Callable[[], Value]) -> Callable[[], Value]:
    """`make`, called only once, whichever threads call; later calls return the first result."""
    lock = threading.Lock()
    value: list[Value] = []

    def get() -> Value:
        with lock:
            if not value:
                value.append(make())
            return value[0]

    return get


class Lazy(Generic[Service]):
    """Call it for the service. Any thread may.

    Parameters
    ----------
    make : callable
        Makes the service; called once.
    within : float, optional
        Seconds after which the service is made in any case.
    """

    def __init__(self, make: Callable[[], Service], within: float | None = None) -> None:
        self._make = make
        self._service: Service | None = None
        self._is_closed = False
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None
        if within is not None:
            self._timer = threading.Timer(within, self._make_at_deadline)
            self._timer.daemon = True
            self._timer.start()

    def __call__(self) -> Service:
        """The service, which is made now if it has not been."""
        with self._lock:
            return self._get()

    def _get(self) -> Service:
        if self._service is None:
            self._service = self._make()
        return self._service

    def _make_at_deadline(self) -> None:
        # under the lock: `close` must not come between the question and the making
        with self._lock:
            if not self._is_closed:
                self._get()

    def close(self) -> None:
        """Close the service if it was made."""
        if self._timer is not None:
            self._timer.cancel()
        with self._lock:
            self._is_closed = True
            if self._service is not None:
                self._service.close()
