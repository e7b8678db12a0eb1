"""What happens in a process while it compiles: compilations are reported, and garbage collection is off."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(slots=True)
class Progress:
    """Counts the kernels that this process compiles.

    Attributes
    ----------
    count : int
    listener : callable or None
        Called with the count before each compilation, in the thread that compiles.
    """

    count: int = 0
    listener: Callable[[int], object] | None = None

    def begin(self) -> None:
        """Record that a kernel is about to be compiled."""
        self.count += 1
        if self.listener:
            self.listener(self.count)


progress = Progress()


@contextmanager
def pause_collection() -> Iterator[None]:
    """Turn garbage collection off within the context; it would take a tenth of the time of compiling."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
