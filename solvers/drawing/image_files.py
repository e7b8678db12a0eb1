"""Images of tours and climbs: PNG and GIF with Pillow, and SVG."""

import io
from collections.abc import Iterator

import numpy as np
from PIL import Image

from data.instance import Instance
from solvers.drawing.canvas import ADDED, CITY, PAPER, REMOVED, TOUR, Canvas, dot_radius, fit, positions
from solvers.events import Edges, Event, Moves, Tour
from solvers.worker.frames import Frame

_SIDE, _GIF_SIDE, _GIF_FOOT = 1600, 640, 28
_FRAMES, _FRAMES_LARGE, _LARGE = 120, 40, 4000
#: Milliseconds that a GIF shows a frame, and the last frame.
_FRAME_MS, _LAST_FRAME_MS = 90, 2000
_COLOURS = 32


def tour_png(instance: Instance, order: np.ndarray) -> bytes:
    """A tour as a PNG image.

    Parameters
    ----------
    instance : Instance
    order : ndarray, shape (n,), int32

    Returns
    -------
    bytes
    """
    canvas = Canvas.of(instance, _SIDE)
    image, draw = canvas.blank_image()
    canvas.tour(draw, order, 3.0 if instance.n <= 500 else 1.5)
    canvas.cities(draw, dot_radius(instance.n, _SIDE))
    file = io.BytesIO()
    canvas.finish(image).save(file, "PNG", optimize=True)
    return file.getvalue()


def tour_svg(instance: Instance, order: np.ndarray) -> bytes:
    """A tour as an SVG image.

    Parameters
    ----------
    instance : Instance
    order : ndarray, shape (n,), int32

    Returns
    -------
    bytes
    """
    places, (width, height) = fit(positions(instance), _SIDE)
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places[order].tolist())
    radius = dot_radius(instance.n, _SIDE)
    dots = "".join(f"<circle cx='{x:.1f}' cy='{y:.1f}' r='{radius:.2f}'/>" for x, y in places.tolist())
    text = (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}'>"
        f"<rect width='{width}' height='{height}' fill='{PAPER}'/>"
        f"<polygon points='{path}' fill='none' stroke='{TOUR}' stroke-width='2' stroke-linejoin='round'/>"
        f"<g fill='{CITY}'>{dots}</g></svg>\n"
    )
    return text.encode()


def climb_gif(instance: Instance, climb: Frame) -> bytes:
    """A climb or a construction as an animated GIF of at most 120 frames, the last of which is shown longer.

    Parameters
    ----------
    instance : Instance
    climb : Frame
        Of kind ``climb``, see ``docs/server.md``; without a move or an edge, the GIF has a single frame.

    Returns
    -------
    bytes
    """
    canvas = Canvas.of(instance, _GIF_SIDE, _GIF_FOOT)
    draw_frames = _edge_frames if climb.values["walk"] == "edges" else _move_frames
    frames = [_reduced(frame) for frame in draw_frames(instance, canvas, climb)]
    return gif(frames, _FRAME_MS, _LAST_FRAME_MS, optimize=False)


def gif(frames: list[Image.Image], milliseconds: int, last: int, optimize: bool = True) -> bytes:
    """Images with a palette as an animated GIF, the last of which is shown for another time."""
    durations = [milliseconds] * (len(frames) - 1) + [last]
    file = io.BytesIO()
    frames[0].save(file, "GIF", save_all=True, append_images=frames[1:], duration=durations, loop=0, optimize=optimize)
    return file.getvalue()


def _frame_steps(count: int, n: int) -> list[int]:
    """Indices of the steps out of `count` that get a frame: all, or an even selection with the first and the last."""
    most = _FRAMES if n <= _LARGE else _FRAMES_LARGE
    return np.unique(np.linspace(0, count - 1, min(count, most - 1)).round().astype(int)).tolist()


def _move_frames(instance: Instance, canvas: Canvas, climb: Frame) -> Iterator[Image.Image]:
    """One frame per shown move, drawn on the tour before it, then the final tour."""
    i, j, delta = (climb.arrays[name] for name in ("i", "j", "delta"))
    order, length, done = climb.arrays["tours"][0].copy(), int(climb.values["length"]), 0
    for shown in _frame_steps(i.size, instance.n):
        for move in range(done, shown):
            order[i[move] + 1 : j[move] + 1] = order[i[move] + 1 : j[move] + 1][::-1].copy()
            length += int(delta[move])
        done = shown
        a, b, c, d = order[[i[done], i[done] + 1, j[done], (j[done] + 1) % instance.n]]
        text = f"move {done + 1:,} of {i.size:,}    length {length:,}  {int(delta[done]):+,}"
        yield _frame(instance, canvas, text, order, removed=[(a, b), (c, d)], added=[(a, c), (b, d)])
    for move in range(done, i.size):
        order[i[move] + 1 : j[move] + 1] = order[i[move] + 1 : j[move] + 1][::-1].copy()
        length += int(delta[move])
    yield _frame(instance, canvas, f"{i.size:,} moves    length {length:,}", order)


