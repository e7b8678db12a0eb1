"""Animations as MP4 or WebM, encoded by imageio-ffmpeg's ffmpeg (the extra ``video``)."""

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

from data.command_line import format_install_command
from exports.drawing.gif import Animation

#: Pictures per second, and the pauses in seconds at the first and last picture, as in `assets/video/timeline.js`.
FPS, _FIRST, _LAST = 30, 0.5, 2.0
#: Codec and options by file extension, chosen so that thin lines and small text stay crisp.
CODECS: dict[str, tuple[str, list[str]]] = {
    ".mp4": ("libx264", ["-crf", "18", "-preset", "veryfast", "-movflags", "+faststart"]),
    ".webm": ("libvpx-vp9", ["-crf", "28", "-b:v", "0", "-deadline", "realtime", "-cpu-used", "6", "-row-mt", "1"]),
}


def find_missing() -> str:
    """Return why videos cannot be encoded here, in one sentence; empty if they can."""
    if find_spec("imageio_ffmpeg") is not None:
        return ""
    return f"Videos need the package imageio-ffmpeg: {format_install_command('imageio-ffmpeg')}."


def max_pictures(seconds: float) -> int:
    """Return the maximum number of distinct pictures in a video of this duration."""
    return max(2, round(seconds * FPS) + 1)


def encode_video(
    animation: Animation, suffix: str, seconds: float, on_progress: Callable[[float], None] = lambda share: None
) -> bytes:
    """Encode an animation as a video that pauses at the first and the last picture.

    Parameters
    ----------
    animation : Animation
    suffix : str
        One of `CODECS`.
    seconds : float
        Duration from the first picture to the last; see `max_pictures`.
    on_progress : callable
        Called with the progress, 0 to 1.

    Returns
    -------
    bytes

    Raises
    ------
    OSError
        If the video cannot be encoded.
    """
    import imageio_ffmpeg

    codec, options = CODECS[suffix]
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"video{suffix}"
        encoder = None
        for done, (picture, times) in enumerate(_time_pictures(animation, seconds)):
            on_progress(done / animation.count)
            frame = _pad_to_even(picture)
            if encoder is None:
                encoder = imageio_ffmpeg.write_frames(
                    str(path), frame.size, fps=FPS, codec=codec, quality=None, macro_block_size=1,
                    output_params=options,
                )  # fmt: skip
                encoder.send(None)
            for _ in range(times):
                encoder.send(frame.tobytes())
        if encoder is not None:
            encoder.close()
        return path.read_bytes()


def _time_pictures(animation: Animation, seconds: float) -> Iterator[tuple[Image.Image, int]]:
    """Yield each picture, and how many video frames show it."""
    before, moving, after = (round(part * FPS) for part in (_FIRST, seconds, _LAST))
    last, moving = animation.count - 1, max(1, moving)
    times = [0] * animation.count
    for frame in range(before + moving + after):
        times[round(min(1.0, max(0.0, (frame - before + 1) / moving)) * last)] += 1
    yield from zip(animation.pictures, times, strict=True)


def _pad_to_even(picture: Image.Image) -> Image.Image:
    """Pad a picture to even width and height, as encoders require, by repeating the last row or column."""
    width, height = picture.size
    if width % 2 == 0 and height % 2 == 0:
        return picture
    padded = picture.resize((width + width % 2, height + height % 2), box=(0, 0, width, height))
    padded.paste(picture, (0, 0))
    return padded
