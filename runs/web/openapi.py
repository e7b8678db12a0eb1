"""Answers ``GET openapi.json`` with the description of all routes, ``openapi.json`` beside this file.

The file is written by hand as a contract. One test compares it with the actual routes, another sends requests that it
allows. Pages and their callbacks, which Dash serves, are not included.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

from fastapi.responses import JSONResponse, Response

PATH = "openapi.json"


@cache
def load_description() -> dict[str, Any]:
    """Return the OpenAPI document; its paths are relative to the server's address."""
    document: dict[str, Any] = json.loads(Path(__file__).with_name(PATH).read_text("utf-8"))
    return document


def add_description_route(server: Any, base: str) -> None:
    """Add the route below `base`, which ends with a slash."""

    @server.get(f"{base}{PATH}", include_in_schema=False)
    def answer() -> Response:
        return JSONResponse({**load_description(), "servers": [{"url": base.rstrip("/") or "/"}]})
