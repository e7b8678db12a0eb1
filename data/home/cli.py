"""The commands ``backup`` and ``restore`` of ``python -m data``."""

import argparse
from pathlib import Path
from typing import Any

from data.home.backup import BackupContents, back_up
from data.home.errors import HomeRefused
from data.home.place import default_home
from data.home.restore import restore


def add_home_commands(commands: Any) -> None:
    """Add both commands to the subparsers of a command line."""
    for name, run, explained in (
        ("backup", _back_up, "pack the data folder into one file, also while a server uses it"),
        ("restore", _restore, "make a data folder from a backup; nothing is overwritten"),
    ):
        parser = commands.add_parser(name, help=explained)
        parser.add_argument("file", metavar="FILE", type=Path)
        parser.add_argument("--home", type=Path, default=default_home(), help="data folder (default: %(default)s)")
        parser.set_defaults(run=run)


def _back_up(options: argparse.Namespace) -> None:
    packed = _run_or_exit(lambda: back_up(options.home, options.file))
    print(f"{options.file} has {_format_amount(packed)} of {options.home}.")
    if packed.left_out:
        names = _abbreviate(packed.left_out)
        print(f"Left out, since they are links or have names that not every system can have: {names}.")


def _restore(options: argparse.Namespace) -> None:
    packed = _run_or_exit(lambda: restore(options.file, options.home))
    print(f"{options.home} has {_format_amount(packed)} of {options.file}.")


def _run_or_exit(work: Any) -> BackupContents:
    """Return the result of `work`, or exit with a sentence after an error of the operating system."""
    try:
        return work()
    except OSError as error:
        raise HomeRefused(f"It failed: {error.strerror or error}.") from error


def _format_amount(packed: BackupContents) -> str:
    count = len(packed.files)
    return f"{count:,} {'file' if count == 1 else 'files'} ({packed.bytes / 1e6:,.1f} MB)"


def _abbreviate(names: list[str]) -> str:
    listing = ", ".join(ascii(name)[1:-1] for name in names[:5])
    return listing if len(names) <= 5 else f"{listing} and {len(names) - 5} more"
