"""JSON responses of the pages' routes to their scripts."""

import json
from typing import Any

from fastapi.responses import Response


def json_answer(value: Any, status: int = 200) -> Response:
    """Encode JSON in ASCII, since text from a file or a form may contain an unpaired surrogate, which UTF-8 cannot
    encode.
    """
    return Response(json.dumps(value, allow_nan=False), status, media_type="application/json")
