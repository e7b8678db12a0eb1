"""The command line: ``python -m solvers list`` and ``python -m solvers run INSTANCE ALGORITHM``."""

import json
import os
import signal
import sys
from collections.abc import Sequence

from data.errors import InvalidInstance
from data.tsplib import write_tour
from solvers.arguments import Command, UsageError, read
from solvers.bar import Bar
from solvers.devices import probe
from solvers.errors import DeviceUnavailable, InstanceTooLarge, InvalidParams, RunFailed
from solvers.events import Finished
from solvers.picture import Album
from solvers.report import listing, result, sentences
from solvers.run import prepare, run

_WRONG = (UsageError, InvalidParams, InvalidInstance, DeviceUnavailable, InstanceTooLarge)


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what a command line says.

    Returns
    -------
    int
        0; 1 after a fault of the program or the machine; 2 after a wrong argument, told in one sentence on the
        standard error; 130 after Ctrl-C, with the best tour so far reported all the same.
    """
    try:
        command = read(arguments)
        return _list(command) if command.name == "list" else _run(command)
    except _WRONG as error:
        print(error, file=sys.stderr)
        return 2
    except BrokenPipeError:
        # Whoever read our output has seen enough; what is left must not be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (RunFailed, OSError) as error:
        print(error, file=sys.stderr)
        return 1


def _list(command: Command) -> int:
    entries = listing(command.solvers, probe())
    if command.json:
        print(json.dumps(entries, indent=2))
        return 0
    for entry in entries:
        print(f"{entry['name']:<20}{entry['title']} ({', '.join(entry['devices'])}) {entry['reason']}".rstrip())
        for declared in entry["params"]:
            option = f"--{declared['name'].replace('_', '-')}"
            print(f"    {option:<16}{declared['help']} (default {declared['default']})")
    return 0


def _run(command: Command) -> int:
    assert command.spec is not None
    assert command.instance is not None
    assert command.outputs is not None
    prepared, instance = prepare(command.spec, command.solvers), command.instance
    solver, params = prepared.stages[0]
    counter = command.spec.budget.start()
    before = signal.signal(signal.SIGINT, lambda *_: counter.cancel())
    album, end = Album(instance, keep_climbs="gif" in command.outputs), None
    try:
        with Bar(instance, solver, params, counter) as bar:
            for event in run(prepared, instance, counter):
                bar.take(event)
                album.take(event)
                end = event
    finally:
        signal.signal(signal.SIGINT, before)
    assert isinstance(end, Finished)
    for kind, path in command.outputs.items():
        if kind == "tour":
            path.write_text(write_tour(instance, end.order, end.length), encoding="ascii")
        else:
            path.write_bytes(album.picture(kind, end.order))
    found = result(command.spec, instance, params, end)
    print(json.dumps(found, indent=2) if command.json else sentences(found, solver, instance))
    return 130 if end.stop_reason == "cancelled" else 0
