"""Custom panels on the Watch page: modules with a layout, and callbacks on the run's stores.

Scripts set the stores at most twice a second (`assets/watch/stores.js`):

- `components.shell.ids.PROGRESS`: ``run`` (id or None), ``state``, ``iterations``, ``evaluations``, ``seconds``,
  ``best`` (the best length so far), ``optimum``, ``gap`` (percent), ``proof``, ``proven``, ``bound`` (a lower bound on
  the length of a tour), ``bound_gap`` (percent above it), ``reference`` (the optimum or the bound, whichever the gap is
  measured from); unknown values are None.
- `components.shell.ids.ROWS`: the newest climbers, at most 2,000, that have finished since the last update: ``run``,
  ``first`` (the number of all climbers before them) and the columns ``climber``, ``length``, ``moves``,
  ``evaluations``, ``seconds``. None before the first climber has finished.
- `components.shell.ids.PICTURE`: the picture of pheromone that is shown: ``run``, ``iteration``, ``low`` and ``high``
  (its weakest and strongest trail), ``ants`` (``shortest`` and ``longest`` tour, or None). None before the first
  picture.
"""

import importlib
from collections.abc import Iterable
from typing import Protocol, cast

from dash import Dash, html

from components.shell.texts import watch as text


class Panel(Protocol):
    """A module that adds a panel to the Watch page."""

    def layout(self) -> html.Section:
        """Return the panel's components, whose ids must not be on the page already."""
        ...

    def register(self, app: Dash) -> None:
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
