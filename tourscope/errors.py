"""The errors of the Python interface; their sentences are those of the program."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tourscope.result import Result


class TourScopeError(Exception):
    """Base of all errors of this package; the message is one sentence that says what to do."""


class InvalidParams(TourScopeError, ValueError):
    """A parameter is out of range, unknown, or in conflict with another."""


class InvalidInstance(TourScopeError, ValueError):
    """There is no such instance, or it cannot be used."""


class InstanceTooLarge(TourScopeError, ValueError):
    """The instance needs more memory or time than is available."""


class DeviceUnavailable(TourScopeError, RuntimeError):
    """The requested device is missing, or the algorithm has no variant for it."""


class InstanceWarning(UserWarning):
    """What is doubtful about an instance, in the sentence that the page shows; the run goes on."""


class RunFailed(TourScopeError, RuntimeError):
    """A fault of the program or the machine ended the run."""


class Interrupted(KeyboardInterrupt):
    """Ctrl+C, or "Interrupt" of a notebook, has ended a run.

    Attributes
    ----------
    result : Result or None
        What the run had found; None if there was no tour yet.
    """

    def __init__(self, result: Result | None) -> None:
        super().__init__()
        self.result = result


_BY_NAME: dict[str, type[TourScopeError]] = {
    error.__name__: error for error in (InvalidParams, InvalidInstance, InstanceTooLarge, DeviceUnavailable, RunFailed)
}


def make_error(name: str, sentence: str) -> TourScopeError:
    """Return the error of that name, with that sentence; `RunFailed` for faults of the program."""
    return _BY_NAME.get(name, RunFailed)(sentence)
