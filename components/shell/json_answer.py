"""JSON responses of the pages' routes to their scripts."""

import json
from typing import Any

from fastapi.responses import Response


def json_answer(value: Any, status: int = 200) -> Response:
    """JSON in ASCII: a text out of a file or a form may hold an unpaired surrogate, which cannot be encoded."""
    return Response(json.dumps(value, allow_nan=False), status, media_type="application/json")
