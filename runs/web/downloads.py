"""Downloads of a run: best tour, table of climbers, result, run file, animation of a climb."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import orjson
from fastapi.responses import FileResponse, Response, StreamingResponse
from starlette.background import BackgroundTask
from starlette.types import Receive, Scope, Send

from data.gaps import gap_percent
from data.instance import Instance
from data.tsplib.instances import write_tour
from runs.bounded_pool import ANIMATIONS
from runs.service import NoSuchClimb, NoSuchField, RunService
from runs.store.reader import RunReader
from runs.store.summary import about_run, best_tour, climber_unit, counted_from, result, takes_moves
from solvers.solver import plural
from solvers.worker.frames import decode

if TYPE_CHECKING:
    from solvers.drawing.animation import Animation

Download = Callable[[RunService, str], Response]


def tour(run_service: RunService, run: str) -> Response:
    """The best tour as a TSPLIB file."""
    instance = run_service.run_instance(run)
    with run_service.reading(run) as reader:
        best = best_tour(reader)
    if best is None:
        raise NoSuchClimb
    text = write_tour(instance, best.arrays["order"], best.values["length"])
    return Response(
        text, media_type="text/plain", headers=_saved_as(run_service, run, best.values["length"], ending=".tour")
    )


def _figure(kind: str, ending: str, media_type: str) -> Download:
    """The best tour as a figure for papers."""

    def figure(run_service: RunService, run: str) -> Response:
        from solvers.drawing.paper_files import PAPER_FILES  # Pillow is slow to import

        return _of_best(run_service, run, PAPER_FILES[kind], ending, media_type)

    return figure


def _route(kind: str, media_type: str) -> Download:
    """The best tour as a list of its places, with the distances between them."""

    def route(run_service: RunService, run: str) -> Response:
        from solvers.itinerary.files import route_file

        return _of_best(run_service, run, lambda *best: route_file(kind, *best), f".{kind}", media_type)

    return route


def list_stops(run_service: RunService, run: str) -> Response:
    """The best tour as JSON: the instance's name, the unit of lengths (or nothing), the length, and of each stop
    the city's number, its name, the distance to the next one and the length of the tour up to it.
    """
    from solvers.itinerary.stops import stops

    def write_file(instance: Instance, order: np.ndarray, length: int) -> bytes:
        found = [(stop.number, stop.name, stop.leg, stop.before) for stop in stops(instance, order)]
        return orjson.dumps({"name": instance.name, "unit": instance.unit, "length": length, "stops": found})

    return _of_best(run_service, run, write_file, ".json", "application/json")


def _plotter(paper: str) -> Download:
    """The best tour as one line for a pen plotter."""

    def plotter(run_service: RunService, run: str) -> Response:
        from solvers.drawing.plotter import tour_plotter  # Pillow is slow to import

        made = lambda instance, order, _: tour_plotter(instance, order, paper)  # noqa: E731
        return _of_best(run_service, run, made, f"-{paper}.svg", "image/svg+xml")

    return plotter


def _of_best(
    run_service: RunService, run: str, make: Callable[[Instance, np.ndarray, int], bytes], ending: str, media_type: str
) -> Response:
    """A file of the instance, its best tour and that tour's length."""
    instance = run_service.run_instance(run)
    with run_service.reading(run) as reader:
        best = best_tour(reader)
    if best is None:
        raise NoSuchClimb
    length = best.values["length"]
    file = make(instance, best.arrays["order"], length)
    return Response(file, media_type=media_type, headers=_saved_as(run_service, run, length, ending=ending))


def table(run_service: RunService, run: str, unit: str = "climber", moves: bool = True) -> Response:
    """The rows of a run as CSV, numbered as on the page: of climbers, or of what else `unit` says."""
    instance = run_service.run_instance(run)
    rows = _csv(run_service.path(run), instance.optimum, _first(run_service, run), unit, moves)
    headers = _saved_as(run_service, run, plural(unit), ending=".csv")
    return StreamingResponse(rows, media_type="text/csv", headers=headers)


def own_table(run_service: RunService, run: str) -> Response:
    """The same in the words of the run's algorithm; of constructions without moves."""
    algorithm = run_service.existing_summary(run)["algorithm"]
    return table(run_service, run, climber_unit(algorithm), takes_moves(algorithm))


def _csv(path: Path, optimum: int | None, first: int, unit: str, with_moves: bool) -> Iterator[str]:
    yield f"{unit.replace(' ', '_')},length,gap_percent,{'moves,' if with_moves else ''}evaluations,seconds\r\n"
    with RunReader(path) as reader:
        for raw in reader.each("rows"):
            columns = decode(raw).arrays
            names = ("climber", "length", "moves", "evaluations", "seconds")
            lines = []
            for row in zip(*(columns[name].tolist() for name in names), strict=True):
                climber, length, moves, evaluations, seconds = row
                gap = gap_percent(length, optimum)
                gap_text = "" if gap is None else f"{gap:.4f}"
                walked = f"{moves}," if with_moves else ""
                lines.append(f"{climber + first},{length},{gap_text},{walked}{evaluations},{seconds:.9g}\r\n")
            yield "".join(lines)


