"""A class for each algorithm with its parameters, made from the program's declarations (``algorithms.json``)."""

import json
from dataclasses import field, make_dataclass
from pathlib import Path
from typing import Any, Literal  # noqa: F401 - used in the types of parameters

from tourscope.algorithm import Algorithm


def _make_class(declaration: dict[str, Any]) -> type[Algorithm]:
    params = [(name, kind, field(default=_parse_default(default))) for name, kind, default in declaration["params"]]
    namespace = {
        "name": declaration["name"],
        "title": declaration["title"],
        "__doc__": declaration["doc"],
        "__module__": __name__,
    }
    return make_dataclass(
        declaration["class"], params, bases=(Algorithm,), namespace=namespace, frozen=True, kw_only=True
    )


def _parse_default(default: Any) -> Any:
    """Convert a default from JSON; lists become tuples."""
    return tuple(default) if isinstance(default, list) else default


_DECLARED = json.loads(Path(__file__).with_name("algorithms.json").read_text("utf-8"))
_CLASSES = {entry["class"]: _make_class(entry) for entry in _DECLARED}
globals().update(_CLASSES)
__all__ = sorted(_CLASSES)
