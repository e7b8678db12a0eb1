"""The figure of a population: the lengths of one iteration's tours above, a curve over the iterations below."""

from components.figures.ants import ants_figure
from components.figures.canvas import Figure


def population_figure() -> Figure:
    """The empty figure, laid out as that of ants; `assets/watch/population/population.js` draws its traces and words.

    Returns
    -------
    dict
        Without traces.
    """
    return ants_figure()
