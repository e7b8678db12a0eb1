"""Errors whose one-sentence messages are shown to the user."""

from components.shell.facts import localise
from components.shell.texts import common as text
from data.errors import InvalidInstance
from runs.imports.untrusted_files import InvalidUpload
from runs.owners import HostOnly, NotOwner
from runs.races.errors import NoSuchRace
from runs.service import RunIsLane
from runs.store.open_run import NoSuchRun
from runs.study_jobs.errors import NoSuchStudy
from solvers.core.errors import DeviceUnavailable, InstanceTooLarge, InvalidParams, RunFailed
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
    InvalidUpload,
    RunFailed,
    NotOwner,
    HostOnly,
)


def describe_refusal(refusal: Exception) -> str:
    """Return the message of one of `REFUSALS`, with numbers formatted for the page."""
    return localise(str(refusal))


def describe_form_error(refusal: Exception, labels: dict[str, str]) -> str:
    """Return the message for an error in the form, with the field's label and allowed values.

    Parameters
    ----------
    refusal : Exception
        One of `REFUSALS`.
    labels : dict
        Labels of the fields by parameter name; for other names, the error's own message is returned.
    """
    if not isinstance(refusal, InvalidParams) or refusal.name not in labels:
        return describe_refusal(refusal)
    label, allowed = labels[refusal.name], localise(refusal.allowed)
    if refusal.allowed.startswith("one of "):
        return text("form.choose", label=label, allowed=allowed)
    if refusal.allowed.startswith("more than "):
        return text("form.fill-in-number", label=label, allowed=allowed)
    return text("form.fill-in", label=label, allowed=allowed)
