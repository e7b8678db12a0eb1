"""A user's own solver, loaded from its file."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from tourscope.algorithm import Algorithm, _to_json


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
