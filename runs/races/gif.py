"""A whole race as an animated GIF: all lanes at the same seconds of their own clocks."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image

from data.instance import Instance
from runs.store.reader import RunReader
from solvers.drawing.canvas import PAPER, Canvas, dot_radius
from solvers.drawing.image_files import gif
from solvers.result import gap_percent
from solvers.worker.frames import decode

_SIDE, _TEXT_HEIGHT = 420, 26
_FRAMES, _FRAME_MS, _LAST_MS = 90, 90, 2500


@dataclass(frozen=True, slots=True, eq=False)
class Course:
    """The best tours of a lane: when they were found, their lengths and orders.

    Attributes
    ----------
    name, colour : str
    seconds : float
        End of the lane's run.
    at : ndarray, shape (k,), float64
        Seconds on the lane's clock, ascending.
    length : ndarray, shape (k,), int64
    order : list of ndarray, shape (n,), int32
    """

    name: str
    colour: str
    seconds: float
    at: np.ndarray
    length: np.ndarray
    order: list[np.ndarray]


def course(reader: RunReader, name: str, colour: str) -> Course:
    """Read the best tours of a lane's run."""
    orders: dict[int, np.ndarray] = {}
    when: dict[int, float] = {}
    end = 0.0
    for raw in reader.all_of(("tour", "progress", "finished")):
        frame = decode(raw)
        if frame.kind == "progress":
            for at, best in zip(frame.arrays["elapsed"].tolist(), frame.arrays["best"].tolist(), strict=True):
                when.setdefault(best, at)
                end = max(end, at)
        else:
            orders.setdefault(frame.values["length"], frame.arrays["order"])
    lengths = sorted(orders, reverse=True)
    at = np.maximum.accumulate([0.0, *(when.get(length, end) for length in lengths)])[1:]
    return Course(name, colour, end, at, np.array(lengths, np.int64), [orders[length] for length in lengths])


def race_gif(instance: Instance, courses: Sequence[Course]) -> bytes:
    """The race as a GIF of at most 90 frames, which pauses on the last."""
    moments = _moments(courses, max(course.seconds for course in courses))
    frames = [_frame(instance, courses, at) for at in moments]
    return gif([frame.quantize(64, dither=Image.Dither.NONE) for frame in frames], _FRAME_MS, _LAST_MS)


def _moments(courses: Sequence[Course], seconds: float) -> list[float]:
    """Seconds of the frames: half evenly spaced in time, half over the improvements, most of which are early."""
    events = np.sort(np.concatenate([np.array([0.0, seconds]), *(course.at for course in courses)]))
    even = np.linspace(0.0, seconds, _FRAMES // 2)
    busy = np.quantile(events, np.linspace(0.0, 1.0, _FRAMES - even.size), method="nearest")
    return np.unique(np.concatenate([even, busy])).tolist()


def _frame(instance: Instance, courses: Sequence[Course], at: float) -> Image.Image:
    panels = [_panel(instance, course, at) for course in courses]
    width, height = panels[0].size
    rows = -(-len(panels) // 2)
    sheet = Image.new("RGB", (2 * width, rows * height), PAPER)
    for k, panel in enumerate(panels):
        sheet.paste(panel, (k % 2 * width, k // 2 * height))
    return sheet


def _panel(instance: Instance, course: Course, at: float) -> Image.Image:
    canvas = Canvas.of(instance, _SIDE, _TEXT_HEIGHT)
    image, draw = canvas.blank_image()
    row = int(np.searchsorted(course.at, at, "right")) - 1
    length_text = "no tour yet"
    if row >= 0:
        canvas.tour(draw, course.order[row], 1.5 if instance.n <= 1000 else 0.75, course.colour)
        length_text = f"{course.length[row]:,}".replace(",", " ")
        gap = gap_percent(int(course.length[row]), instance.optimum)
        length_text += "" if gap is None else f"  {gap:+.2f} %"
    canvas.cities(draw, dot_radius(instance.n, _SIDE))
    canvas.write(draw, f"{course.name}    {length_text}    {at:.3f} s")
    return canvas.finish(image)
