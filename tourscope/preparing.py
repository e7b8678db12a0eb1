"""Says on standard error that a run is being prepared, if that takes long: kernels may have to be compiled."""

from __future__ import annotations

import sys
import time

from tourscope import events

#: Seconds until it is said.
PATIENCE = 2.0


class Preparing:
    """The notice while a run is prepared: on a terminal a line that counts seconds, elsewhere one line."""

    def __init__(self) -> None:
        self._began: float | None = None
        self._said = False

    def take(self, event: events.Event) -> None:
        """Take an event: a run is prepared from `Compiling` to the next of another kind."""
        if not isinstance(event, events.Compiling):
            self._end()
        elif self._began is None:
            self._began = time.monotonic()

    def wait(self) -> None:
        """Nothing has come yet."""
        if self._began is None or (seconds := time.monotonic() - self._began) < PATIENCE:
            return
        sentence = "The run is being prepared: kernels that are new to this machine are compiled once"
        if sys.stderr.isatty():
            print(f"\r{sentence}: {seconds:.0f} s", end="", file=sys.stderr, flush=True)
        elif not self._said:
            print(f"{sentence}.", file=sys.stderr, flush=True)
        self._said = True

    def _end(self) -> None:
        if self._said and self._began is not None and sys.stderr.isatty():
            print(file=sys.stderr)
        self._began = None
