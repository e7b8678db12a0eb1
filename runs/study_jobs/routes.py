"""HTTP routes of studies: uploads, and downloads in several formats."""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import orjson
from fastapi import FastAPI
from fastapi.responses import Response

from data.sqlite_files import copy, read_stamp
from runs.computing.answer import Answer, download_headers
from runs.presets import NoSuchPreset
from runs.study_jobs.errors import NoSuchStudy
from runs.study_jobs.service import StudyService
from runs.web.page_router import make_page_router
from solvers.presets.preset_file import SUFFIX as PRESET_SUFFIX
from studies.errors import InvalidStudy, MissingPackage
from studies.export import csv, iohprofiler, latex, parquet
from studies.file.reader import SUFFIX, StudyReader

#: A function that writes a study's download to a file.
Writer = Callable[[StudyReader, Path], object]


def _write_iohprofiler(reader: StudyReader, target: Path) -> None:
    with tempfile.TemporaryDirectory(dir=target.parent) as name:
        folder = Path(name)
        iohprofiler.export(reader, folder / "iohprofiler")
        os.replace(shutil.make_archive(str(folder / "archive"), "zip", folder, "iohprofiler"), target)


def _copy_file(reader: StudyReader, target: Path) -> None:
    """Copy a study's current state to a single file, even while it is written."""
    with closing(sqlite3.connect(f"{reader.path.resolve().as_uri()}?mode=ro", uri=True)) as source:
        copy(source, target)


#: Writer, media type, and suffix of the file name for each route.
DOWNLOADS: dict[str, tuple[Writer, str, str]] = {
    "runs.csv": (csv.export, "text/csv", "-runs.csv"),
    "runs.parquet": (parquet.export, "application/vnd.apache.parquet", "-runs.parquet"),
    "table.tex": (latex.export, "application/x-tex", ".tex"),
    "iohprofiler.zip": (_write_iohprofiler, "application/zip", "-iohprofiler.zip"),
    f"study{SUFFIX}": (_copy_file, "application/vnd.sqlite3", SUFFIX),
}
_STATUS: dict[type[Exception], int] = {NoSuchStudy: 404, NoSuchPreset: 404, InvalidStudy: 400, MissingPackage: 503}


def add_study_routes(app: FastAPI, studies: StudyService, base: str) -> None:
    """Add the routes to the FastAPI application `app` below `base`, which ends with a slash."""
    router = make_page_router(app, base, _STATUS, "studies", studies.run_service, studies.adopt)

    @router.get("/presets/{preset}")
    def download_preset(preset: str) -> Response:
        own_preset = studies.run_service.presets.get(preset)
        content = orjson.dumps(own_preset.to_json(), option=orjson.OPT_INDENT_2)
        return Response(
            content, media_type="application/json", headers=download_headers(own_preset.name, suffix=PRESET_SUFFIX)
        )

    @router.get("/studies/{study}/{name}")
    def download(study: str, name: str) -> Response:
        if name not in DOWNLOADS:
            raise NoSuchStudy
        path = studies.path(study)
        computations = studies.run_service.computations
        return computations.answer(f"{__name__}:export", str(path), name, version=read_stamp(path))

    app.include_router(router)


def export(path: str, name: str) -> Answer:
    """Build the file for a study's download.

    Raises
    ------
    InvalidStudy, MissingPackage
    """
    write, media_type, suffix = DOWNLOADS[name]
    with StudyReader(Path(path)) as reader:
        headers = download_headers(reader.spec.title or "study", suffix=suffix)

    def write_file(target: Path) -> None:
        with StudyReader(Path(path)) as reader:
            write(reader, target)

    return Answer(write_file, media_type, headers)
