"""Images of tours and climbs: PNG and GIF with Pillow, and SVG."""

import io
from collections.abc import Iterator, Sequence
from typing import Any
from xml.sax.saxutils import escape

import numpy as np
from PIL import Image

from data.instance import Instance
from data.number_text import integer
from exports.drawing.canvas import (
    CITY,
    GIF_WIDTH,
    HALO,
    LETTERS,
    PAPER,
    TOUR,
    Canvas,
    Look,
    NamePlace,
    choose_dot_radius,
    load_typeface,
    make_arrowheads,
)
from exports.drawing.captions import describe_gap, join_parts
from exports.drawing.city_map import CityMap, fit, format_path
from exports.drawing.gif import Animation, choose_evenly, make_palette
from solvers.core.events import Edges, Event, Moves, Tour
from solvers.worker.frames import Frame

_SIDE = 1600
#: Size of the arrowheads of an SVG, in its units.
_SVG_HEAD = 12.0
#: Height of the strip for text below a climb, relative to the image's width.
_FOOT = 0.066
_FRAMES, _FRAMES_LARGE, _LARGE = 120, 40, 4000
#: Duration of a GIF's frame, and of the last one, in milliseconds.
_FRAME_MS, _LAST_FRAME_MS = 90, 2000


def tour_png(instance: Instance, order: np.ndarray) -> bytes:
    """Draw a tour as a PNG image, with as many city names as fit.

    Parameters
    ----------
    instance : Instance
    order : ndarray, shape (n,), int32

    Returns
    -------
    bytes
    """
    canvas = Canvas.for_instance(instance, _SIDE)
    image, draw = canvas.blank_image()
    canvas.tour(draw, order, 3.0 if instance.n <= 500 else 1.5)
    radius = choose_dot_radius(instance.n, _SIDE)
    canvas.cities(draw, radius)
    canvas.names(draw, place_names(instance, canvas.map, order, radius))
    file = io.BytesIO()
    canvas.finish(image).save(file, "PNG", optimize=True)
    return file.getvalue()


def tour_svg(instance: Instance, order: np.ndarray) -> bytes:
    """Draw a tour as an SVG image, with as many city names as fit.

    Parameters
    ----------
    instance : Instance
    order : ndarray, shape (n,), int32

    Returns
    -------
    bytes
    """
    cities = fit(instance, _SIDE)
    width, height = cities.size
    lines = cities.tour(order)
    radius = choose_dot_radius(instance.n, _SIDE)
    dots = "".join(f"<circle cx='{x:.1f}' cy='{y:.1f}' r='{radius:.2f}'/>" for x, y in cities.places.tolist())
    text = (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}'>"
        f"<rect width='{width}' height='{height}' fill='{PAPER}'/>"
        f"<path d='{format_path(lines, 1)}' fill='none' stroke='{TOUR}' stroke-width='2' stroke-linejoin='round'/>"
        f"{_format_svg_heads(lines) if instance.directed else ''}"
        f"<g fill='{CITY}'>{dots}</g>"
        f"{_format_svg_names(place_names(instance, cities, order, radius))}</svg>\n"
    )
    return text.encode()


def _format_svg_names(names: Sequence[NamePlace]) -> str:
    """Format names beside their cities, stretched to the expected width in any typeface."""
    if not names:
        return ""
    texts = "".join(
        f"<text x='{x:.1f}' y='{y:.1f}' textLength='{width:.1f}' lengthAdjust='spacingAndGlyphs'>{escape(text)}</text>"
        for text, x, y, width in names
    )
    return (
        f"<g font-family='Inter, sans-serif' font-size='{LETTERS}' dominant-baseline='central' fill='{CITY}' "
        f"stroke='{PAPER}' stroke-width='{2 * HALO}' stroke-linejoin='round' paint-order='stroke'>{texts}</g>"
    )


