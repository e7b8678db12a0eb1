"""Decodes untrusted JSON with limits on size, depth and kinds of values."""

import json
import math
import sys
from typing import Any

#: Maximum number of nested lists and objects; pages send at most about 30.
DEPTH = 100
#: Maximum number of values in total: slightly more than a tour of the largest instance.
VALUES = 250_000
#: Characters that precede values: a text has at most one value more than it has of these characters.
_MARKS = b",[{"
_PIECE = 1 << 16
_WHOLE = int(sys.float_info.max)


def loads(text: str | bytes, values: int = VALUES) -> Any:
    """Decode a JSON text, unless it has more than `values` values.

    Raises
    ------
    ValueError
        If the text is invalid JSON, or not `is_plain`.
    """
    if count_marks(text.encode(errors="replace") if isinstance(text, str) else text, most=values) > values:
        raise ValueError("the JSON is too large")
    try:
        value = json.loads(text)
    except RecursionError:
        raise ValueError("the JSON is nested too deeply") from None
    if not is_plain(value):
        raise ValueError("the JSON is not what a browser reads")
    return value


def count_marks(text: bytes, before: int = 0, most: int = VALUES) -> int:
    """Count the commas and opening brackets in a text, even in strings, and add `before`.

    Counting stops beyond `most`. The cost of parsing depends on the number of values: 12 MB of empty lists take
    seconds, during which Python's parser blocks all other threads.
    """
    count = before
    for start in range(0, len(text), _PIECE):
        piece = text[start : start + _PIECE]
        count += len(piece) - len(piece.translate(None, _MARKS))
        if count > most:
            break
    return count


def is_plain(value: Any) -> bool:
    """Return whether browsers could read a decoded value too: finite numbers, whole characters, limited depth.

    Python accepts more: NaN, infinity, numbers beyond the range of a float, unpaired surrogates.
    """
    level = [value]
    for _ in range(DEPTH):
        below: list[Any] = []
        for each in level:
            if isinstance(each, dict):
                if not all(map(_is_text, each)):
                    return False
                below.extend(each.values())
            elif isinstance(each, list):
                below.extend(each)
            elif not _is_plain_leaf(each):
                return False
        if not below:
            return True
        level = below
    return False


def _is_plain_leaf(value: Any) -> bool:
    if isinstance(value, str):
        return _is_text(value)
    if isinstance(value, float):
        return math.isfinite(value)
    return not isinstance(value, int) or abs(value) <= _WHOLE


def _is_text(value: str) -> bool:
    """Return whether a string can be encoded; JSON may have unpaired surrogates."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
