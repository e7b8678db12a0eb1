"""Files that a person brings: the place to drop them, and the data URL that `dcc.Upload` makes of them."""

import base64
import binascii
from typing import Any

from dash import dcc, html

from components.controls import attributes, icon, live_note
from data.errors import InvalidInstance


def drop_area(upload_id: str, note_id: str, what: str, max_bytes: int) -> list:
    """A place to drop a small file on, which travels in base64, and the line that says why one is refused.

    A file of more than `max_bytes` never leaves the browser: `assets/clientside.js` writes the refusal.
    """
    upload = dcc.Upload(
        _invitation(what), id=upload_id, className="drop", className_active="drop drop-active", max_size=max_bytes
    )
    return _framed(upload, note_id, max_bytes)


def raw_drop_area(upload_id: str, note_id: str, what: str, max_bytes: int) -> list:
    """As `drop_area`, for files of any size: `assets/upload.js` gives the label its input and sends the bytes."""
    return _framed(html.Label(_invitation(what), id=upload_id, className="drop"), note_id, max_bytes)


def _invitation(what: str) -> list:
    return [icon("upload"), html.Span(["Drop a ", html.B(what), " or ", html.U("browse")])]


def _framed(area: Any, note_id: str, max_bytes: int) -> list:
    limit = attributes(data_max_bytes=str(max_bytes), data_note=note_id)
    return [html.Div(area, className="drop-frame", **limit), live_note(note_id, style="refusal")]


def decoded(contents: object) -> bytes:
    """The bytes of an upload.

    Raises
    ------
    InvalidInstance
        ``UPLOAD``, if `contents` is no data URL in base64.
    """
    if not isinstance(contents, str) or ";base64," not in contents[:200]:
        raise InvalidInstance("UPLOAD", "The file did not arrive: choose it again.")
    try:
        return base64.b64decode(contents.split(",", 1)[1], validate=True)
    except binascii.Error:
        raise InvalidInstance("UPLOAD", "The file arrived damaged: choose it again.") from None
