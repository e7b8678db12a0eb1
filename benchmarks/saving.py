"""Files of results: JSON with a line for each value, down to a depth."""

import json
from pathlib import Path
from typing import Any


def save(results: dict[str, Any], output: Path | None, depth: int = 99) -> None:
    """Write results to a file, if one is named; values below the given depth share a line."""
    if output:
        output.write_text(_format_json(results, depth) + "\n", encoding="utf-8")


def _format_json(value: Any, depth: int, indent: int = 1) -> str:
    if not (depth and value and isinstance(value, dict | list | tuple)):
        return json.dumps(value)
    space, inner = "\n" + " " * indent, value.values() if isinstance(value, dict) else value
    items = [_format_json(each, depth - 1, indent + 1) for each in inner]
    if isinstance(value, dict):
        items = [f"{json.dumps(key)}: {item}" for key, item in zip(value, items, strict=True)]
    begin, end = "{}" if isinstance(value, dict) else "[]"
    return f"{begin}{space}{f',{space}'.join(items)}{space[:-1]}{end}"
