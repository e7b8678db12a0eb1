"""Lazy construction, so the server can answer before everything is loaded."""

import threading
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar


class Closeable(Protocol):
    """A service that must be closed when the server ends."""

    def close(self) -> None:
        """Stop the service."""
        ...


Value = TypeVar("Value")
Service = TypeVar("Service", bound=Closeable)


def once(make: Callable[[], Value]) -> Callable[[], Value]:
    """Wrap `make` so that it runs once, on the first call from any thread; later calls return its result."""
    lock = threading.Lock()
    value: list[Value] = []

    def get() -> Value:
        with lock:
            if not value:
                value.append(make())
            return value[0]

    return get


class Lazy(Generic[Service]):
    """A service created on first use. Call the object, from any thread, to get the service.

    Parameters
    ----------
    make : callable
        Creates the service; called once.
    within : float, optional
        Seconds after which the service is created even without a call.
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
        """Return the service, creating it on the first call."""
        with self._lock:
            return self._get()

    def _get(self) -> Service:
        if self._service is None:
            self._service = self._make()
        return self._service

    def _make_at_deadline(self) -> None:
        # under the lock, so that `close` cannot run between the check and the creation
        with self._lock:
            if not self._is_closed:
                self._get()

    def close(self) -> None:
        """Close the service if it exists."""
        if self._timer is not None:
            self._timer.cancel()
        with self._lock:
            self._is_closed = True
            if self._service is not None:
                self._service.close()
