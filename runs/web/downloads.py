"""Downloads of a run: best tour, table of climbers, result, run file, animation of a climb."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from fastapi.responses import FileResponse, Response, StreamingResponse
from starlette.background import BackgroundTask

from data.tsplib.instances import write_tour
from runs.service import NoSuchClimb, RunService
from runs.store.reader import RunReader
from runs.store.summary import best_tour, counted_from, result
from solvers.result import gap_percent
from solvers.worker.frames import decode

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


def table(run_service: RunService, run: str) -> Response:
    """The climbers as CSV, numbered as on the page."""
    instance = run_service.run_instance(run)
    rows = _csv(run_service.path(run), instance.optimum, _first(run_service, run))
    return StreamingResponse(
        rows, media_type="text/csv", headers=_saved_as(run_service, run, "climbers", ending=".csv")
    )


def _csv(path: Path, optimum: int | None, first: int) -> Iterator[str]:
    yield "climber,length,gap_percent,moves,evaluations,seconds\r\n"
    with RunReader(path) as reader:
        for raw in reader.each("rows"):
            columns = decode(raw).arrays
            names = ("climber", "length", "moves", "evaluations", "seconds")
            lines = []
            for row in zip(*(columns[name].tolist() for name in names), strict=True):
                climber, length, moves, evaluations, seconds = row
                gap = gap_percent(length, optimum)
                gap_text = "" if gap is None else f"{gap:.4f}"
                lines.append(f"{climber + first},{length},{gap_text},{moves},{evaluations},{seconds:.9g}\r\n")
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


def gif(run_service: RunService, run: str, climber: int) -> Response:
    """The climb as an animated GIF; its file name numbers climbers as the page does."""
    from solvers.drawing.image_files import climb_gif  # Pillow is slow to import

    instance = run_service.run_instance(run)
    climb = decode(run_service.climb(run, climber))
    picture, number = climb_gif(instance, climb), climber + _first(run_service, run)
    return Response(
        picture, media_type="image/gif", headers=_saved_as(run_service, run, "climb", number, ending=".gif")
    )


DOWNLOADS: dict[str, Download] = {
    "best.tour": tour,
    "climbers.csv": table,
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
    """The header with a file name made of those parts that are not None, as `assets/common/download.js` makes one.

    Other characters than letters, digits and ``_.-`` become dashes.
    """
    safe = [re.sub(r"[^A-Za-z0-9_.-]+", "-", str(part)).strip("-.")[:60] for part in parts if part is not None]
    return {"Content-Disposition": f'attachment; filename="{"-".join(part or "tour" for part in safe)}{ending}"'}