def _format_svg_heads(lines: Sequence[np.ndarray]) -> str:
    """Format arrowheads along lines as one path."""
    heads = (head for line in lines for head in make_arrowheads(line, _SVG_HEAD).tolist())
    path = "".join("M" + "L".join(f"{x:.1f},{y:.1f}" for x, y in head) + "Z" for head in heads)
    return f"<path d='{path}' fill='{TOUR}'/>"


def animate_climb(
    instance: Instance, climb: Frame, caption: str, look: Look, max_frames: int | None = None
) -> Animation:
    """Return an animation of a climb or construction, whose last frame lasts longer.

    Parameters
    ----------
    instance : Instance
    climb : Frame
        A frame of kind ``climb``, see ``docs/server.md``; without moves or edges, the animation has a single picture.
    caption : str
        First line of text; a second line describes each picture.
    look : Look
    max_frames : int or None
        Maximum number of pictures; by default 120, and fewer for many cities.
    """
    canvas = Canvas.wide(instance, look, round(_FOOT * look.width))
    theme = look.theme
    max_frames = max_frames or (_FRAMES if instance.n <= _LARGE else _FRAMES_LARGE)
    colours = make_palette(theme.paper, (theme.tour, theme.removed, theme.added, theme.city, theme.mute))
    is_built = climb.values["walk"] == "edges"
    count = len(climb.arrays["edges"]) if is_built else climb.arrays["i"].size
    steps = choose_evenly(count, max_frames - 1) if count else []
    draw_frames = _draw_edge_frames if is_built else _draw_move_frames
    frames = draw_frames(instance, canvas, climb, steps, caption)
    return Animation(len(steps) + 1, frames, colours, _FRAME_MS, _LAST_FRAME_MS)


def _draw_move_frames(
    instance: Instance, canvas: Canvas, climb: Frame, steps: Sequence[int], caption: str
) -> Iterator[Image.Image]:
    """Yield a picture per shown move, drawn on the tour before it, then the final tour."""
    i, j, delta = (climb.arrays[name] for name in ("i", "j", "delta"))
    order, length, done = climb.arrays["tours"][0].copy(), int(climb.values["length"]), 0
    for step in steps:
        for move in range(done, step):
            order[i[move] + 1 : j[move] + 1] = order[i[move] + 1 : j[move] + 1][::-1].copy()
            length += int(delta[move])
        done = step
        a, b, c, d = order[[i[done], i[done] + 1, j[done], (j[done] + 1) % instance.n]]
        change = f"{'+' if delta[done] > 0 else ''}{integer(int(delta[done]))}"
        place = f"move {integer(done + 1)} of {integer(i.size)}"
        text = join_parts(
            place, f"length {instance.with_unit(integer(length))} ({change})", describe_gap(length, instance)
        )
        yield _draw_frame(instance, canvas, (caption, text), order, removed=[(a, b), (c, d)], added=[(a, c), (b, d)])
    for move in range(done, i.size):
        order[i[move] + 1 : j[move] + 1] = order[i[move] + 1 : j[move] + 1][::-1].copy()
        length += int(delta[move])
    text = join_parts(
        f"{integer(i.size)} moves", f"length {instance.with_unit(integer(length))}", describe_gap(length, instance)
    )
    yield _draw_frame(instance, canvas, (caption, text), order)


def _draw_edge_frames(
    instance: Instance, canvas: Canvas, climb: Frame, steps: Sequence[int], caption: str
) -> Iterator[Image.Image]:
    """Yield a picture per shown edge with all edges before it, the newest highlighted, then one of all edges."""
    edges, lengths = climb.arrays["edges"], np.cumsum(climb.arrays["delta"], dtype=np.int64)
    for step in steps:
        text = join_parts(
            f"edge {integer(step + 1)} of {integer(len(edges))}",
            f"length {instance.with_unit(integer(int(lengths[step])))} so far",
        )
        yield _draw_frame(instance, canvas, (caption, text), edges=edges[:step], added=[edges[step]])
    length = int(lengths[-1]) if len(edges) else 0
    text = join_parts(
        f"{integer(len(edges))} edges", f"length {instance.with_unit(integer(length))}", describe_gap(length, instance)
    )
    yield _draw_frame(instance, canvas, (caption, text), edges=edges)


