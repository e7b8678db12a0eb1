"""Custom panels on the Watch page: modules with a layout and callbacks on the stores that follow the run.

Scripts set the stores at most twice a second (`assets/watch/stores.js`):

- `components.shell.ids.PROGRESS`: ``run`` (id or None), ``state``, ``iterations``, ``evaluations``, ``seconds``,
  ``best`` (the best length so far), ``optimum``, ``gap`` (percent), ``proof``, ``proven``,
  ``bound`` (a length that no tour is below), ``bound_gap`` (percent above it), ``reference`` (the one of both that the
  gap of the best is measured from); unknown values are None.
- `components.shell.ids.ROWS`: the climbers that have finished since the last ones, at most 2,000, the newest:
  ``run``, ``first`` (the number of all that came before them) and the columns ``climber``, ``length``, ``moves``,
  ``evaluations``, ``seconds``. None before the first.
- `components.shell.ids.PICTURE`: the picture of pheromone that is shown: ``run``, ``iteration``, ``low`` and
  ``high`` (its weakest and its strongest trail), ``ants`` (``shortest`` and ``longest`` tour, or None). None before.
"""

import importlib
from collections.abc import Iterable
from typing import Protocol, cast

import dash
from dash import html

from components.shell.texts import watch as text


class Panel(Protocol):
    """A module that adds a panel to the Watch page."""

    def layout(self) -> html.Section:
        """Return the panel's components; their ids must not be on the page already."""
        ...

    def register(self, app: dash.Dash) -> None:
        """Connect the panel's callbacks."""
        ...


def load(names: Iterable[str]) -> list[Panel]:
    """Import panels by their module names.

    Raises
    ------
    ImportError
        If there is no such module.
    TypeError
        If the module has no ``layout`` or no ``register``.
    """
    panels = []
    for name in names:
        module = importlib.import_module(name)
        for part in ("layout", "register"):
            if not callable(getattr(module, part, None)):
                raise TypeError(text("panels.no-function", panel=name, function=part))
        panels.append(cast(Panel, module))
    return panels
