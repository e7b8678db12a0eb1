"""All files of a site by name, and writing them to a folder."""

import base64
import json
import os
import re
import secrets
import shutil
import sqlite3
import tempfile
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

from components.embed.__main__ import check_copy
from components.embed.embedded import embed_run
from components.embed.script import REPLACEMENTS, build_player
from components.shell import bundle
from components.shell.bundle import FOLDER
from components.shell.texts import embed, watch
from components.shell.texts import site as text
from components.site import pages
from components.site.lessons import LESSONS, bundled_lessons, encode_instance, lesson_data
from data.home.place import default_home
from runs.imports.untrusted_files import InvalidUpload
from runs.language import current_language, use_language
from runs.store.run_file import SUFFIX

#: Replacements of modules that need a server or the Watch page.
_REPLACEMENTS = REPLACEMENTS | {
    "common/callbacks.js": "site/callbacks.js",
    "lesson/marks.js": "site/marks.js",
    "lesson/run_starter.js": "site/run_starter.js",
    "watch/tour/tour.js": "site/tour.js",
}
_ENTRY = "site/main.js"
_SHEETS = (
    "common/colours.css",
    "common/base.css",
    "common/brand.css",
    "common/buttons.css",
    "common/icons.css",
    "lesson/lesson.css",
    "site/site.css",
    "site/home.css",
    "site/columns.css",
)
_TYPES = {".svg": "image/svg+xml", ".woff2": "font/woff2"}
_URL = re.compile(r'url\("(?!data:)([^"]+)"\)')


def modules() -> set[str]:
    """Return all modules of the site's script, including replacements."""
    loaded = bundle.list_modules(_ENTRY, _REPLACEMENTS)
    return {_REPLACEMENTS.get(module, module) for module in loaded}


def build(runs: Sequence[str], name: str) -> dict[str, str]:
    """Return a site's files by name.

    Parameters
    ----------
    runs : sequence of str
        Runs to show: ids of runs in the data folder, or paths of saved runs.
    name : str
        Language of the pages, one of `runs.language.LANGUAGES`.

    Raises
    ------
    InvalidUpload
        If there is no such run, or its file is not a run file.
    OSError
    """
    with use_language(name):
        played = {f"run-{number}.html": _pack(run) for number, run in enumerate(runs, 1)}
        return {**_scripts(), "site.css": _sheet(), **_documents(played)}


def _scripts() -> dict[str, str]:
    return {
        "theme.js": (FOLDER / "early" / "theme.js").read_text("utf-8"),
        "player.js": f"window.showRun = {build_player(language=current_language())};\n",
        "site.js": f"({bundle.build_maker(_ENTRY, _REPLACEMENTS, {}, current_language())})();\n",
    }


def _documents(played: dict[str, tuple[str, dict[str, Any]]]) -> dict[str, str]:
    icon = _data_address(FOLDER / "mark.svg")
    lessons = bundled_lessons()
    files = {}
    titles = [(file, title) for file, (title, _) in played.items()]
    data = {"page": "home", "instance": encode_instance("rd100")}
    files["index.html"] = pages.document("TourScope", pages.home(lessons, titles), data, icon, "index.html")
    for each, after in zip_longest(lessons, lessons[1:]):
        body, title = pages.lesson(each), text("title", page=each.title)
        files[f"{each.id}.html"] = pages.document(title, body, lesson_data(each, after), icon)
    data = {"page": "beat", "instance": encode_instance("berlin52")}
    title = text("title", page=watch("hand.open"))
    files["beat.html"] = pages.document(title, pages.beat(), data, icon, "beat.html")
    for file, (title, packed) in played.items():
        files[file] = pages.document(title, pages.run(title), {"page": "play", **packed}, icon)
    return files


