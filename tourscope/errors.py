"""Errors of the Python interface, with the program's own sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tourscope.result import Result


class TourScopeError(Exception):
    """Base class of all errors of this package; the message is one sentence that says what to do."""


class InvalidParams(TourScopeError, ValueError):
    """A parameter is unknown, out of range, or in conflict with another."""


class InvalidInstance(TourScopeError, ValueError):
    """The instance does not exist or cannot be used."""


class InstanceTooLarge(TourScopeError, ValueError):
    """The instance needs more memory or time than is available."""


class DeviceUnavailable(TourScopeError, RuntimeError):
    """The requested device is missing, or the algorithm has no variant for it."""


class InstanceWarning(UserWarning):
    """A warning about an instance, in the page's words; the run continues."""


class RunFailed(TourScopeError, RuntimeError):
    """A fault of the program or the machine ended the run."""


class Interrupted(KeyboardInterrupt):
    """A run was ended by Ctrl+C or by a notebook's "Interrupt".

    Attributes
    ----------
    result : Result or None
        Result so far; None if there was no tour yet.
    """

    def __init__(self, result: Result | None) -> None:
        super().__init__()
        self.result = result


_BY_NAME: dict[str, type[TourScopeError]] = {
    error.__name__: error for error in (InvalidParams, InvalidInstance, InstanceTooLarge, DeviceUnavailable, RunFailed)
}


def make_error(name: str, message: str) -> TourScopeError:
    """Return the error with this name and message; `RunFailed` for faults of the program."""
    return _BY_NAME.get(name, RunFailed)(message)
