"""This machine's devices on the page: the chip in the header and the menu in the form."""

from dataclasses import asdict
from typing import TypeGuard, cast

from dash import Dash, Input, Output

from components.shell import ids
from components.shell.numbers import format_bytes
from components.shell.texts import common as text
from components.types import DeviceJson, Json, JsonObject, Option
from runs.language import per_language
from runs.translation import translate
from solvers import SOLVERS, find
from solvers.core.devices import Device
from solvers.core.errors import InvalidParams
from solvers.core.solver import Solver
from solvers.spec import DEVICES

LABELS = per_language(lambda: {kind: text(f"device.label.{kind}") for kind in DEVICES})
_BLANK = asdict(Device("", ""))


def known_devices(status: Json) -> dict[str, DeviceJson] | None:
    """Return the devices by kind, as fields of `solvers.core.devices.Device`; None until the spare worker reports.

    Parameters
    ----------
    status : dict
        Result of `RunService.status`, as sent back by a page; invalid devices are left out.
    """
    devices = all_devices(status)
    return None if devices is None else {device["kind"]: device for device in devices}


def all_devices(status: Json) -> list[DeviceJson] | None:
    """Return all devices as a list, possibly several of a kind."""
    devices = status.get("devices") if isinstance(status, dict) else None
    if not isinstance(devices, list):
        return None
    return [cast(DeviceJson, _BLANK | device) for device in devices if _is_device(device)]


def _is_device(device: Json) -> TypeGuard[JsonObject]:
    if not isinstance(device, dict) or not all(isinstance(device.get(name), str) for name in ("kind", "name")):
        return False
    return all(isinstance(device.get(name, blank), type(blank)) for name, blank in _BLANK.items())


def chip_text(status: Json) -> str:
    """Return the text of the header's chip about this machine."""
    devices = known_devices(status)
    if devices is None:
        return text("device.detecting")
    gpus = available_gpus(status)
    best = gpus[0] if gpus else devices.get("cpu")
    name = best["name"] if best and best["available"] else text("device.none")
    if len(gpus) > 1:
        name = text("device.several", count=len(gpus), name=name)
    nodes = status.get("nodes") if isinstance(status, dict) else None
    if not isinstance(nodes, list):
        return name
    alive = sum(isinstance(node, dict) and node.get("alive") is True for node in nodes)
    return text("device.nodes", count=alive, best=name)


def available_gpus(status: Json) -> list[DeviceJson]:
    """Return the usable GPUs."""
    return [device for device in all_devices(status) or () if device["kind"] == "cuda" and device["available"]]


def memory_text(status: Json) -> str:
    """List each GPU with its memory."""
    return "\n".join(
        text("device.memory", number=k, name=gpu["name"], memory=format_bytes(gpu["memory"]))
        for k, gpu in enumerate(available_gpus(status))
    )


def explain_missing(solver: Solver, kind: str, status: Json) -> str:
    """Return why an algorithm cannot run on a kind of device; empty if it can or if unknown."""
    if kind == "auto":
        return ""
    if kind not in {variant.device for variant in solver.variants}:
        return text("device.no-variant", algorithm=translate(solver.title), device=LABELS()[kind])
    devices = known_devices(status)
    if devices is None:
        return text("device.detecting-one", device=LABELS()[kind]) if kind == "cuda" else ""
    device = devices.get(kind)
    if device and device["available"]:
        return ""
    return translate(device["reason"] if device else "") or text("device.missing", device=LABELS()[kind])


def device_options(solver: Solver, status: Json) -> tuple[list[Option], str]:
    """Return the options of the form's menu, with missing devices disabled, and the reasons as one text."""
    reasons = {kind: explain_missing(solver, kind, status) for kind in DEVICES}
    options: list[Option] = [
        {"value": kind, "label": LABELS()[kind], "disabled": bool(reasons[kind])} for kind in DEVICES
    ]
    return options, " ".join(reason for reason in reasons.values() if reason)


def device_choice(algorithm: Json, status: Json) -> tuple[list[Option], str]:
    """Return an algorithm's devices; an unknown algorithm gets the devices of the first one."""
    try:
        solver = find(algorithm)
    except InvalidParams:
        solver = SOLVERS[0]
    return device_options(solver, status)


def register_devices(app: Dash) -> None:
    """Update the menu when the algorithm changes or devices are detected."""

    @app.callback(
        Output(ids.DEVICE, "options"),
        Output(ids.DEVICE_NOTE, "children"),
        Input(ids.ALGORITHM, "value"),
        Input(ids.STATUS, "data"),
    )
    def devices(algorithm: Json, status: Json) -> tuple[list[Option], str]:
        return device_choice(algorithm, status)
