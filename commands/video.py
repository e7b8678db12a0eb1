"""The command line's videos: ``--video FILE``, with size, theme and duration."""

import argparse
import math
import sys
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

from exports.drawing.canvas import DARK, LIGHT, Look
from exports.drawing.gif import Animation, max_gif_pictures
from exports.drawing.video_file import CODECS, encode_video, max_pictures
from solvers.core.errors import InvalidParams

#: Width in pixels: default, minimum and maximum; and the maximum duration in seconds.
_WIDTH, _MIN_WIDTH, _MAX_WIDTH, _MAX_SECONDS = 1280, 320, 1920, 600
_SECONDS = 10
GIF = ".gif"


@dataclass(frozen=True, slots=True)
class Video:
    """A video's settings.

    Attributes
    ----------
    look : Look
    seconds : float
        Duration from the first picture to the last.
    """

    look: Look
    seconds: float


def add_options(parser: argparse.ArgumentParser, prefix: str = "video-") -> None:
    """Add all video options except the file; their names start with `prefix`."""
    parser.add_argument(f"--{prefix}width", metavar="W", help=f"width of the video in pixels (default {_WIDTH})")
    parser.add_argument(
        f"--{prefix}theme", choices=("light", "dark"), default="light", help="colours of the video (default light)"
    )
    parser.add_argument(f"--{prefix}seconds", metavar="T", help=f"length of the video in seconds (default {_SECONDS})")


def parse_video(
    options: argparse.Namespace, path: str | None, prefix: str = "video-", suffixes: Collection[str] = tuple(CODECS)
) -> Video:
    """Return the settings of a video from the options.

    Parameters
    ----------
    options : argparse.Namespace
    path : str or None
        Path of the file, if one is requested.
    prefix : str
        As for `add_options`.
    suffixes : collection of str
        The allowed suffixes of the file's name.

    Raises
    ------
    InvalidParams
        If a value or the file's suffix is invalid.
    """
    if path is not None and Path(path).suffix.lower() not in suffixes:
        *others, last = suffixes
        raise InvalidParams("video" if prefix else "file", path, f"a file that ends in {', '.join(others)} or {last}")
    values = {name: getattr(options, f"{prefix}{name}".replace("-", "_")) for name in ("width", "theme", "seconds")}
    width = _parse_number(f"{prefix}width", values["width"], _WIDTH, _MIN_WIDTH, _MAX_WIDTH)
    seconds = _parse_number(f"{prefix}seconds", values["seconds"], _SECONDS, 0.1, _MAX_SECONDS)
    return Video(Look(round(width), DARK if values["theme"] == "dark" else LIGHT), seconds)


def write_video(video: Video, draw: Callable[[Look, int], Animation], path: Path) -> None:
    """Write a video or a GIF, with progress on a terminal.

    Parameters
    ----------
    video : Video
    draw : callable
        Creates the animation from a look and the maximum number of pictures.
    path : Path
        Path of the file; ``.gif`` makes a GIF, any other suffix is one of `CODECS`.

    Raises
    ------
    OSError
        If the file cannot be encoded or written.
    """
    percent = -1

    def on_progress(share: float) -> None:
        nonlocal percent
        if sys.stderr.isatty() and percent != (percent := int(100 * share)):
            print(f"\rVideo: {percent} %", end="", file=sys.stderr, flush=True)

    suffix = path.suffix.lower()
    if suffix == GIF:
        path.write_bytes(
            draw(video.look, max_gif_pictures(video.seconds)).with_duration(video.seconds).file(on_progress)
        )
    else:
        path.write_bytes(
            encode_video(draw(video.look, max_pictures(video.seconds)), suffix, video.seconds, on_progress)
        )
    if percent >= 0:
        print("\r           \r", end="", file=sys.stderr, flush=True)


def _parse_number(name: str, text: str | None, default: float, low: float, high: float) -> float:
    try:
        value = default if text is None else float(text)
    except ValueError:
        value = math.nan
    if not low <= value <= high:
        raise InvalidParams(name, text, f"a number from {low} to {high}")
    return value
