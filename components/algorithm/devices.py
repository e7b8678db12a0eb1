"""What there is to compute on, as the page tells it: the chip in the header and the choice in the form."""

from dataclasses import asdict
from typing import Any

import dash
from dash import Input, Output

from components.shell import ids
from solvers import SOLVERS, find
from solvers.devices import Device
from solvers.errors import InvalidParams
from solvers.solver import Solver
from solvers.spec import DEVICES

LABELS = {"auto": "Auto", "cpu": "CPU", "cuda": "CUDA"}
_BLANK = asdict(Device("", ""))


def known_devices(status: Any) -> dict[str, dict[str, Any]] | None:
    """The devices by kind, each as `solvers.devices.Device`, or None as long as the spare worker has not told them.

    Parameters
    ----------
    status : dict
        What `RunService.status` tells, as it comes back from a page: what is no device there is left out.
    """
    told = status.get("devices") if isinstance(status, dict) else None
    if not isinstance(told, list):
        return None
    return {device["kind"]: _BLANK | device for device in told if _is_device(device)}


def _is_device(told: Any) -> bool:
    named = isinstance(told, dict) and all(isinstance(told.get(name), str) for name in ("kind", "name"))
    return named and all(isinstance(told.get(name, blank), type(blank)) for name, blank in _BLANK.items())


def chip_text(status: dict[str, Any] | None) -> str:
    """The header's line about the machine."""
    devices = known_devices(status)
    if devices is None:
        return "looking for GPUs"
    best = next((devices[kind] for kind in ("cuda", "cpu") if devices.get(kind, {}).get("available")), None)
    return best["name"] if best else "no device"


def missing(solver: Solver, kind: str, status: dict[str, Any] | None) -> str:
    """Why an algorithm cannot run on a kind of device, or nothing if it can or may."""
    if kind == "auto":
        return ""
    if kind not in {variant.device for variant in solver.variants}:
        return f"{solver.title} has no {LABELS[kind]} variant."
    devices = known_devices(status)
    if devices is None:
        return f"Looking for {LABELS[kind]}." if kind == "cuda" else ""
    device = devices.get(kind, {"available": False})
    return "" if device["available"] else device.get("reason") or f"This machine has no {LABELS[kind]}."


def device_options(solver: Solver, status: dict[str, Any] | None) -> tuple[list[dict[str, Any]], str]:
    """The choice of the form, what is missing disabled, and the reasons as one text."""
    reasons = {kind: missing(solver, kind, status) for kind in DEVICES}
    options = [{"value": kind, "label": LABELS[kind], "disabled": bool(reasons[kind])} for kind in DEVICES]
    return options, " ".join(reason for reason in reasons.values() if reason)


def device_choice(algorithm: Any, status: Any) -> tuple[list[dict[str, Any]], str]:
    """The devices for an algorithm; for one that does not exist, those of the first."""
    try:
        solver = find(algorithm)
    except InvalidParams:
        solver = SOLVERS[0]
    return device_options(solver, status)


def register_devices(app: dash.Dash) -> None:
    """Let the choice go with the algorithm, and with what is found on the machine."""

    @app.callback(
        Output(ids.DEVICE, "options"),
        Output(ids.DEVICE_NOTE, "children"),
        Input(ids.ALGORITHM, "value"),
        Input(ids.STATUS, "data"),
    )
    def devices(algorithm, status):
        return device_choice(algorithm, status)
