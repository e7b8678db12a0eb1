"""The HTTP routes of studies: uploads, and downloads of a study in several formats."""

import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import orjson
from fastapi.responses import FileResponse, Response
from starlette.background import BackgroundTask

from data.sqlite_files import copy
from runs.presets import NoSuchPreset
from runs.study_jobs.errors import NoSuchStudy
from runs.study_jobs.service import StudyService
from runs.visitors import visitor
from runs.web.downloads import saved_as
from runs.web.page_router import page_router
from solvers.presets.preset_file import SUFFIX as PRESET_SUFFIX
from studies.errors import InvalidStudy, MissingPackage
from studies.export import csv, iohprofiler, latex, parquet
from studies.file.reader import SUFFIX, StudyReader

#: Writes a download of a study into a folder, and returns its path.
Writer = Callable[[StudyReader, Path], Path]


def _export(export: Callable[[StudyReader, Path], None]) -> Writer:
    def write(reader: StudyReader, folder: Path) -> Path:
        export(reader, folder / "export")
        return folder / "export"

    return write


def _iohprofiler(reader: StudyReader, folder: Path) -> Path:
    iohprofiler.export(reader, folder / "iohprofiler")
    return Path(shutil.make_archive(str(folder / "archive"), "zip", folder, "iohprofiler"))


def _file(reader: StudyReader, folder: Path) -> Path:
    """Copy the study in its current state into a single file, even while it is being written."""
    with closing(sqlite3.connect(f"{reader.path.resolve().as_uri()}?mode=ro", uri=True)) as source:
        copy(source, folder / "study")
    return folder / "study"


#: By route: writer, media type, and ending of the file name.
DOWNLOADS: dict[str, tuple[Writer, str, str]] = {
    "runs.csv": (_export(csv.export), "text/csv", "-runs.csv"),
    "runs.parquet": (_export(parquet.export), "application/vnd.apache.parquet", "-runs.parquet"),
    "table.tex": (_export(latex.export), "application/x-tex", ".tex"),
    "iohprofiler.zip": (_iohprofiler, "application/zip", "-iohprofiler.zip"),
    f"study{SUFFIX}": (_file, "application/vnd.sqlite3", SUFFIX),
}
_STATUS: dict[type[Exception], int] = {NoSuchStudy: 404, NoSuchPreset: 404, InvalidStudy: 400, MissingPackage: 503}


def add_study_routes(app, studies: StudyService, base: str) -> None:
    """Add the routes to the FastAPI application `app`, all below `base` (which ends with a slash)."""
    router = page_router(
        app, base, _STATUS, "studies", studies.run_service.incoming, lambda path: studies.adopt(path, visitor().id)
    )

    @router.get("/presets/{preset}")
    def download_preset(preset: str) -> Response:
        found = studies.run_service.presets.one(preset)
        content = orjson.dumps(found.to_json(), option=orjson.OPT_INDENT_2)
        return Response(content, media_type="application/json", headers=saved_as(found.name, ending=PRESET_SUFFIX))

    @router.get("/studies/{study}/{name}")
    def download(study: str, name: str) -> Response:
        if name not in DOWNLOADS:
            raise NoSuchStudy
        return _save_as(studies, study, *DOWNLOADS[name])

    app.include_router(router)


def _save_as(studies: StudyService, study: str, write: Writer, media_type: str, ending: str) -> Response:
    folder = Path(tempfile.mkdtemp(dir=studies.run_service.incoming))
    try:
        with StudyReader(studies.path(study)) as reader:
            title, content = reader.spec.title, write(reader, folder)
    except BaseException:
        shutil.rmtree(folder)
        raise
    headers = saved_as(title or "study", ending=ending)
    return FileResponse(
        content, media_type=media_type, headers=headers, background=BackgroundTask(shutil.rmtree, folder)
    )
