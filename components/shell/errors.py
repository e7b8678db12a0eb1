"""Errors of the services whose one-sentence message is shown to the user."""

from components.shell.facts import localise
from components.shell.texts import common as text
from data.errors import InvalidInstance
from runs.imports.launch import Refused
from runs.owners import HostOnly, NotYours
from runs.races.errors import NoSuchRace
from runs.service import RunIsLane
from runs.store.open_run import NoSuchRun
from runs.study_jobs.errors import NoSuchStudy
from solvers.errors import DeviceUnavailable, InstanceTooLarge, InvalidParams, RunFailed
from studies.errors import InvalidStudy, StudyLocked

REFUSALS = (
    InvalidParams,
    InvalidInstance,
    DeviceUnavailable,
    InstanceTooLarge,
    NoSuchRun,
    NoSuchRace,
    NoSuchStudy,
    InvalidStudy,
    StudyLocked,
    RunIsLane,
    Refused,
    RunFailed,
    NotYours,
    HostOnly,
)


def error_message(refusal: Exception) -> str:
    """The message of one of `REFUSALS`, with numbers formatted for the page."""
    return localise(str(refusal))


def form_sentence(refusal: Exception, labels: dict[str, str]) -> str:
    """The message for an error in the form; it names the field by its label, and the values that are allowed.

    Parameters
    ----------
    refusal : Exception
        One of `REFUSALS`.
    labels : dict
        The fields' labels by parameter name; for any other name, the result is the error's own message.
    """
    if not isinstance(refusal, InvalidParams) or refusal.name not in labels:
        return error_message(refusal)
    label, allowed = labels[refusal.name], localise(refusal.allowed)
    if refusal.allowed.startswith("one of "):
        return text("form.choose", label=label, allowed=allowed)
    if refusal.allowed.startswith("more than "):
        return text("form.fill-in-number", label=label, allowed=allowed)
    return text("form.fill-in", label=label, allowed=allowed)
