"""A race as an animated GIF: every frame shows all lanes at the same second of their clocks."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import numpy as np
from PIL import Image, ImageDraw

from data.instance import Instance
from data.number_text import integer
from exports.drawing.canvas import GIF_WIDTH, Canvas, Look, choose_dot_radius, load_typeface
from exports.drawing.captions import describe_gap, join_parts
from exports.drawing.gif import Animation, make_palette
from runs.computing.answer import Answer, animation_answer, download_headers
from runs.races.ending import LaneEnd, NoTour, RaceEnd
from runs.store.open_run import open_run
from runs.store.reader import RunReader
from runs.store.run_file import FINAL
from solvers.worker.frames import decode, decode_instance

#: Height of the strip for text below a lane, relative to the lane's width; and a lane's width in an animation of the
#: default size.
_CAPTION_HEIGHT, _DEFAULT_WIDTH = 0.11, GIF_WIDTH / 2
_FRAMES, _FRAME_MS, _LAST_MS = 90, 90, 2500
#: The sentence at the end: letter size relative to a lane's width, line height relative to the letter size, margin
#: relative to the picture's width.
_LETTER_SIZE, _LINE_HEIGHT, _MARGIN = 0.034, 1.4, 0.02


@dataclass(frozen=True, slots=True, eq=False)
class LaneHistory:
    """A lane's best tours with their times, lengths and orders.

    Attributes
    ----------
    name, colour : str
    seconds : float
        Duration of the lane's run.
    at : ndarray, shape (k,), float64
        Seconds on the lane's clock, ascending.
    length : ndarray, shape (k,), int64
    order : list of ndarray, shape (n,), int32
    state : str
        State of the lane's run.
    """

    name: str
    colour: str
    seconds: float
    at: np.ndarray
    length: np.ndarray
    order: list[np.ndarray]
    state: str = "finished"

    @property
    def end(self) -> LaneEnd:
        """The lane's result."""
        return LaneEnd(int(self.length[-1]), float(self.at[-1])) if self.at.size else LaneEnd(None, 0.0)


def read_history(reader: RunReader, name: str, colour: str) -> LaneHistory:
    """Return the best tours of a lane's run."""
    orders: dict[int, np.ndarray] = {}
    first_seen: dict[int, float] = {}
    end = 0.0
    for raw in reader.all_frames(("tour", "progress", "finished")):
        frame = decode(raw)
        if frame.kind == "progress":
            for at, best in zip(frame.arrays["elapsed"].tolist(), frame.arrays["best"].tolist(), strict=True):
                first_seen.setdefault(best, at)
                end = max(end, at)
            continue
        orders.setdefault(frame.values["length"], frame.arrays["order"])
        if frame.kind == "finished":  # the clock stops here, after the last report of progress
            end = max(end, frame.values["seconds"])
    lengths = sorted(orders, reverse=True)
    at = np.maximum.accumulate([0.0, *(first_seen.get(length, end) for length in lengths)])[1:]
    best_orders = [orders[length] for length in lengths]
    return LaneHistory(name, colour, end, at, np.array(lengths, np.int64), best_orders, reader.meta().state)


def animate(
    paths: Sequence[str], styles: Sequence[tuple[str, str]], lanes: Sequence[dict[str, Any]], ending: str,
    one_seed: bool, look: dict[str, str], headers: dict[str, str],
) -> Answer:  # fmt: skip
    """Animate a race or a comparison; see `runs.races.routes`.

    Raises
    ------
    NoSuchRun, NoTour
    """
    histories = []
    for path, (name, colour) in zip(paths, styles, strict=True):
        with open_run(Path(path)) as reader:
            histories.append(read_history(reader, name, colour))
            instance = decode_instance(decode(reader.instance()))
    sentence = partial(resolve_name(ending), lanes)
    animation = animate_race_with_result(
        instance, histories, Look.parse(look["width"], look["theme"]), sentence, one_seed
    )
    return animation_answer(
        animation, headers or download_headers(instance.name, "race", suffix=".gif"), look["progress"]
    )


def animate_race_with_result(
    instance: Instance,
    histories: Sequence[LaneHistory],
    look: Look,
    ending: Callable[[RaceEnd], str],
    one_seed: bool,
    max_frames: int | None = None,
) -> Animation:
    """Animate a race, with a sentence about its result if all lanes have ended.

    Parameters
    ----------
    instance : Instance
    histories : sequence of LaneHistory
    look : Look
    ending : callable
        Builds the sentence about a result.
    one_seed : bool
        Whether all lanes have the same seed.
    max_frames : int or None

    Raises
    ------
    NoTour
    """
    if not any(history.order for history in histories):
        raise NoTour
    states = [history.state for history in histories]
    is_complete, is_over = all(state == "finished" for state in states), all(state in FINAL for state in states)
    lines = (
        ending(RaceEnd(tuple(history.end for history in histories), instance, is_complete, one_seed)) if is_over else ""
    )
    return animate_race(instance, histories, look, lines, max_frames or _FRAMES)


