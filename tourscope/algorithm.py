"""The base of the classes that name an algorithm and its parameters."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np


@dataclass(frozen=True, kw_only=True)
class Algorithm:
    """An algorithm with its parameters; they are checked when a run begins.

    Attributes
    ----------
    name : str
        The algorithm's name on the command line and in links.
    title : str
        Its name on the page.
    """

    name: ClassVar[str]
    title: ClassVar[str]

    def to_json(self) -> dict[str, Any]:
        """Return the stage of a run's specification."""
        values = {declared.name: _plain(getattr(self, declared.name)) for declared in fields(self)}
        return {"algorithm": self.name, "params": values}


def _plain(value: Any) -> Any:
    """Return a value as JSON has it, those of NumPy included."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return [_plain(each) for each in value] if isinstance(value, tuple | list) else value
