"""What a desk refuses: errors whose one sentence is meant for the person at the page."""

from data.errors import InvalidInstance
from runs.adoption import Refused
from runs.desk import NoSuchRun
from solvers.errors import DeviceUnavailable, InstanceTooLarge, InvalidParams, RunFailed

REFUSALS = (InvalidParams, InvalidInstance, DeviceUnavailable, InstanceTooLarge, NoSuchRun, Refused, RunFailed)
