"""Prints a notice on standard error if a run takes long to prepare, since kernels may have to be compiled."""

from __future__ import annotations

import sys
import time

from tourscope import events

#: Seconds until the notice.
PATIENCE = 2.0


class PreparationNotice:
    """The notice while a run is prepared: a line that counts seconds on a terminal, a single line elsewhere."""

    def __init__(self) -> None:
        self._began: float | None = None
        self._is_printed = False

    def update(self, event: events.Event) -> None:
        """Process an event: a run is being prepared from `Compiling` to the next event of another kind."""
        if not isinstance(event, events.Compiling):
            self._end()
        elif self._began is None:
            self._began = time.monotonic()

    def wait(self) -> None:
        """Update the notice while waiting for an event."""
        if self._began is None or (seconds := time.monotonic() - self._began) < PATIENCE:
            return
        sentence = "The run is being prepared: kernels that are new to this machine are compiled once"
        if sys.stderr.isatty():
            print(f"\r{sentence}: {seconds:.0f} s", end="", file=sys.stderr, flush=True)
        elif not self._is_printed:
            print(f"{sentence}.", file=sys.stderr, flush=True)
        self._is_printed = True

    def _end(self) -> None:
        if self._is_printed and self._began is not None and sys.stderr.isatty():
            print(file=sys.stderr)
        self._began = None
