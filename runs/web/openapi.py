"""Answers ``GET openapi.json``: the description of all routes, ``openapi.json`` beside this file, for other programs.

It is written by hand, as the contract that it is; a test holds it against the routes that there are, and another one
sends what it allows. Pages and their callbacks, which Dash serves, are not in it.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

from fastapi.responses import JSONResponse, Response

PATH = "openapi.json"


@cache
def description() -> dict[str, Any]:
    """The OpenAPI document; its paths are relative to the server's address."""
    document: dict[str, Any] = json.loads(Path(__file__).with_name(PATH).read_text("utf-8"))
    return document


def add_description_route(server: Any, base: str) -> None:
    """Add the route below `base`, which ends with a slash."""

    @server.get(f"{base}{PATH}", include_in_schema=False)
    def answer() -> Response:
        return JSONResponse({**description(), "servers": [{"url": base.rstrip("/") or "/"}]})
