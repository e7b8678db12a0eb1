"""JSON from and to the pages' scripts."""

import json

from fastapi import Request
from fastapi.responses import Response

from components.types import Json, Payload
from data import plain_json


def json_answer(value: Payload, status: int = 200) -> Response:
    """Encode JSON in ASCII, as text from files and forms may have unpaired surrogates, which UTF-8 lacks."""
    return Response(json.dumps(value, allow_nan=False), status, media_type="application/json")


async def read_json(request: Request) -> Json:
    """Return the JSON in a request's body; None if it is not JSON."""
    try:
        return plain_json.loads(await request.body())
    except ValueError:
        return None