def _pack(reference: str) -> tuple[str, dict[str, Any]]:
    """Return a run's title and data."""
    saved = Path(reference)
    default_path = default_home() / "runs" / f"{reference}{SUFFIX}"
    path = saved if saved.suffix == SUFFIX else default_path
    if not path.is_file():
        raise InvalidUpload(text("run.unknown", run=reference))
    try:
        with tempfile.TemporaryDirectory() as name:
            embedded, block, run = embed_run(check_copy(path, Path(name)))
    except sqlite3.Error:
        raise InvalidUpload(text("run.unreadable", run=reference)) from None
    stage = run.values["spec"]["stages"][-1]["algorithm"]
    titles: Any = embedded["units"]
    title = embed("title", instance=run.instance["name"], algorithm=titles[stage]["title"])
    return title, {"embedded": embedded, "bytes": base64.b64encode(block).decode()}


def _sheet() -> str:
    """Return the style sheet with pictures and fonts inside, and a rule for each card's picture."""
    pictures = {name: FOLDER / "learn" / "pictures" / f"{name}.svg" for name in LESSONS} | {"beat": FOLDER / "mark.svg"}
    cards = [f'.site-picture-{name}{{--picture:url("{_data_address(path)}")}}' for name, path in pictures.items()]
    text = "\n".join([*(_self_contained(FOLDER / name) for name in _SHEETS), *cards])
    return re.sub(r"/\*.*?\*/\s*", "", text, flags=re.DOTALL)


def _self_contained(sheet: Path) -> str:
    """Return a style sheet's text with the files that it names as data addresses."""
    return _URL.sub(lambda match: f'url("{_data_address(sheet.parent / match[1])}")', bundle.read_sheet(sheet))


def _data_address(path: Path) -> str:
    """Return a file's contents as a data address."""
    return f"data:{_TYPES[path.suffix]};base64,{base64.b64encode(path.read_bytes()).decode()}"


#: File that marks a folder as a site, with the names of its files.
MARKER = "site.json"


class FolderTaken(ValueError):
    """The folder contains files that do not belong to a site."""


def write(folder: Path, files: Mapping[str, str]) -> None:
    """Write a site's files beside the folder, then replace it.

    Parameters
    ----------
    folder : Path
        A folder that does not exist, is empty, or contains only the files of an earlier site.
    files : mapping of str to str

    Raises
    ------
    FolderTaken
    OSError
        If the files cannot be written; the folder is then as before.
    """
    folder = folder.resolve()
    check(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    new = folder.with_name(f".{folder.name}.{secrets.token_hex(4)}")
    old = new.with_name(f"{new.name}.old")
    try:
        new.mkdir()
        for name, content in files.items():
            (new / name).write_text(content, "utf-8", newline="\n")
        (new / MARKER).write_text(json.dumps({"files": sorted(files)}, indent=1), "utf-8")
        if folder.exists():
            os.rename(folder, old)
        try:
            os.rename(new, folder)
        except BaseException:
            if old.exists():
                os.rename(old, folder)
            raise
    finally:
        shutil.rmtree(new, ignore_errors=True)
    shutil.rmtree(old, ignore_errors=True)


def check(folder: Path) -> None:
    """Check that replacing the folder loses nothing.

    Raises
    ------
    FolderTaken
    """
    if folder.exists() and not folder.is_dir():
        raise FolderTaken(text("folder.file", folder=str(folder)))
    there = {path.name for path in folder.iterdir()} if folder.exists() else set()
    if others := sorted(there - _files_of_site(folder)):
        raise FolderTaken(text("folder.taken", folder=str(folder), file=others[0]))


def _files_of_site(folder: Path) -> set[str]:
    """Return the names of the site's files in this folder; none if the folder has no marker."""
    try:
        listed = json.loads((folder / MARKER).read_text("utf-8"))["files"]
    except (OSError, ValueError, KeyError, TypeError):
        return set()
    return {MARKER, *(name for name in listed if isinstance(name, str))} if isinstance(listed, list) else set()
