"""A run's pheromone over its iterations as an animated GIF: a heatmap, or the strongest trails on the map."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from data.instance import Instance
from data.number_text import integer, measure
from exports.drawing.canvas import GIF_WIDTH, Canvas, Look, choose_dot_radius, load_typeface
from exports.drawing.captions import describe_gap, join_parts
from exports.drawing.city_map import CityMap
from exports.drawing.gif import Animation, choose_evenly, make_palette
from runs.store.reader import RunReader
from runs.store.summary import find_best_tour
from solvers.worker.frames import Frame, decode, read_kind, split

_FRAMES, _FRAME_MS, _LAST_MS = 90, 110, 2500
#: Height of the strip for text below the image, relative to the image's width.
_CAPTION_HEIGHT = 0.066
#: A sequence number after the last event of every run.
_END = (1 << 62) - 1
#: As in `assets/watch/colony/trails.js`: the weakest trail drawn, relative to the strongest; and the ratio of strongest
#: to weakest at which lines reach their full width.
_MIN_SHARE, _FULL_WIDTH_RATIO = 0.02, 8.0
#: Colours of the heatmap.
_COLOUR_COUNT = 128


@dataclass(frozen=True, slots=True, eq=False)
class _BestLengths:
    """The best length so far at each iteration: ascending iterations, and the best length since each of them."""

    iterations: np.ndarray
    best: np.ndarray

    def at(self, iteration: int) -> int | None:
        row = int(np.searchsorted(self.iterations, iteration, "right")) - 1
        return int(self.best[row]) if row >= 0 else None


def animate_fields(
    path: Path, instance: Instance, view: str, caption: str, look: Look, toggle: bool, max_frames: int = _FRAMES
) -> Animation | None:
    """Animate the pheromone of up to `max_frames` recorded iterations; None without pictures.

    Leading iterations in which all trails are equal are skipped, since there is nothing to see.

    Parameters
    ----------
    path : Path
        Path of the run file.
    instance : Instance
    view : str
        ``pheromone`` or ``trails``.
    caption : str
        Title; a second line gives iteration, length and gap.
    look : Look
    toggle : bool
        Whether the heatmap's colours are logarithmic, or whether the best tour is drawn over the trails.
    max_frames : int
    """
    with RunReader(path) as reader:
        iterations = reader.field_iterations(0, _END)
        lengths, best = _read_best_lengths(reader), find_best_tour(reader)
    if not iterations:
        return None
    first = next((k for k, field in enumerate(_read_fields(path, iterations)) if _differ(field)), 0)
    chosen_iterations = [iterations[first + k] for k in choose_evenly(len(iterations) - first, max_frames)]
    lines = ((field, (caption, _describe(field, lengths, instance))) for field in _read_fields(path, chosen_iterations))
    if view == "pheromone":
        ends = np.array(
            [(field.values["low"], field.values["high"]) for field in _read_fields(path, chosen_iterations)]
        )
        sheet = _Sheet(instance, look, toggle, (float(ends[:, 0].min()), float(ends[:, 1].max())))
        pictures: Iterator[Image.Image] = (sheet.picture(field, texts) for field, texts in lines)
        colours = sheet.colours
    else:
        order = best.arrays["order"] if best is not None and toggle else None
        pictures = _draw_trails(instance, lines, look, order)
        colours = make_palette(
            look.theme.paper, (*look.theme.trails, look.theme.added, look.theme.city, look.theme.mute)
        )
    return Animation(len(chosen_iterations), pictures, colours, _FRAME_MS, _LAST_MS)


def _read_fields(path: Path, iterations: list[int]) -> Iterator[Frame]:
    """Yield the fields of these iterations, each read when needed."""
    with RunReader(path) as reader:
        for iteration in iterations:
            frames = split(reader.pictures_at(iteration))
            yield next(decode(raw) for raw in frames if read_kind(raw) == "field")


def _differ(field: Frame) -> bool:
    """Return whether the edges have different amounts of pheromone."""
    return field.values["high"] > field.values["low"]


def _read_best_lengths(reader: RunReader) -> _BestLengths:
    rows = [decode(raw).arrays for raw in reader.read_frames("progress")]
    columns = (np.concatenate([np.empty(0, np.int64), *(row[name] for row in rows)]) for name in ("iteration", "best"))
    return _BestLengths(*columns)


def _describe(field: Frame, lengths: _BestLengths, instance: Instance) -> str:
    iteration, best = field.values["iteration"], lengths.at(field.values["iteration"])
    lines = [] if best is None else [f"best so far {integer(best)}", describe_gap(best, instance)]
    return join_parts(f"pheromone after iteration {integer(iteration)}", *lines)


def _draw_trails(
    instance: Instance, lines: Iterable[tuple[Frame, Sequence[str]]], look: Look, best: np.ndarray | None
) -> Iterator[Image.Image]:
    """Draw the strongest edges on the map, wider with more pheromone, with a tour on top."""
    theme = look.theme
    canvas = Canvas.wide(instance, look, round(_CAPTION_HEIGHT * look.width))
    scale = look.width / GIF_WIDTH
    widest = (7.0 if instance.n <= 250 else 5.0 if instance.n <= 600 else 3.4) * scale
    for field, texts in lines:
        image, draw = canvas.blank_image()
        contrast = min(1.0, np.log(field.values["high"] / field.values["low"]) / np.log(_FULL_WIDTH_RATIO))
        for bucket, edges in enumerate(_group_edges(field, len(theme.trails))):
            width = max(0.6 * scale, contrast * widest * (bucket + 1) / len(theme.trails))
            canvas.edges(draw, edges, width, theme.trails[bucket])
        if best is not None:
            canvas.tour(draw, best, scale, theme.added)
        canvas.cities(draw, choose_dot_radius(instance.n, look.width))
        canvas.write(draw, texts)
        yield canvas.finish(image)


def _group_edges(field: Frame, count: int) -> list[np.ndarray]:
    """Group the edges by pheromone, from the weakest."""
    trail, edges = field.arrays["trail"].astype(np.float64), field.arrays["edges"].reshape(-1, 2)
    strongest = trail[0] if trail.size else 1.0
    visible = (trail > 0) & (trail >= _MIN_SHARE * strongest)
    bucket = np.minimum(count - 1, (count * trail / strongest).astype(int))
    return [edges[visible & (bucket == k)] for k in range(count)]


class _Sheet:
    """Heatmaps of pheromone between cities in tour order, with axes and a common scale.

    Parameters
    ----------
    instance : Instance
    look : Look
    log : bool
        Whether the colour scale is logarithmic.
    scale : tuple of float
        Lowest and highest pheromone of all heatmaps.
    """

    def __init__(self, instance: Instance, look: Look, log: bool, scale: tuple[float, float]) -> None:
        self._look, self._log, self._scale = look, log, scale
        self._unit = look.width / GIF_WIDTH
        self._ramp = _interpolate_ramp(look.theme.heat)
        self._left, self._top, self._side = (self._scale_pixels(part) for part in (72, 34, 760))
        no_cities = CityMap(np.empty((0, 2)), (look.width, self._scale_pixels(850)))
        self._canvas = Canvas(no_cities, round(_CAPTION_HEIGHT * look.width), look.theme)
        self.colours = make_palette(look.theme.paper, (look.theme.text, look.theme.mute), 16)
        inks = self.colours.getpalette() or []
        self.colours.putpalette([*inks[: 3 * 33], *self._ramp[:: 256 // _COLOUR_COUNT].ravel().tolist()])
        kind = "the optimal" if instance.optimal_tour is not None else "the best"
        self._axis, self._n = f"cities in the order of {kind} tour", instance.n

    def picture(self, field: Frame, texts: Sequence[str]) -> Image.Image:
        """Draw a field's heatmap above two lines of text."""
        image, draw = self._canvas.blank_image()
        self._canvas.write(draw, texts)
        image = self._canvas.finish(image)
        heat = np.round(255 * self._to_shares(field)).astype(int)[field.arrays["heat"]]
        blocks = round(heat.size**0.5)
        cells = Image.fromarray(self._ramp[heat].reshape(blocks, blocks, 3))
        place = (self._left, self._top)
        image.paste(cells.resize((self._side, self._side), Image.Resampling.NEAREST), place)
        bar = Image.fromarray(np.repeat(self._ramp[::-1, None], 2, axis=1))
        scale_x = self._left + self._side + self._scale_pixels(18)
        image.paste(bar.resize((self._scale_pixels(14), self._side)), (scale_x, self._top))
        self._write_axes(image)
        self._write_scale(ImageDraw.Draw(image), scale_x)
        return image

    def _scale_pixels(self, part: float) -> int:
        return round(part * self._unit)

    def _to_shares(self, field: Frame) -> np.ndarray:
        """Return each heatmap byte's position on the colour ramp, like `share` in `assets/watch/colony/scale.js`."""
        lowest, highest = self._scale
        if highest <= lowest:
            return np.zeros(256)
        low, high = field.values["low"], field.values["high"]
        trails = low * (high / low) ** (np.arange(256) / 255)
        shares = np.log(trails / lowest) / np.log(highest / lowest) if self._log else trails / highest
        return shares.clip(0, 1)

    def _write_axes(self, image: Image.Image) -> None:
        """Write the axes below and, rotated, on the left: first number, label, last number."""
        font = load_typeface(self._scale_pixels(15))
        strip = Image.new("RGB", (self._side, self._scale_pixels(26)), self._look.theme.paper)
        draw, middle = ImageDraw.Draw(strip), strip.height // 2
        for at, text, anchor in (
            (0, "1", "lm"), (strip.width // 2, self._axis, "mm"), (strip.width, integer(self._n), "rm"),
        ):  # fmt: skip
            draw.text((at, middle), text, fill=self._look.theme.mute, font=font, anchor=anchor)
        image.paste(strip, (self._left, self._top + self._side + self._scale_pixels(6)))
        # City 1 is at the top, and rotated text reads upwards, so the text is written in reverse.
        rotated = Image.new("RGB", strip.size, self._look.theme.paper)
        draw = ImageDraw.Draw(rotated)
        for at, text, anchor in (
            (0, integer(self._n), "lm"), (strip.width // 2, self._axis, "mm"), (strip.width, "1", "rm"),
        ):  # fmt: skip
            draw.text((at, middle), text, fill=self._look.theme.mute, font=font, anchor=anchor)
        upright = rotated.transpose(Image.Transpose.ROTATE_90)
        image.paste(upright, (self._left - self._scale_pixels(6) - upright.width, self._top))

    def _write_scale(self, draw: ImageDraw.ImageDraw, x: int) -> None:
        """Write the colour scale: least, middle and most pheromone, or one number if all are equal."""
        low, high = self._scale
        theme, font = self._look.theme, load_typeface(self._scale_pixels(15))
        draw.text((x, self._top // 2), "pheromone", fill=theme.mute, font=font, anchor="lm")
        middle = (low * high) ** 0.5 if self._log else high / 2
        lines = ((1.0, high, "la"), (0.5, middle, "lm"), (0.0, low if self._log else 0.0, "ld"))
        for share, trail, anchor in lines if high > low else [(0.0, low, "ld")]:
            place = (x + self._scale_pixels(22), self._top + (1 - share) * self._side)
            draw.text(place, measure(trail, digits=2, superscripts=False), fill=theme.mute, font=font, anchor=anchor)


def _interpolate_ramp(stops: Sequence[str]) -> np.ndarray:
    """Interpolate 256 colours between the theme's, (256, 3) uint8."""
    colours = np.array([[int(stop[k : k + 2], 16) for k in (1, 3, 5)] for stop in stops], float)
    at, places = np.linspace(0, 1, 256), np.linspace(0, 1, len(stops))
    return np.stack([np.interp(at, places, part) for part in colours.T], axis=1).round().astype(np.uint8)