def _draw_frame(
    instance: Instance,
    canvas: Canvas,
    texts: Sequence[str],
    order: np.ndarray | None = None,
    edges: Any = (),
    removed: Any = (),
    added: Any = (),
) -> Image.Image:
    image, draw = canvas.blank_image()
    width = (2.2 if instance.n <= 1000 else 0.8) * canvas.size[0] / GIF_WIDTH
    if order is not None:
        canvas.tour(draw, order, width)
    if len(edges):
        canvas.edges(draw, edges, width)
    if len(removed):
        canvas.edges(draw, removed, 2 * width, canvas.theme.paper)
        canvas.edges(draw, removed, 1.5 * width, canvas.theme.removed, dashed=True)
    if len(added):
        canvas.edges(draw, added, 2 * width, canvas.theme.added)
    if instance.n <= _LARGE:
        canvas.cities(draw, choose_dot_radius(instance.n, canvas.size[0]))
    canvas.write(draw, texts)
    return canvas.finish(image)


class Album:
    """Collects data for images from a run's events, storing only the best tour's climb.

    Parameters
    ----------
    instance : Instance
    keep_climbs : bool
        Whether an animation will be requested.
    about : str
        Text of an animation besides the instance's name.
    """

    def __init__(self, instance: Instance, keep_climbs: bool, about: str = "") -> None:
        self._instance, self._keep, self._about = instance, keep_climbs, about
        self._open: dict[int, list[Event]] = {}
        self._best: list[Event] = []

    def take(self, event: Event) -> None:
        """Process an event of the run."""
        if not self._keep:
            return
        if isinstance(event, Moves) and not event.is_snapshot:
            newest = set(event.climber.tolist())
            self._open = {c: parts for c, parts in self._open.items() if c in newest or c == max(self._open)}
            for climber in newest:
                self._open.setdefault(climber, []).append(event)
        elif isinstance(event, Edges):
            self._open = {event.climber: [event]}
        elif isinstance(event, Tour):
            self._best = self._open.get(event.climber, [])
            self._climber, self._order, self._length = event.climber, event.order, event.length

    def picture(self, kind: str, order: np.ndarray) -> bytes:
        """Return an image file: ``png``, ``svg`` or ``gif``; see `animation` for a video.

        Parameters
        ----------
        kind : str
        order : ndarray, shape (n,), int32
            The tour to draw; a GIF shows the climb of the best tour instead.

        Returns
        -------
        bytes
        """
        if kind == "gif":
            return self.animation(Look()).file()
        return tour_png(self._instance, order) if kind == "png" else tour_svg(self._instance, order)

    def animation(self, look: Look, max_frames: int | None = None) -> Animation:
        """Return an animation of the best tour's climb, up to `max_frames` pictures; see `animate_climb`."""
        caption = join_parts(self._instance.name, self._about)
        return animate_climb(self._instance, self._find_climb(), caption, look, max_frames)

    def _find_climb(self) -> Frame:
        """Return the best tour's climb; if none was recorded, the tour without moves."""
        first = self._best[0] if self._best else None
        if isinstance(first, Edges):
            values = {"walk": "edges", "climber": self._climber, "length": 0}
            return Frame("climb", values, {"edges": first.edges, "delta": first.delta})
        columns: dict[str, list[np.ndarray]] = {name: [] for name in ("i", "j", "delta")}
        start, length = self._order, self._length
        for at, (event, piece) in enumerate(self._list_pieces()):
            if at == 0:
                start, length = event.tours[event.tour[piece]], int(event.length[piece])
            end = int(event.count[: piece + 1].sum())
            for name, parts in columns.items():
                parts.append(getattr(event, name)[end - int(event.count[piece]) : end])
        arrays = {name: np.concatenate([np.empty(0, np.int32), *parts]) for name, parts in columns.items()}
        values = {"walk": "moves", "climber": self._climber, "length": length}
        return Frame("climb", values, {"tours": start[None], **arrays})

    def _list_pieces(self) -> Iterator[tuple[Moves, int]]:
        for event in self._best:
            assert isinstance(event, Moves)
            for piece in np.flatnonzero(event.climber == self._climber).tolist():
                yield event, piece