def animate_race(
    instance: Instance, histories: Sequence[LaneHistory], look: Look, ending: str = "", max_frames: int = _FRAMES
) -> Animation:
    """Animate a race; a GIF pauses on the last picture, at the end of the longest lane.

    Parameters
    ----------
    instance : Instance
    histories : sequence of LaneHistory
    look : Look
    ending : str
        Sentence about the result, shown in the last frame; the other frames leave room for it.
    max_frames : int
        Maximum number of frames.
    """
    moments = _choose_times(histories, max(history.seconds for history in histories), max_frames)
    panels = Look(look.width // 2, look.theme)
    canvas = Canvas.wide(instance, panels, round(_CAPTION_HEIGHT * panels.width))
    inks = (*(history.colour for history in histories), look.theme.city, look.theme.mute)
    colours = make_palette(look.theme.paper, inks)
    lines = _wrap_sentence(ending, canvas)
    frames = (_draw_frame(instance, canvas, histories, at, at == moments[-1], lines) for at in moments)
    return Animation(len(moments), frames, colours, _FRAME_MS, _LAST_MS)


def _choose_times(histories: Sequence[LaneHistory], seconds: float, max_frames: int) -> list[float]:
    """Return the frames' times in seconds: half evenly spaced, half at improvements."""
    events = np.sort(np.concatenate([np.array([0.0, seconds]), *(history.at for history in histories)]))
    even = np.linspace(0.0, seconds, max_frames // 2)
    busy = np.quantile(events, np.linspace(0.0, 1.0, max_frames - even.size), method="nearest")
    moments = np.unique(np.concatenate([even, busy]))
    return [*moments[moments < seconds].tolist(), seconds]


def _wrap_sentence(ending: str, canvas: Canvas) -> list[str]:
    """Wrap the sentence to the strip below the lanes."""
    font, room = load_typeface(_compute_letter_size(canvas)), 2 * canvas.size[0] * (1 - 2 * _MARGIN)
    lines: list[str] = []
    for word in ending.split(" ") if ending else ():
        if lines and font.getlength(f"{lines[-1]} {word}") <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _compute_letter_size(canvas: Canvas) -> int:
    """Return the sentence's letter size in pixels."""
    return max(9, round(_LETTER_SIZE * canvas.size[0]))


def _draw_text(sheet: Image.Image, canvas: Canvas, lines: Sequence[str], top: int) -> None:
    draw, size = ImageDraw.Draw(sheet), _compute_letter_size(canvas)
    for row, words in enumerate(lines):
        place = (2 * canvas.size[0] * _MARGIN, top + size * (_LINE_HEIGHT * row + 0.3))
        draw.text(place, words, fill=canvas.theme.text, font=load_typeface(size))


def _draw_frame(
    instance: Instance, canvas: Canvas, histories: Sequence[LaneHistory], at: float, is_last: bool, lines: Sequence[str]
) -> Image.Image:
    panels = [_draw_panel(instance, canvas, history, at, is_last) for history in histories]
    width, height = panels[0].size
    rows = -(-len(panels) // 2)
    strip = round(_compute_letter_size(canvas) * (_LINE_HEIGHT * len(lines) + 0.6)) if lines else 0
    sheet = Image.new("RGB", (2 * width, rows * height + strip), canvas.theme.paper)
    for k, panel in enumerate(panels):
        sheet.paste(panel, (k % 2 * width, k // 2 * height))
    if is_last:
        _draw_text(sheet, canvas, lines, rows * height)
    return sheet


def _draw_panel(instance: Instance, canvas: Canvas, history: LaneHistory, at: float, is_last: bool) -> Image.Image:
    image, draw = canvas.blank_image()
    row = history.at.size - 1 if is_last else int(np.searchsorted(history.at, at, "right")) - 1
    lines = ["no tour yet"]
    if row >= 0:
        width = (2.2 if instance.n <= 1000 else 0.8) * canvas.size[0] / _DEFAULT_WIDTH
        canvas.tour(draw, history.order[row], width, history.colour)
        length = int(history.length[row])
        lines = [integer(length), describe_gap(length, instance)]
    canvas.cities(draw, choose_dot_radius(instance.n, canvas.size[0]))
    # A lane that has ended stays at its end, as on the page.
    clock = f"ended at {history.seconds:.3f} s" if at >= history.seconds else f"{at:.3f} s"
    canvas.write(draw, (join_parts(instance.name, history.name), join_parts(*lines, clock)))
    return canvas.finish(image)
