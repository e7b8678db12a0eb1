"""Downloads of a run, computed in separate processes: best tour, table, result, run file and animations.

Each function takes the path of a run file as text and further values of the request, and returns an `Answer`.
"""

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
import orjson

from data.collection.bounds import load_ascent
from data.gaps import gap_percent
from data.instance import Instance
from data.tsplib.instances import format_tour
from runs.computing.answer import Answer, NotRecorded, animation_answer, download_headers
from runs.store.climb import build_climb_frame
from runs.store.open_run import NoSuchAscent, NoSuchClimb, NoSuchField, open_run
from runs.store.reader import RunReader
from runs.store.summary import (
    Summary,
    build_result,
    find_best_tour,
    find_solver,
    format_animation_title,
    has_climber,
    summarise,
)
from runs.store.tour_timeline import build_film
from solvers.core.solver import plural
from solvers.worker.frames import decode, decode_instance, read_frame


def best_file(path: str, name: str) -> Answer:
    """Return the run's best tour in a format of `BEST`.

    Raises
    ------
    NoSuchRun, NoSuchClimb
    """
    draw, suffix, media_type = BEST[name]
    with open_run(Path(path)) as reader:
        best, summary = find_best_tour(reader), summarise(reader)
        instance = decode_instance(decode(reader.instance()))
    if best is None:
        raise NoSuchClimb
    length = best.values["length"]
    content = draw(instance, best.arrays["order"], length)
    return Answer(content, media_type, _download_headers(summary, length, suffix=suffix))


def _draw_figure(kind: str, instance: Instance, order: np.ndarray, length: int) -> bytes:
    """Draw a figure for papers."""
    from exports.drawing.paper_files import PAPER_FILES  # Pillow is slow to import

    return PAPER_FILES[kind](instance, order, length)


def _write_route(kind: str, instance: Instance, order: np.ndarray, length: int) -> bytes:
    """List a tour's places and the distances between them."""
    from exports.itinerary.files import route_file

    return route_file(kind, instance, order, length)


def _list_stops(instance: Instance, order: np.ndarray, length: int) -> bytes:
    """Encode a tour's stops as JSON, with the instance's name, the unit (if any) and the tour's length.

    For each stop: the city's number and name, the distance to the next stop, and the length up to this one.
    """
    from exports.itinerary.stops import list_stops

    rows = [(stop.number, stop.name, stop.leg, stop.before) for stop in list_stops(instance, order)]
    return orjson.dumps({"name": instance.name, "unit": instance.unit, "length": length, "stops": rows})


def _plot(paper: str, instance: Instance, order: np.ndarray, _length: int) -> bytes:
    """Draw a tour as a single line for a pen plotter."""
    from exports.drawing.plotter import tour_plotter  # Pillow is slow to import

    return tour_plotter(instance, order, paper)


def table(path: str) -> Answer:
    """Return the table of climbers as CSV, numbered as on the page."""
    return _write_table(path)


def own_table(path: str) -> Answer:
    """Return the same table in the terms of the run's algorithm; constructions have no moves."""
    return _write_table(path, in_own_terms=True)


def _write_table(path: str, in_own_terms: bool = False) -> Answer:
    """Return a table of a run's rows as CSV."""
    with open_run(Path(path)) as reader:
        summary = summarise(reader)
    solver = find_solver(summary["algorithm"])
    unit, with_moves = (solver.iteration_unit, solver.step_unit != "edge") if in_own_terms else ("climber", True)
    rows = _write_csv(Path(path), summary["instance"]["optimum"], solver.counted_from, unit, with_moves)
    return Answer(rows, "text/csv", _download_headers(summary, plural(unit), suffix=".csv"))


