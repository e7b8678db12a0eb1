"""JSON responses to the pages' scripts."""

import json

from fastapi.responses import Response

from components.types import Payload


def json_answer(value: Payload, status: int = 200) -> Response:
    """Encode JSON in ASCII, as text from files and forms may have unpaired surrogates, which UTF-8 lacks."""
    return Response(json.dumps(value, allow_nan=False), status, media_type="application/json")
