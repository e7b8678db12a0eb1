"""``python -m components.embed RUN.tourscope FILE.html``: a saved run as one HTML file."""

import argparse
import sys
import tempfile
from pathlib import Path

from components.embed.document import document
from components.shell.texts import embed as text
from data.command_line import command
from runs.imports.launch import Refused, adopt


def main() -> int:
    """Write the file; exit status 2 and a sentence if the run cannot be read or the file not be written."""
    parser = argparse.ArgumentParser(prog=command("components.embed"), description=text("command.about"))
    parser.add_argument("run", metavar="RUN", type=Path, help=text("command.run"))
    parser.add_argument("html", metavar="FILE", type=Path, help=text("command.html"))
    given = parser.parse_args()
    try:
        given.html.write_text(html_of(given.run), encoding="utf-8")
    except (Refused, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def html_of(path: Path) -> str:
    """The HTML file of a run file, which is checked as any that is imported.

    Raises
    ------
    Refused
        If it is not a run file, or a damaged one.
    OSError
    """
    with tempfile.TemporaryDirectory() as name:
        return document(checked(path, Path(name)))


def checked(path: Path, folder: Path) -> Path:
    """A copy of a run file in a folder, made as if it were imported.

    Raises
    ------
    Refused
    OSError
    """
    upload, copy = folder / "upload", folder / "run.tourscope"
    upload.write_bytes(path.read_bytes())
    adopt(upload, "embedded-run", copy)
    return copy


if __name__ == "__main__":
    sys.exit(main())
