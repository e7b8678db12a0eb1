"""``POST pictures``: turns a picture in the request's body into cities; options are in the query."""

import math
import re
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response
from starlette.requests import ClientDisconnect

from data.collection.uploads import make_reference
from data.errors import InvalidInstance
from data.instance import Instance
from data.limits import MAX_PICTURE_BYTES
from runs.imports.receive import receive
from runs.service import RunService


def add_route(router: APIRouter, run_service: RunService) -> None:
    """Add the route, which answers with the reference of the stored instance."""

    @router.post("/pictures")
    async def picture(
        request: Request, name: str = "", cities: str = "", contrast: str = "1", invert: str = "0", seed: str = "1"
    ) -> Response:
        options = (_parse_integer(cities), _parse_number(contrast), invert == "1", _parse_integer(seed))

        def adopt(upload: Path) -> Instance:
            if upload.stat().st_size > MAX_PICTURE_BYTES:
                raise InvalidInstance("LIMIT", f"The picture has more than {MAX_PICTURE_BYTES // 1_000_000} MB.")
            return run_service.adopt_picture(upload, name[:200], *options)

        try:
            instance = await receive(request, run_service.home.incoming, adopt)
        except ClientDisconnect:  # the client has left
            return Response(status_code=400)
        return JSONResponse({"reference": make_reference(instance.sha256, instance.upload), "name": instance.name})


def _parse_integer(text: str) -> int:
    if not re.fullmatch("[0-9]{1,16}", text, re.ASCII):
        raise InvalidInstance("RANGE", "The number of cities and the seed must be whole numbers.")
    return int(text)


def _parse_number(text: str) -> float:
    value = float(text) if re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,6})?", text, re.ASCII) else math.nan
    if math.isnan(value):
        raise InvalidInstance("RANGE", "The contrast must be a number.")
    return value
