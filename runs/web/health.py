"""The server's health check, for monitoring."""

import os
import shutil
from typing import Any

from fastapi.responses import JSONResponse, Response

from runs.service import RunService
from runs.web.addresses import HEALTH

#: Free disk space of the data folder in bytes below which the server counts as unhealthy, since runs could not be
#: written.
MIN_FREE = 64 << 20


def add_health_route(server: Any, run_service: RunService, base: str) -> None:
    """Add ``GET healthz``: 200 with ``{"state": "ok"}``, or 503 with a sentence."""

    @server.get(f"{base}{HEALTH}", include_in_schema=False)
    def health() -> Response:
        if problem := _find_problem(run_service):
            return JSONResponse({"state": "ill", "sentence": problem}, 503)
        return JSONResponse({"state": "ok"})


def _find_problem(run_service: RunService) -> str:
    """Return a sentence about the problem; empty if there is none. It names no path, as anyone can read it."""
    folder = run_service.home.incoming
    if not os.access(folder, os.W_OK | os.X_OK):
        return "The data folder cannot be written."
    if shutil.disk_usage(folder).free < MIN_FREE:
        return "The disk of the data folder is nearly full."
    return ""
