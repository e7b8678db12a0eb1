"""Instance references as menu values: a name unchanged, any other reference as compact JSON."""

import json
from collections.abc import Mapping

from components.shell.texts import instances as text
from components.types import Json, JsonObject
from data import plain_json
from data.errors import InvalidInstance

#: Maximum length of a value; enough for a reference with as many inline cities as are allowed.
MAX_CHARACTERS = 20_000


def menu_value(reference: Mapping[str, Json]) -> str:
    """Return a reference's menu value, the inverse of `parse_reference`."""
    if set(reference) == {"name"} and isinstance(reference["name"], str):
        return reference["name"]
    return json.dumps(reference, separators=(",", ":"))


def parse_reference(value: Json) -> JsonObject:
    """Return the reference of a menu value.

    Raises
    ------
    InvalidInstance
        ``REFERENCE``, if the value is invalid.
    """
    if not isinstance(value, str) or not value or len(value) > MAX_CHARACTERS:
        raise InvalidInstance("REFERENCE", text("reference.missing"))
    if not value.startswith("{"):
        return {"name": value}
    try:
        return plain_json.loads(value)
    except ValueError:
        raise InvalidInstance("REFERENCE", text("reference.damaged")) from None
