"""Reports when a kernel is being compiled rather than loaded."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(slots=True)
class Progress:
    """The kernels that this process has compiled.

    Attributes
    ----------
    count : int
    listener : callable or None
        Given the count before each is compiled, in the thread that needs it.
    """

    count: int = 0
    listener: Callable[[int], object] | None = None

    def begin(self) -> None:
        """The next kernel is about to be compiled."""
        self.count += 1
        if self.listener:
            self.listener(self.count)


progress = Progress()
