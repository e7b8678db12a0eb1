"""What can be saved of a run: its best tour, its table, its result, the run file, the picture of a climb."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from fastapi.responses import FileResponse, Response, StreamingResponse
from starlette.background import BackgroundTask

from data.tsplib.instances import write_tour
from runs.service import Desk, NoSuchClimb, NoSuchRun
from runs.store.frames import decode
from runs.store.reader import RunReader
from runs.store.summary import Summary, best_tour, counted_from, result
from solvers.result import gap_percent

Download = Callable[[Desk, str], Response]


def tour(desk: Desk, run: str) -> Response:
    """The best tour as a TSPLIB file."""
    instance = desk.run_instance(run)
    with desk.reading(run) as reader:
        best = best_tour(reader)
    if best is None:
        raise NoSuchClimb
    text = write_tour(instance, best.arrays["order"], best.values["length"])
    return Response(text, media_type="text/plain", headers=_saved_as(desk, run, best.values["length"], ending=".tour"))


def table(desk: Desk, run: str) -> Response:
    """The climbers as CSV, counted as on the page."""
    instance = desk.run_instance(run)
    rows = _csv(desk.path(run), instance.optimum, _first(desk, run))
    return StreamingResponse(rows, media_type="text/csv", headers=_saved_as(desk, run, "climbers", ending=".csv"))


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
                shown = "" if gap is None else f"{gap:.4f}"
                lines.append(f"{climber + first},{length},{shown},{moves},{evaluations},{seconds:.9g}\r\n")
            yield "".join(lines)


def outcome(desk: Desk, run: str) -> Response:
    """The result as JSON."""
    with desk.reading(run) as reader:
        found = result(reader)
    headers = _saved_as(desk, run, found["length"], ending=".json")
    return Response(json.dumps(found, indent=2), media_type="application/json", headers=headers)


def run_file(desk: Desk, run: str) -> Response:
    """The run file, of a run that goes on a copy as it stands."""
    copy = desk.export(run)
    return FileResponse(
        copy,
        media_type="application/vnd.sqlite3",
        headers=_saved_as(desk, run, ending=".tourscope"),
        background=BackgroundTask(copy.unlink),
    )


def gif(desk: Desk, run: str, climber: int) -> Response:
    """The climb as an animated picture; its name counts climbers as the page does."""
    from solvers.drawing.image_files import climb_gif  # Pillow takes its time to load

    instance = desk.run_instance(run)
    climb = decode(desk.climb(run, climber))
    picture, number = climb_gif(instance, climb), climber + _first(desk, run)
    return Response(picture, media_type="image/gif", headers=_saved_as(desk, run, "climb", number, ending=".gif"))


DOWNLOADS: dict[str, Download] = {
    "best.tour": tour,
    "climbers.csv": table,
    "result.json": outcome,
    "run.tourscope": run_file,
}


def _first(desk: Desk, run: str) -> int:
    """The number of a run's first climber."""
    return counted_from(_summary(desk, run)["algorithm"])


def _summary(desk: Desk, run: str) -> Summary:
    summary = desk.summary(run)
    if summary is None:
        raise NoSuchRun
    return summary


def _saved_as(desk: Desk, run: str, *parts: str | int | None, ending: str) -> dict[str, str]:
    """The header that names the file: ``berlin52-two-opt-7542.tour``; the same rule as in `assets/save.js`.

    A part that is None is left out.
    """
    summary = _summary(desk, run)
    named = (summary["instance"]["name"], summary["spec"]["stages"][-1]["algorithm"], *parts)
    return saved_as(*named, ending=ending)


def saved_as(*parts: str | int | None, ending: str) -> dict[str, str]:
    """The header that names a file by its parts, of which letters, digits, underscores, dots and dashes are kept."""
    safe = [re.sub(r"[^A-Za-z0-9_.-]+", "-", str(part)).strip("-.")[:60] for part in parts if part is not None]
    return {"Content-Disposition": f'attachment; filename="{"-".join(part or "tour" for part in safe)}{ending}"'}
