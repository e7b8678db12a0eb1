"""A population's figure: one iteration's tour lengths above, a curve over the iterations below."""

from components.figures.ants import ants_figure
from components.figures.canvas import Figure


def population_figure() -> Figure:
    """Return an empty figure with the ants' layout; `assets/watch/population/population.js` adds curves and text.

    Returns
    -------
    dict
        A figure without traces.
    """
    return ants_figure()
