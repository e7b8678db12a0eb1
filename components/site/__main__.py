"""``python -m components.site DIR``: static pages with lessons, Beat 2-opt and saved runs."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from components.shell.texts import site as text
from components.site.build import FolderTaken, build, check, write
from components.site.lessons import LESSONS
from data.command_line import name_command
from runs.imports.untrusted_files import InvalidUpload
from runs.language import DEFAULT, LANGUAGES


def main(arguments: Sequence[str] | None = None) -> int:
    """Make a site; exit with status 2 and a sentence if the folder or a run is unusable."""
    parser = argparse.ArgumentParser(prog=name_command("components.site"), description=text("command.about"))
    parser.add_argument("folder", metavar="DIR", type=Path, help=text("command.folder"))
    parser.add_argument("--run", metavar="ID", action="append", default=[], help=text("command.run"))
    parser.add_argument("--language", choices=LANGUAGES, default=DEFAULT, help=text("command.language"))
    options = parser.parse_args(arguments)
    try:
        check(options.folder.resolve())
        files = build(options.run, options.language)
        write(options.folder, files)
    except (FolderTaken, InvalidUpload, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    size = f"{sum(len(content.encode()) for content in files.values()) / 1e6:.1f}"
    count = len(options.run)
    print(text("command.done", folder=str(options.folder), lessons=len(LESSONS), count=count, size=size))
    return 0


if __name__ == "__main__":
    sys.exit(main())
