"""Uploads: drop areas, and decoding of callbacks' data URLs."""

import base64
import binascii
import re

from dash import html

from components.shell.controls import hyphenate_names, icon, live_note
from components.shell.texts import common as text
from data.errors import InvalidInstance

#: Emphasised parts of a text: ``<b>…</b>`` and ``<u>…</u>``.
_MARKED = re.compile(r"<(b|u)>(.*?)</\1>")


def drop_area(area_id: str, note_id: str, what: str, max_bytes: int, can_paste: bool = False) -> list:
    """Return a drop area for a file, and the line that says why a file is refused.

    `assets/common/upload.js` adds the input to the label and sends the file, unless it is larger than `max_bytes`.
    """
    words = text("upload.paste", what=what) if can_paste else text("upload.drop", what=what)
    before, _, named, between, _, browse, after = _MARKED.split(words)
    invitation = [icon("upload"), html.Span([before, html.B(named), between, html.U(browse), after])]
    limit = hyphenate_names(data_max_bytes=str(max_bytes), data_note=note_id)
    area = html.Label(invitation, id=area_id, className="drop")
    return [html.Div(area, className="drop-frame", **limit), live_note(note_id, style="refusal")]


def decode_upload(contents: object) -> bytes:
    """Decode an upload.

    Raises
    ------
    InvalidInstance
        ``UPLOAD``, if `contents` is not a data URL in base64.
    """
    if not isinstance(contents, str) or ";base64," not in contents[:200]:
        raise InvalidInstance("UPLOAD", text("upload.not-received"))
    try:
        return base64.b64decode(contents.split(",", 1)[1], validate=True)
    except binascii.Error:
        raise InvalidInstance("UPLOAD", text("upload.damaged")) from None
