"""What the run service refuses: errors whose one sentence is meant for the person at the page."""

from components.shell.text import thinned
from data.errors import InvalidInstance
from runs.imports.launch import Refused
from runs.service import IsLane, NoSuchRun
from solvers.errors import DeviceUnavailable, InstanceTooLarge, InvalidParams, RunFailed

REFUSALS = (InvalidParams, InvalidInstance, DeviceUnavailable, InstanceTooLarge, NoSuchRun, IsLane, Refused, RunFailed)


def form_sentence(refusal: Exception, labels: dict[str, str]) -> str:
    """What a refusal says to who fills in the form: a field by its label, and what it can be.

    Parameters
    ----------
    refusal : Exception
        One of `REFUSALS`.
    labels : dict
        The fields' labels by the names of parameters; of any other name, the error's own sentence is told.
    """
    if not isinstance(refusal, InvalidParams) or refusal.name not in labels:
        return str(refusal)
    allowed = thinned(refusal.allowed)
    verb = "choose" if allowed.startswith("one of ") else "fill in"
    number = "a number, " if allowed.startswith("more than ") else ""
    return f"{labels[refusal.name]}: {verb} {number}{allowed}."