def _write_csv(path: Path, optimum: int | None, start: int, unit: str, with_moves: bool) -> Iterator[bytes]:
    moves_column = "moves," if with_moves else ""
    yield f"{unit.replace(' ', '_')},length,gap_percent,{moves_column}evaluations,seconds\r\n".encode()
    with RunReader(path) as reader:
        for raw in reader.read_frames("rows"):
            columns = decode(raw).arrays
            names = ("climber", "length", "moves", "evaluations", "seconds")
            lines = []
            for row in zip(*(columns[name].tolist() for name in names), strict=True):
                climber, length, moves, evaluations, seconds = row
                gap = gap_percent(length, optimum)
                gap_text = "" if gap is None else f"{gap:.4f}"
                moves_cell = f"{moves}," if with_moves else ""
                lines.append(f"{climber + start},{length},{gap_text},{moves_cell}{evaluations},{seconds:.9g}\r\n")
            yield "".join(lines).encode()


def outcome(path: str) -> Answer:
    """Return the run's result as JSON."""
    with open_run(Path(path)) as reader:
        values, summary = build_result(reader), summarise(reader)
    headers = _download_headers(summary, values["length"], suffix=".json")
    return Answer(json.dumps(values, indent=2).encode(), "application/json", headers)


def run_file(path: str) -> Answer:
    """Return a copy of the run file's current state."""
    with open_run(Path(path)) as reader:
        headers = _download_headers(summarise(reader), suffix=".tourscope")
    return Answer(lambda target: _copy(Path(path), target), "application/vnd.sqlite3", headers)


def _copy(source: Path, target: Path) -> None:
    with open_run(source) as reader:
        reader.backup(target)


def climb(path: str, climber: int, after: int = 0, replay_file: str = "") -> Answer:
    """Return a climber's ``climb`` frame, or only its moves after `after`.

    Parameters
    ----------
    path : str
    climber, after : int
        See `runs.store.climb.build_climb_frame`.
    replay_file : str
        A file with the frames of the recomputed climb, if the run file lacks them.

    Raises
    ------
    NoSuchRun, NoSuchClimb
    NotRecorded
        If the climb must be recomputed.
    """
    return Answer(_read_climb(path, climber, after, replay_file))


def _read_climb(path: str, climber: int, after: int, replay_file: str) -> bytes:
    if replay_file:
        with Path(replay_file).open("rb") as file:
            replayed = build_climb_frame(climber, iter(lambda: read_frame(file), None))
        if replayed is None:
            raise NoSuchClimb
        return replayed
    with open_run(Path(path)) as reader:
        frame = build_climb_frame(climber, reader.climb(climber, after), after)
        exists = frame is not None or has_climber(reader, climber)
    if not exists:  # raised outside the block: inside, it would be reported as a corrupt file
        raise NoSuchClimb
    if frame is None:
        raise NotRecorded
    return frame


def gif(path: str, climber: int, width: str, theme: str, progress: str, replay_file: str = "") -> Answer:
    """Return a climb as an animated GIF, whose file name numbers climbers like the page.

    `replay_file` is as in `climb`.
    """
    from exports.drawing.canvas import Look  # Pillow is slow to import
    from exports.drawing.image_files import animate_climb

    frame = decode(_read_climb(path, climber, 0, replay_file))
    with open_run(Path(path)) as reader:
        summary, instance = summarise(reader), decode_instance(decode(reader.instance()))
    solver = find_solver(summary["algorithm"])
    number = climber + solver.counted_from
    caption = format_animation_title(summary, f"{solver.iteration_unit} {number}")
    animation = animate_climb(instance, frame, caption, Look.parse(width, theme))
    return animation_answer(animation, _download_headers(summary, "climb", number, suffix=".gif"), progress)


