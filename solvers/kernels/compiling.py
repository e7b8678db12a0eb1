"""Reports when a kernel is compiled rather than loaded."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(slots=True)
class Progress:
    """Counts the kernels that this process compiles.

    Attributes
    ----------
    count : int
    listener : callable or None
        Called with the count before each compilation, in the compiling thread.
    """

    count: int = 0
    listener: Callable[[int], object] | None = None

    def begin(self) -> None:
        """Record that a kernel is about to be compiled."""
        self.count += 1
        if self.listener:
            self.listener(self.count)


progress = Progress()
