"""Instance references as values of the instance menu: a name unchanged, any other reference as compact JSON."""

import json
from typing import Any

from components.shell.texts import instances as text
from data import plain_json
from data.errors import InvalidInstance

#: Most characters of a value; more than any reference with the most inline cities needs.
MAX_CHARACTERS = 20_000


def menu_value(reference: dict[str, Any]) -> str:
    """Value of the menu for a reference; `parse_reference` is the inverse."""
    if set(reference) == {"name"} and isinstance(reference["name"], str):
        return reference["name"]
    return json.dumps(reference, separators=(",", ":"))


def parse_reference(value: object) -> dict[str, Any]:
    """Parse the reference in a value of the menu.

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