def outcome(run_service: RunService, run: str) -> Response:
    """The result as JSON."""
    with run_service.reading(run) as reader:
        values = result(reader)
    headers = _saved_as(run_service, run, values["length"], ending=".json")
    return Response(json.dumps(values, indent=2), media_type="application/json", headers=headers)


def run_file(run_service: RunService, run: str) -> Response:
    """The run file, a copy in its current state."""
    copy = run_service.export(run)
    return FileResponse(
        copy,
        media_type="application/vnd.sqlite3",
        headers=_saved_as(run_service, run, ending=".tourscope"),
        background=BackgroundTask(copy.unlink),
    )


def gif(run_service: RunService, run: str, climber: int, width: str, theme: str, progress: str) -> Response:
    """The climb as an animated GIF; its file name numbers climbers as the page does."""
    from solvers.drawing.canvas import Look  # Pillow is slow to import
    from solvers.drawing.image_files import climb_animation

    instance = run_service.run_instance(run)
    climb = decode(run_service.climb(run, climber))
    number, summary = climber + _first(run_service, run), run_service.existing_summary(run)
    about = about_run(summary, f"{climber_unit(summary['algorithm'])} {number}")
    animation = climb_animation(instance, climb, about, Look.of(width, theme))
    return animation_response(animation, _saved_as(run_service, run, "climb", number, ending=".gif"), progress)


def fields_gif(
    run_service: RunService, run: str, view: str, settings: Mapping[str, str], progress: str = ""
) -> Response:
    """The pheromone of all pictured iterations as an animated GIF: ``pheromone`` as a heatmap, or ``trails``.

    Parameters
    ----------
    run_service : RunService
    run, view : str
    settings : mapping of str to str
        ``width`` and ``theme`` of the animation; ``log`` (of the heatmap's colours) and ``best`` (whether the run's
        best tour lies over the trails), each ``0`` or ``1``.
    progress : str
        See `animation_response`.

    Raises
    ------
    NoSuchField
    """
    from runs.web.fields_gif import fields_animation  # Pillow is slow to import
    from solvers.drawing.canvas import Look

    look, instance = Look.of(settings["width"], settings["theme"]), run_service.run_instance(run)
    caption, wanted = about_run(run_service.existing_summary(run)), settings["log" if view == "pheromone" else "best"]
    animation = fields_animation(run_service.path(run), instance, view, caption, look, switched=wanted != "0")
    if animation is None:
        raise NoSuchField
    return animation_response(animation, _saved_as(run_service, run, view, ending=".gif"), progress)


class _Steps(StreamingResponse):
    """An animation in steps, which has one of the places of animations until it is whole."""

    def __init__(self, steps: Iterator[bytes], headers: Mapping[str, str]) -> None:
        super().__init__(ANIMATIONS.each(steps), media_type="application/octet-stream", headers=dict(headers))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with ANIMATIONS.place():
            await super().__call__(scope, receive, send)


def animation_response(animation: "Animation", headers: Mapping[str, str], progress: str) -> Response:
    """An animation as a file; or, with any `progress`, in steps, as `Animation.steps` has them."""
    if progress:
        return _Steps(animation.steps(), headers)
    return Response(animation.file(), media_type="image/gif", headers=dict(headers))


DOWNLOADS: dict[str, Download] = {
    "best.tour": tour,
    "best.pdf": _figure("pdf", ".pdf", "application/pdf"),
    "best.tex": _figure("tikz", ".tex", "text/x-tex"),
    "best.gpx": _route("gpx", "application/gpx+xml"),
    "best.geojson": _route("geojson", "application/geo+json"),
    "best.kml": _route("kml", "application/vnd.google-earth.kml+xml"),
    "best.csv": _route("csv", "text/csv"),
    "stops.json": list_stops,
    "plotter-a4.svg": _plotter("a4"),
    "plotter-a3.svg": _plotter("a3"),
    "climbers.csv": table,
    "rows.csv": own_table,
    "result.json": outcome,
    "run.tourscope": run_file,
}


def _first(run_service: RunService, run: str) -> int:
    """The number of a run's first climber."""
    return counted_from(run_service.existing_summary(run)["algorithm"])


def _saved_as(run_service: RunService, run: str, *parts: str | int | None, ending: str) -> dict[str, str]:
    """The header with the file name: ``berlin52-two-opt-7542.tour``, as `assets/watch/export.js` names its files."""
    summary = run_service.existing_summary(run)
    named = (summary["instance"]["name"], summary["spec"]["stages"][-1]["algorithm"], *parts)
    return saved_as(*named, ending=ending)


def saved_as(*parts: str | int | None, ending: str) -> dict[str, str]:
    """The header with a file name made of those parts that are not None.

    `assets/common/saving/download.js` makes the same one. Other characters than letters, digits and ``_.-`` become
    dashes.
    """
    safe = [re.sub(r"[^A-Za-z0-9_.-]+", "-", str(part)).strip("-.")[:60] for part in parts if part is not None]
    return {"Content-Disposition": f'attachment; filename="{"-".join(part or "tour" for part in safe)}{ending}"'}
