"""Reads untrusted JSON within limits of size, depth and kinds of values."""

import json
import math
import sys
from typing import Any

#: Most nested lists and objects; the page posts at most some 30.
DEPTH = 100
#: Most values in total.
VALUES = 1_000_000
_WHOLE = int(sys.float_info.max)


def loads(text: str | bytes) -> Any:
    """The decoded value of a JSON text.

    Raises
    ------
    ValueError
        If it is invalid JSON, or not `is_plain`.
    """
    try:
        value = json.loads(text)
    except RecursionError:
        raise ValueError("the JSON is nested too deeply") from None
    if not is_plain(value):
        raise ValueError("the JSON is too large")
    return value


def is_plain(value: Any) -> bool:
    """Whether a browser can read a decoded value too: finite numbers, whole characters, bounded depth and count.

    Python accepts more: NaN, infinity, numbers beyond the range of a float, unpaired surrogates.
    """
    level, count = [value], 0
    for _ in range(DEPTH):
        count += len(level)
        if count > VALUES:
            return False
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
            if len(below) > VALUES:
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
    """Whether a text can be encoded: JSON may contain an unpaired surrogate."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
