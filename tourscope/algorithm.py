"""The base class of algorithms with parameters."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from pathlib import Path
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
    """Convert a value to JSON, including NumPy's values."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return [_to_json(item) for item in value] if isinstance(value, tuple | list) else value


@dataclass(frozen=True, init=False)
class Own(Algorithm):
    """Your own solver, as in ``--solver``; its parameters are those declared in the file.

    The file is code: it runs with all your rights, in a process of the program. Each run loads the file in its current
    state.

    Parameters
    ----------
    file : str or path
        ``FILE.py``, or ``FILE.py:CLASS`` if it has several solvers.
    **params
        Parameters of the solver; omitted ones have their defaults.

    Examples
    --------
    >>> import tourscope as ts
    >>> ts.Own("my_solver.py", climbers=3).params
    {'climbers': 3}
    """

    name: ClassVar[str] = "own"
    title: ClassVar[str] = "A solver of your own"

    file: str
    params: dict[str, Any]

    def __init__(self, file: str | os.PathLike[str], **params: Any) -> None:
        object.__setattr__(self, "file", str(Path(file).expanduser().absolute()))
        object.__setattr__(self, "params", params)

    def to_json(self) -> dict[str, Any]:
        """Return the stage of a run's specification; the program reads the solver's name from the file."""
        return {"file": self.file, "params": {name: _to_json(value) for name, value in self.params.items()}}
