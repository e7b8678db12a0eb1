"""The base class of algorithms with parameters."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np


@dataclass(frozen=True, kw_only=True)
class Algorithm:
    """An algorithm with its parameters, which are checked when a run begins.

    Attributes
    ----------
    name : str
        Name on the command line and in links.
    title : str
        Name on the page.
    """

    name: ClassVar[str]
    title: ClassVar[str]

    def to_json(self) -> dict[str, Any]:
        """Return the stage of a run's specification."""
        values = {field.name: _to_json(getattr(self, field.name)) for field in fields(self)}
        return {"algorithm": self.name, "params": values}


def _to_json(value: Any) -> Any:
    """Convert a value to JSON, including those of NumPy."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return [_to_json(item) for item in value] if isinstance(value, tuple | list) else value
