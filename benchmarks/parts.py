"""A benchmark with several parts, each a key in a file of results, with tables in Markdown."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.machine import describe_machine
from benchmarks.saving import save
from solvers.core.devices import cuda_devices
from solvers.core.errors import DeviceUnavailable


def add_part_options(parser: ArgumentParser, parts: Sequence[str]) -> None:
    """Add options for the device and the parts."""
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--part", choices=parts, action="append", help="what is measured (default all there is)")


def format_entry(entry: dict[str, Any]) -> str:
    """Format an entry as a line."""
    return "  ".join(f"{key} {value}" for key, value in entry.items())


def measure_parts(
    names: Sequence[str], device: str, output: Path | None, measure: Callable[[str], Any],
    tables: Callable[[dict[str, Any]], str], show: Callable[[Any], str] = format_entry,
) -> int:  # fmt: skip
    """Measure the parts, print their tables, and write the raw samples to `output` after each.

    The entries of an iterator are printed as they come; other results are printed by the functions that measure them.
    The other parts of an existing file are kept if they were measured on the same machine.

    Returns
    -------
    int
        The exit status, 0.
    """
    results = _begin_results(output, describe_hardware(device))
    for name in names:
        results[name] = measured = measure(name)
        if isinstance(measured, Iterator):
            results[name] = []
            for entry in measured:
                results[name].append(entry)
                print(show(entry), flush=True)
        print("\n" + tables({name: results[name]}), flush=True)
        save(results, output, depth=3)
    return 0


def describe_hardware(device: str) -> dict[str, Any]:
    """Describe the machine and, if it is measured, its first CUDA device."""
    machine = describe_machine()
    if device == "cuda":
        from benchmarks.device import describe_device

        try:
            cuda_devices()
        except DeviceUnavailable as refusal:
            raise SystemExit(f"{refusal} Or take --device cpu.") from None
        machine["device"] = describe_device()
        print(", ".join(str(machine["device"][key]) for key in ("name", "driver")))
    return machine


def _begin_results(output: Path | None, machine: dict[str, Any]) -> dict[str, Any]:
    """Return the head of the results: an existing file's content, with this command added."""
    command = " ".join(["python -m benchmarks", *sys.argv[1:]])
    if output is None or not output.exists():
        return {"machine": machine, "commands": [command]}
    before = json.loads(output.read_text())
    if any(before["machine"].get(key) != machine.get(key) for key in ("cpu", "threads", "device")):
        raise SystemExit(f"{output.name} has results of another machine; use another file.")
    return before | {"machine": machine, "commands": [*before.get("commands", ()), command]}