#: Maximum number of cities whose names are written; with more cities, few names would have space.
MAX_CITIES = 1000
#: Distances in pixels between a city and its name in a picture 1,600 pixels wide: the usual one, and one for where
#: space is short.
_GAPS = (7.0, 27.0)
#: Line height of a name, as a multiple of the letter size; number of directions for it, the first at upper right.
_LINE, _DIRECTIONS = 1.2, 8
#: Cost of a name per edge that it covers, and cost of the larger distance.
_CROSSING_COST, _DISTANCE_COST = 4, 3


def place_names(instance: Instance, cities: CityMap, order: np.ndarray, radius: float) -> list[NamePlace]:
    """Return positions for the names that fit into the picture.

    Parameters
    ----------
    instance : Instance
    cities : CityMap
    order : ndarray, shape (n,), int32
        The tour, whose edges the names cover as little as possible.
    radius : float
        Radius of a city in pixels.
    """
    if not instance.names or instance.n > MAX_CITIES:
        return []
    places, reach = cities.places, radius + 1
    occupied = [np.hstack([places - reach, places + reach])]
    edges = np.concatenate([np.hstack([line[:-1], line[1:]]) for line in cities.tour(order)])
    placed = []
    for city, text in enumerate(instance.names):
        if not text:
            continue
        width = float(load_typeface(LETTERS).getlength(text))
        boxes, costs = _make_boxes(places[city], width, radius)
        free = (boxes[:, :2] >= 0).all(axis=1) & (boxes[:, 2:] <= cities.size).all(axis=1)
        free &= ~_find_overlaps(boxes, np.concatenate(occupied)).any(axis=1)
        if not free.any():
            continue
        boxes, costs = boxes[free], costs[free]
        best = boxes[np.argmin(costs + _CROSSING_COST * _find_crossings(boxes, edges).sum(axis=1))]
        occupied.append(best[None])
        placed.append(NamePlace(text, float(best[0]), float(best[1] + best[3]) / 2, width))
    return placed


def _make_boxes(point: np.ndarray, width: float, radius: float) -> tuple[np.ndarray, np.ndarray]:
    """Return candidate boxes for a city's name, (k, 4) with columns left, top, right, bottom, and the cost of each."""
    angles = 2 * np.pi * np.arange(_DIRECTIONS) / _DIRECTIONS - np.pi / 4
    ways = np.column_stack([np.cos(angles), np.sin(angles)])
    half = np.array([width, _LINE * LETTERS]) / 2
    middles = np.concatenate([point + ways * (radius + gap) + np.round(ways) * half for gap in _GAPS])
    return np.hstack([middles - half, middles + half]), np.repeat([0, _DISTANCE_COST], _DIRECTIONS)


def _find_overlaps(boxes: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return whether each of k boxes overlaps each of m others, (k, m) bool."""
    low, high = boxes[:, None, :2], boxes[:, None, 2:]
    return np.all((low < others[None, :, 2:]) & (others[None, :, :2] < high), axis=2)


def _find_crossings(boxes: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """Return whether each of m segments (m, 4) crosses each of k boxes, (k, m) bool; after Liang and Barsky."""
    start, direction = edges[None, :, :2], edges[None, :, 2:] - edges[None, :, :2]
    direction = np.where(direction == 0, 1e-12, direction)
    one, other = (boxes[:, None, :2] - start) / direction, (boxes[:, None, 2:] - start) / direction
    enters = np.maximum(np.minimum(one, other).max(axis=2), 0.0)
    return enters <= np.minimum(np.maximum(one, other).min(axis=2), 1.0)
