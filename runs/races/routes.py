"""The HTTP routes of races: a race as JSON, its animation, its file, and uploads of race files."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from fastapi.responses import FileResponse, JSONResponse, Response
from starlette.background import BackgroundTask

from runs.races.comparison import NotComparable, prepare_comparison
from runs.races.ending import NoTour, RaceEnd
from runs.races.errors import NoSuchRace
from runs.races.file import SUFFIX
from runs.races.service import Race, RaceService
from runs.service import RunService
from runs.visitors import visitor
from runs.web.downloads import animation_response, saved_as
from runs.web.page_router import page_router

if TYPE_CHECKING:
    from solvers.drawing.animation import Animation

#: Name and colour of each lane in the light or in the dark theme, given a race's JSON and whether it is the dark one.
LaneStyles = Callable[[list[dict[str, Any]], bool], list[tuple[str, str]]]
#: How a race ended, in a sentence, given the lanes of its JSON and what they came to.
EndSentence = Callable[[list[dict[str, Any]], RaceEnd], str]


_STATUS: dict[type[Exception], int] = {NoSuchRace: 404, NoTour: 404, NotComparable: 400}


def add_race_routes(
    app, races: RaceService, base: str, style: LaneStyles, ending: EndSentence = lambda _lanes, _end: ""
) -> None:
    """Add the routes to the FastAPI application `app`, all below `base` (which ends with a slash)."""
    router = page_router(
        app, base, _STATUS, "races", races.run_service.incoming, lambda path: races.adopt(path, visitor().id).id
    )

    @router.get("/races/{race}")
    def summary(race: str) -> Response:
        return JSONResponse({**races.find(race).to_json(), "state": races.state(race)})

    @router.get("/races/{race}/race.gif")
    def gif(race: str, width: str = "", theme: str = "", progress: str = "") -> Response:
        stored = races.find(race)
        lanes = stored.spec.to_json()["lanes"]
        end = partial(ending, lanes)
        animation = _animation(races.run_service, stored.runs, style(lanes, theme == "dark"), end, True, width, theme)
        return animation_response(animation, _saved_as(races, stored, ".gif"), progress)

    @router.get("/races/{race}/race.tourrace")
    def file(race: str) -> Response:
        copy, headers = races.export(race), _saved_as(races, races.find(race), SUFFIX)
        return FileResponse(copy, media_type="application/zip", headers=headers, background=BackgroundTask(copy.unlink))

    @router.get("/compared.gif")
    def compared_gif(runs: str = "", width: str = "", theme: str = "", progress: str = "") -> Response:
        comparison = prepare_comparison(races.run_service, [run for run in runs.split(",") if run])
        headers = saved_as(comparison.instance.name, "compared", ending=".gif")
        lanes = list(comparison.lanes)
        styles, end = style(lanes, theme == "dark"), partial(ending, lanes)
        animation = _animation(races.run_service, comparison.runs, styles, end, False, width, theme)
        return animation_response(animation, headers, progress)

    app.include_router(router)


def _animation(
    run_service: RunService,
    runs: Sequence[str],
    styles: Sequence[tuple[str, str]],
    ending: Callable[[RaceEnd], str],
    one_seed: bool,
    width: str,
    theme: str,
) -> "Animation":
    from runs.races.gif import course, told_animation  # Pillow is slow to import
    from solvers.drawing.canvas import Look

    courses = []
    for run, (name, colour) in zip(runs, styles, strict=True):
        with run_service.reading(run) as reader:
            courses.append(course(reader, name, colour))
    instance = run_service.run_instance(runs[0])
    return told_animation(instance, courses, Look.parse(width, theme), ending, one_seed)


def _saved_as(races: RaceService, race: Race, ending: str) -> dict[str, str]:
    """The header with the file name: ``kroA200-race.gif``."""
    summary = races.run_service.summary(race.runs[0])
    return saved_as(summary["instance"]["name"] if summary else "", "race", ending=ending)