def fields_gif(path: str, view: str, toggle: bool, width: str, theme: str, progress: str) -> Answer:
    """Return the pheromone of recorded iterations as an animated GIF: ``pheromone`` as a heatmap, or ``trails``.

    Parameters
    ----------
    path, view : str
    toggle : bool
        Whether the heatmap's colours are logarithmic, or whether the run's best tour is drawn over the trails.
    width, theme, progress : str
        Options of the animation; see `animation_answer`.

    Raises
    ------
    NoSuchRun, NoSuchField
    """
    from exports.drawing.canvas import Look
    from runs.web.fields_gif import animate_fields  # Pillow is slow to import

    with open_run(Path(path)) as reader:
        summary, instance = summarise(reader), decode_instance(decode(reader.instance()))
    look = Look.parse(width, theme)
    animation = animate_fields(Path(path), instance, view, format_animation_title(summary), look, toggle)
    if animation is None:
        raise NoSuchField
    return animation_answer(animation, _download_headers(summary, view, suffix=".gif"), progress)


def field(path: str, iteration: int) -> Answer:
    """Return the last ``field`` and ``ants`` frames up to an iteration, concatenated.

    Raises
    ------
    NoSuchRun, NoSuchField
    """
    with open_run(Path(path)) as reader:
        frames = reader.pictures_at(iteration)
    if not frames:
        raise NoSuchField
    return Answer(frames)


def tour_film(path: str) -> Answer:
    """Return a run's ``film`` frame; see `runs.store.tour_timeline.build_film`."""
    with open_run(Path(path)):
        return Answer(build_film(Path(path)))


def run_instance(path: str) -> Answer:
    """Return a run's ``instance`` frame."""
    with open_run(Path(path)) as reader:
        return Answer(reader.instance())


def ascent(path: str, folder: str) -> Answer:
    """Return the steps that prove the instance's bound, as an ``ascent`` frame.

    Raises
    ------
    NoSuchRun, NoSuchAscent
    """
    with open_run(Path(path)) as reader:
        sha256 = decode(reader.instance()).values["sha256"]
    record = load_ascent(Path(folder), sha256)
    if record is None:
        raise NoSuchAscent
    return Answer(record)


def moats(path: str) -> Answer:
    """Return the instance's zones and moats, as a ``moats`` frame.

    Raises
    ------
    NoSuchRun, NoPicture
    """
    from runs.bounds.moats import moats_frame

    with open_run(Path(path)) as reader:
        instance = decode_instance(decode(reader.instance()))
    return Answer(moats_frame(instance))


def _download_headers(summary: Summary, *parts: str | int | None, suffix: str) -> dict[str, str]:
    """Return the header with the file name, such as ``berlin52-two-opt-7542.tour``, as in `assets/watch/export.js`."""
    return download_headers(
        summary["instance"]["name"], summary["spec"]["stages"][-1]["algorithm"], *parts, suffix=suffix
    )


Draw = Callable[[Instance, np.ndarray, int], bytes]
#: Formats of the best tour by name: function, suffix of the file name, and media type.
BEST: dict[str, tuple[Draw, str, str]] = {
    "best.tour": (lambda *best: format_tour(*best).encode(), ".tour", "text/plain"),
    "best.pdf": (partial(_draw_figure, "pdf"), ".pdf", "application/pdf"),
    "best.tex": (partial(_draw_figure, "tikz"), ".tex", "text/x-tex"),
    "best.gpx": (partial(_write_route, "gpx"), ".gpx", "application/gpx+xml"),
    "best.geojson": (partial(_write_route, "geojson"), ".geojson", "application/geo+json"),
    "best.kml": (partial(_write_route, "kml"), ".kml", "application/vnd.google-earth.kml+xml"),
    "best.csv": (partial(_write_route, "csv"), ".csv", "text/csv"),
    "stops.json": (_list_stops, ".json", "application/json"),
    "plotter-a4.svg": (partial(_plot, "a4"), "-a4.svg", "image/svg+xml"),
    "plotter-a3.svg": (partial(_plot, "a3"), "-a3.svg", "image/svg+xml"),
}
#: Other files of a run by name.
OTHERS = {
    "climbers.csv": table, "rows.csv": own_table, "result.json": outcome, "run.tourscope": run_file, "film": tour_film,
    "instance": run_instance, "moats": moats,
}  # fmt: skip