def _edge_frames(instance: Instance, canvas: Canvas, climb: Frame) -> Iterator[Image.Image]:
    """One frame per shown edge with the edges before it, the newest in another colour; then all edges."""
    edges, lengths = climb.arrays["edges"], np.cumsum(climb.arrays["delta"], dtype=np.int64)
    for shown in _frame_steps(len(edges), instance.n):
        text = f"edge {shown + 1:,} of {len(edges):,}    length {lengths[shown]:,}"
        yield _frame(instance, canvas, text, edges=edges[:shown], added=[edges[shown]])
    text = f"{len(edges):,} edges    length {lengths[-1] if len(edges) else 0:,}"
    yield _frame(instance, canvas, text, edges=edges)


def _frame(
    instance: Instance, canvas: Canvas, text: str, order: np.ndarray | None = None, edges=(), removed=(), added=()
) -> Image.Image:
    image, draw = canvas.blank_image()
    width = 1.5 if instance.n <= 1000 else 0.75
    if order is not None:
        canvas.tour(draw, order, width)
    if len(edges):
        canvas.edges(draw, edges, width)
    if len(removed):
        canvas.edges(draw, removed, 2 * width, PAPER)
        canvas.edges(draw, removed, 1.5 * width, REMOVED, dashed=True)
    if len(added):
        canvas.edges(draw, added, 2 * width, ADDED)
    if instance.n <= _LARGE:
        canvas.cities(draw, dot_radius(instance.n, _GIF_SIDE))
    # Separate thousands as on the page, but with the kind of space that Pillow's default font has.
    canvas.write(draw, f"{instance.name}    {text}".replace(",", " "))
    return canvas.finish(image)


def _palette() -> Image.Image:
    """The colours of the drawing, and shades between each of them and the background for smooth lines."""
    paper = np.array([255, 255, 255])
    inks = [np.array([int(ink[k : k + 2], 16) for k in (1, 3, 5)]) for ink in (TOUR, REMOVED, ADDED, CITY)]
    shades = [paper, *(paper + (ink - paper) * share for ink in inks for share in np.linspace(0.15, 1, 7))]
    colours = np.round(np.array(shades[:_COLOURS])).astype(int)
    palette = Image.new("P", (1, 1))
    palette.putpalette(colours.ravel().tolist())
    return palette


def _reduced(frame: Image.Image) -> Image.Image:
    return frame.quantize(palette=_palette(), dither=Image.Dither.NONE)


class Album:
    """Collects from a run's events what its images need; of the climbs it keeps only that of the best tour.

    Parameters
    ----------
    instance : Instance
    keep_climbs : bool
        Whether a GIF will be requested.
    """

    def __init__(self, instance: Instance, keep_climbs: bool) -> None:
        self._instance, self._keep = instance, keep_climbs
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
        """The image file of a kind: ``png``, ``svg`` or ``gif``.

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
            return climb_gif(self._instance, self._climb())
        return tour_png(self._instance, order) if kind == "png" else tour_svg(self._instance, order)

    def _climb(self) -> Frame:
        """The climb of the best tour; without a recorded climb, the tour itself, without moves."""
        first = self._best[0] if self._best else None
        if isinstance(first, Edges):
            values = {"walk": "edges", "climber": self._climber, "length": 0}
            return Frame("climb", values, {"edges": first.edges, "delta": first.delta})
        columns: dict[str, list[np.ndarray]] = {name: [] for name in ("i", "j", "delta")}
        start, length = self._order, self._length
        for at, (event, piece) in enumerate(self._pieces()):
            if at == 0:
                start, length = event.tours[event.tour[piece]], int(event.length[piece])
            end = int(event.count[: piece + 1].sum())
            for name, parts in columns.items():
                parts.append(getattr(event, name)[end - int(event.count[piece]) : end])
        arrays = {name: np.concatenate([np.empty(0, np.int32), *parts]) for name, parts in columns.items()}
        values = {"walk": "moves", "climber": self._climber, "length": length}
        return Frame("climb", values, {"tours": start[None], **arrays})

    def _pieces(self) -> Iterator[tuple[Moves, int]]:
        for event in self._best:
            assert isinstance(event, Moves)
            for piece in np.flatnonzero(event.climber == self._climber).tolist():
                yield event, piece
