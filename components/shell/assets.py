"""Serves ``assets/`` in a folder named after the hash of all files.

Each release has a folder of its own, so that no page mixes old and new files, and a browser may cache a file forever.
Besides the files, the folder offers a script and a style sheet for each page, ``pages/watch.js`` and
``pages/watch.css`` (`components.shell.bundle`), and a script for each other language, ``pages/watch.de.js``: the
language is part of the address, so that a browser can cache all of them.
"""

import asyncio
from collections.abc import Callable
from functools import cache
from mimetypes import guess_type
from pathlib import Path

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.responses import Response

from components.shell import bundle
from components.shell.bundle import FOLDER
from data.cache.cached_text import cached_text
from data.cache.folder_hash import folder_hash
from runs.language import DEFAULT, LANGUAGES

#: Folders of the style sheets that each page loads, in this order. The drawer of `components.how` counts as a page,
#: loaded by others when it opens.
PAGES = {
    "watch": ("common", "instances", "watch"),
    "race": ("common", "instances", "race"),
    "study": ("common", "study"),
    "library": ("common", "library"),
    "papers": ("common", "papers"),
    "learn": ("common", "learn"),
    "lesson": ("lesson",),  # a panel on Watch and Race, loaded only with a lesson
    "classroom": ("common", "classroom"),
    "how": ("how",),
    "lecture": ("lecture",),  # on a shared server, to lead or follow a lecture
    "draw": ("draw",),  # the dialog "Draw your own", loaded when it opens
    "itinerary": ("itinerary",),  # a dialog on Watch, loaded when it opens
    "lower_bound": ("lower_bound",),  # a dialog on Watch, loaded when it opens
    "nodes": ("nodes",),  # the nodes of a cluster, loaded when the list opens
    "picture": ("picture",),  # the dialog "Picture", loaded when it opens
    "video": ("video",),  # a dialog on Watch and Race, loaded when it opens
}
_TYPES = {"js": "text/javascript", "css": "text/css"}
_FOR_GOOD = {"Cache-Control": "public, max-age=31536000, immutable"}


@cache
def version() -> str:
    """Return the hash of all files, which names their folder in addresses."""
    return folder_hash(FOLDER)


def address(base_path: str) -> str:
    """Return the address of the files, without a trailing slash; `base_path` has one."""
    return f"{base_path}assets/{version()}"


def script_name(page: str, language: str) -> str:
    """Return the name of a page's script in a language."""
    return f"{page}.js" if language == DEFAULT else f"{page}.{language}.js"


@cache
def joined_file(name: str) -> str | None:
    """Return a page's script or style sheet by name, such as ``watch.css``; None if there is no such page."""
    page = name.partition(".")[0]
    if page not in PAGES:
        return None
    if name == f"{page}.css":
        return _cache_text(name, lambda: bundle.build_sheet(*PAGES[page]))
    language = next((language for language in LANGUAGES if name == script_name(page, language)), None)
    return _cache_text(name, lambda: bundle.build_script(f"{page}/main.js", language)) if language else None


def _cache_text(name: str, make: Callable[[], str]) -> str:
    """Cache a text that depends on all assets and on the code in this folder."""
    return cached_text("pages", f"{version()}-{folder_hash(Path(__file__).parent, '.py')}", name, make)


def add_route(server: FastAPI, base_path: str) -> None:
    """Serve this release's files on the FastAPI application `server`; files of other releases do not exist."""

    # Files are read without a thread, which would have to wait for its turn several times: the largest takes a
    # millisecond.
    async def serve(release: str, path: str) -> Response:
        folder, _, name = path.rpartition("/")
        text = await asyncio.to_thread(joined_file, name) if folder == "pages" else None
        file = (FOLDER / path).resolve()
        if release != version() or (text is None and not (file.is_relative_to(FOLDER) and file.is_file())):
            raise HTTPException(404)
        if text is None:
            return Response(file.read_bytes(), headers=_FOR_GOOD, media_type=guess_type(file)[0])
        return Response(text, headers=_FOR_GOOD, media_type=_TYPES[name.rpartition(".")[2]])

    # not only GET, since a proxy may send HEAD
    server.add_api_route(
        f"{base_path}assets/{{release}}/{{path:path}}", serve, methods=["GET", "HEAD"], include_in_schema=False
    )
