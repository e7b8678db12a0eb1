"""JSON responses of the pages' routes to their scripts."""

import json

from fastapi.responses import Response

from components.types import Payload


def json_answer(value: Payload, status: int = 200) -> Response:
    """Encode JSON in ASCII, since text from a file or a form may contain an unpaired surrogate, which UTF-8 cannot
    encode.
    """
    return Response(json.dumps(value, allow_nan=False), status, media_type="application/json")
