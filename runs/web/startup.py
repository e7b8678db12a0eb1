"""Builds the server's services in a thread while the first page is already served."""

import sys
import threading
from collections.abc import Callable
from typing import Any

#: Maximum time in seconds that the building thread may hold the interpreter; a request wakes the event loop several
#: times.
_SWITCH = 0.0005


class Startup:
    """Builds a server's services in a thread while it answers requests.

    Parameters
    ----------
    make : callable
        Builds and returns the services. It may exit the program.
    report : callable
        Called in the thread after `make`.

    Attributes
    ----------
    services : tuple
        The services; empty until they are built.
    on_failure : callable
        Called in the thread if building fails.
    """

    def __init__(self, make: Callable[[], tuple[Any, ...]], report: Callable[[], object]) -> None:
        self._make, self._report = make, report
        self._thread: threading.Thread | None = None
        self._failure: BaseException | None = None
        self.services: tuple[Any, ...] = ()
        self.on_failure: Callable[[], object] = lambda: None

    def build_now(self) -> None:
        """Build the services in this thread.

        Raises
        ------
        BaseException
            Any error raised by `make`.
        """
        self.services = self._make()

    def start(self) -> None:
        """Build the services in another thread."""
        self._thread = threading.Thread(target=self._build, name="beginning")
        self._thread.start()

    def wait(self) -> None:
        """Wait until the services are built or have failed."""
        if self._thread:
            self._thread.join()

    def raise_failure(self) -> None:
        """Raise the error of the building thread, if any."""
        if self._failure:
            raise self._failure

    def _build(self) -> None:
        usual = sys.getswitchinterval()
        sys.setswitchinterval(_SWITCH)
        try:
            self.build_now()
            self._report()
        except BaseException as failure:  # noqa: BLE001 - raised again where the program ends
            self._failure = failure
            self.on_failure()
        finally:
            sys.setswitchinterval(usual)
