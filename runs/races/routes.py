"""HTTP routes of races: JSON, animation and race file, and uploads."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.responses import JSONResponse, Response

from data.sqlite_files import read_stamp
from runs.bounded_pool import COMPARISONS
from runs.computing.answer import download_headers
from runs.races.comparison import NotComparable, prepare_comparison
from runs.races.ending import NoTour
from runs.races.errors import NoSuchRace
from runs.races.service import RaceService
from runs.web.page_router import make_page_router

#: Returns name and colour of each lane, given a race's JSON and whether the theme is dark.
LaneStyles = Callable[[list[dict[str, Any]], bool], list[tuple[str, str]]]


_STATUS: dict[type[Exception], int] = {NoSuchRace: 404, NoTour: 404, NotComparable: 400}


def add_race_routes(app: FastAPI, races: RaceService, base: str, style: LaneStyles, ending: str) -> None:
    """Add the routes to the FastAPI application `app` below `base`, which ends with a slash.

    `ending` is a function that describes the end of a race in a sentence, given the lanes of its JSON and a `RaceEnd`;
    processes import it by its module and name.
    """
    answer = races.run_service.computations.answer

    def adopt(path: Path, owner: str) -> str:
        return races.adopt(path, owner).id

    router = make_page_router(app, base, _STATUS, "races", races.run_service, adopt)

    @router.get("/races/{race}")
    def summary(race: str) -> Response:
        return JSONResponse({**races.find(race).to_json(), "state": races.state(race)})

    def draw(
        name: dict[str, str], runs: Sequence[str], lanes: list[dict[str, Any]], width: str, theme: str, progress: str
    ) -> Response:
        paths = [races.run_service.path(run) for run in runs]
        look = {"width": width, "theme": theme, "progress": progress}
        values = [str(path) for path in paths], style(lanes, theme == "dark"), lanes, ending, not name, look
        return answer("runs.races.gif:animate", *values, name, version=tuple(map(read_stamp, paths)))

    @router.get("/races/{race}/race.gif")
    def gif(race: str, width: str = "", theme: str = "", progress: str = "") -> Response:
        stored_race = races.find(race)
        return draw({}, stored_race.runs, stored_race.spec.to_json()["lanes"], width, theme, progress)

    @router.get("/races/{race}/race.tourrace")
    def file(race: str) -> Response:
        stored_race = races.find(race)
        paths = [races.run_service.path(run) for run in stored_race.runs]
        values = stored_race.to_json(), [str(path) for path in paths]
        return answer("runs.races.file:pack_race", *values, version=tuple(map(read_stamp, paths)))

    @router.get("/compared.gif")
    async def compared_gif(runs: str = "", width: str = "", theme: str = "", progress: str = "") -> Response:
        names = [run for run in runs.split(",") if run]
        comparison = await COMPARISONS.run(prepare_comparison, races.run_service, names)
        name = download_headers(comparison.instance.name, "compared", suffix=".gif")
        return draw(name, comparison.runs, list(comparison.lanes), width, theme, progress)

    app.include_router(router)
