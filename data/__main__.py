"""``python -m data list | show NAME | check FILE``: the shelf and the reader from the command line."""

import argparse
import sys
from pathlib import Path

from data.errors import InvalidInstance
from data.library import load, shelf
from data.limits import MAX_BYTES
from data.tsplib import read_checked


def main(arguments: list[str] | None = None) -> int:
    """Run one command.

    Returns
    -------
    int
        0, or 2 with one sentence on standard error.
    """
    parser = argparse.ArgumentParser(prog="python -m data", description="Look at instances.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="the instances that are there")
    commands.add_parser("show", help="one instance").add_argument("name")
    commands.add_parser("check", help="read a file as an upload is read").add_argument("file", type=Path)
    options = parser.parse_args(arguments)
    try:
        if options.command == "list":
            _list()
        elif options.command == "show":
            _show(options.name)
        else:
            _check(options.file)
    except InvalidInstance as error:
        print(f"{error.code}: {error}", file=sys.stderr)
        return 2
    return 0


def _list() -> None:
    for card in shelf():
        optimum = "-" if card.optimum is None else str(card.optimum)
        tour = "tour" if card.has_optimal_tour else ""
        print(f"{card.name:<16} {card.n:>7} {card.kind:<9} {optimum:>10} {card.source:<8} {tour}".rstrip())


def _show(name: str) -> None:
    instance = load(name)
    optimum = "unknown" if instance.optimum is None else f"{instance.optimum}{' (proven)' if instance.proven else ''}"
    rows = {
        "name": instance.name,
        "comment": instance.comment,
        "cities": instance.n,
        "distances": instance.kind,
        "optimum": optimum,
        "sha256": instance.sha256,
        "source": instance.source,
        "drawing": instance.display_note or "by its coordinates",
    }
    for key, value in rows.items():
        print(f"{key:<10} {value}")
    for warning in instance.warnings:
        print(f"{'warning':<10} {warning}")


def _check(file: Path) -> None:
    try:
        with file.open("rb") as stream:
            raw = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise InvalidInstance("UNREADABLE", f"The file cannot be read: {error.strerror}.") from None
    instance = read_checked(raw)
    notes = f" {' '.join(instance.warnings)}" if instance.warnings else ""
    print(f"{instance.name} is a good {instance.kind} instance of {instance.n:,} cities.{notes}")


if __name__ == "__main__":
    sys.exit(main())
