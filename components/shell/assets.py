"""What browsers load of ``assets/``: a page's modules and style sheets, below a folder that is named by their hash.

A release is another folder, so that no page mixes old files with new ones, and a browser may keep a file for good.
"""

import hashlib
import posixpath
import re
from functools import cache
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.responses import FileResponse

#: The folder of scripts and style sheets.
FOLDER = Path(__file__).resolve().parents[2] / "assets"
_IMPORT = re.compile(r'^(?:import|export)\b[^;"]*"(\.[^"]+)";', re.MULTILINE)
_FOR_GOOD = {"Cache-Control": "public, max-age=31536000, immutable"}


@cache
def version() -> str:
    """The hash of all files, which names their folder in addresses."""
    whole = hashlib.sha256()
    for path in sorted(FOLDER.rglob("*")):
        if path.is_file():
            whole.update(f"{path.relative_to(FOLDER).as_posix()}\n{path.stat().st_size}\n".encode())
            whole.update(path.read_bytes())
    return whole.hexdigest()[:16]


def address(base_path: str) -> str:
    """Where the files are, without a slash at the end; `base_path` has one."""
    return f"{base_path}assets/{version()}"


def modules(entry: str) -> tuple[str, ...]:
    """All modules that a module loads, itself at the end: each after those that it imports.

    Parameters
    ----------
    entry : str
        Path below ``assets/``, such as ``watch/main.js``.

    Raises
    ------
    OSError
        If one of them is not there.
    """
    seen, order = set[str](), list[str]()

    def visit(module: str) -> None:
        if module not in seen:
            seen.add(module)
            for imported in _imports(module):
                visit(imported)
            order.append(module)

    visit(entry)
    return tuple(order)


@cache
def _imports(module: str) -> tuple[str, ...]:
    folder = posixpath.dirname(module)
    named = _IMPORT.findall((FOLDER / module).read_text("utf-8"))
    return tuple(posixpath.normpath(posixpath.join(folder, path)) for path in named)


def sheets(*folders: str) -> list[str]:
    """All style sheets of these folders of ``assets/``, folder by folder, by their names."""
    return [path.relative_to(FOLDER).as_posix() for name in folders for path in sorted((FOLDER / name).rglob("*.css"))]


def add_route(server, base_path: str) -> None:
    """Serve the files of this release on the FastAPI application `server`; of another release there are none."""

    def serve(release: str, path: str) -> FileResponse:
        file = (FOLDER / path).resolve()
        if release != version() or not file.is_relative_to(FOLDER) or not file.is_file():
            raise HTTPException(404)
        return FileResponse(file, headers=_FOR_GOOD)

    # not only GET: a proxy may ask for the head alone
    server.add_api_route(
        f"{base_path}assets/{{release}}/{{path:path}}", serve, methods=["GET", "HEAD"], include_in_schema=False
    )
