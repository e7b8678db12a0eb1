"""A population's figure: one iteration's tour lengths above, a curve over the iterations below."""

from components.figures.ants import ants_figure
from components.figures.canvas import Figure


def population_figure() -> Figure:
    """Return the empty figure, laid out like the ants'; `assets/watch/population/population.js` draws traces and words.

    Returns
    -------
    dict
        A figure without traces.
    """
    return ants_figure()
