"""The figure of a population: the lengths of one iteration's tours above, a curve over the iterations below."""

from components.figures.ants import ants_figure
from components.figures.canvas import Figure


def population_figure() -> Figure:
    """Return the empty figure with the layout of the ants' figure; `assets/watch/population/population.js` draws traces
    and words.

    Returns
    -------
    dict
        A figure without traces.
    """
    return ants_figure()
