"""Redirects addresses without a trailing slash, and answers unknown ones."""

from collections.abc import Sequence
from html import escape
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException

from runs.translation import translate

_STYLE = (
    ":root{color-scheme:light dark;font:1.1rem/1.5 system-ui,sans-serif}"
    "body{max-width:34rem;margin:15vh auto;padding:0 1rem}"
)
#: Path of the health check below the base path; see `runs.web.health`.
HEALTH = "healthz"


def answer_addresses(server: Any, base: str, pages: Sequence[str]) -> None:
    """Add these routes after all others; without them, Dash would show its last page at unknown addresses.

    Parameters
    ----------
    server : FastAPI
    base : str
        Base path, which ends with a slash.
    pages : sequence of str
        Addresses of the pages below `base`, with trailing slashes; empty for the page at `base`.
    """
    router = APIRouter(include_in_schema=False)

    def with_slash(request: Request) -> Response:
        query = f"?{request.url.query}" if request.url.query else ""
        return RedirectResponse(f"{request.url.path}/{query}")

    for page in pages:
        if without := (base + page).rstrip("/"):
            router.add_api_route(without, with_slash, methods=["GET"])

    @router.get("/{path:path}")
    def unknown(request: Request) -> Response:
        if "text/html" not in request.headers.get("accept", ""):
            raise HTTPException(404)
        sentence = f'There is no page at this address. <a href="{escape(base)}">Open TourScope</a>'
        head = f'<meta name="viewport" content="width=device-width"><title>TourScope</title><style>{_STYLE}</style>'
        return HTMLResponse(f"<!DOCTYPE html>{head}<p>{translate(sentence)}</p>", 404)

    server.include_router(router)
