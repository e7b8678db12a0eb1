"""``python -m components.embed RUN FILE``: a saved run or race as a video, a GIF, or a standalone HTML file."""

import argparse
import sys
import tempfile
from pathlib import Path

from commands.video import GIF, add_options, parse_video, write_video
from components.embed.document import build_document
from components.shell.texts import embed as text
from data.command_line import name_command
from exports.drawing.video_file import CODECS, find_missing
from runs.imports.untrusted_files import InvalidUpload, adopt
from runs.races.file import SUFFIX as RACE
from solvers.core.errors import InvalidParams, RunFailed

_HTML = (".html", ".htm")
_ANIMATED = (*CODECS, GIF)
_VIEWS = ("climb", "pheromone", "trails")


def main() -> int:
    """Write the file; exit with status 2 and a sentence if the run or the file is unusable."""
    parser = argparse.ArgumentParser(prog=name_command("components.embed"), description=text("command.about"))
    parser.add_argument("run", metavar="RUN", type=Path, help=text("command.run"))
    parser.add_argument("file", metavar="FILE", type=Path, help=text("command.file"))
    parser.add_argument("--view", choices=_VIEWS, default=_VIEWS[0], help=text("command.view"))
    parser.add_argument("--climb", metavar="N", type=int, help=text("command.climb"))
    add_options(parser, "")
    options = parser.parse_args()
    try:
        if options.file.suffix.lower() not in _HTML:
            _animate(options)
        else:
            options.file.write_text(build_html(options.run), encoding="utf-8")
    except (InvalidUpload, InvalidParams, RunFailed, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _animate(options: argparse.Namespace) -> None:
    video = parse_video(options, str(options.file), "", (*_ANIMATED, *_HTML))
    if options.file.suffix.lower() in CODECS and (reason := find_missing()):
        raise InvalidUpload(reason)
    from components.embed.films import animate_race, animate_run  # Pillow is slow to import

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if options.run.suffix.lower() == RACE:
            draw = animate_race(options.run, folder, video.look.theme.name == "dark")
        else:
            draw = animate_run(check_copy(options.run, folder), options.view, options.climb)
        write_video(video, draw, options.file)


def build_html(path: Path) -> str:
    """Return the HTML file of a run file, which is checked like an import.

    Raises
    ------
    InvalidUpload
        If the file is not a run file, or is damaged.
    OSError
    """
    with tempfile.TemporaryDirectory() as name:
        return build_document(check_copy(path, Path(name)))


def check_copy(path: Path, folder: Path) -> Path:
    """Import a run file into a folder and return the checked copy's path.

    Raises
    ------
    InvalidUpload
    OSError
    """
    upload, copy = folder / "upload", folder / "run.tourscope"
    upload.write_bytes(path.read_bytes())
    adopt(upload, "embedded-run", copy)
    return copy


if __name__ == "__main__":
    sys.exit(main())
