"""Chooses the iterations that have pictures, of trails and ants or of a population."""

#: Number of iterations at the start that all have a picture, and number of pictures per doubling after that.
_EVERY_ITERATION, _PER_DOUBLING = 64, 32


def find_next_picture(iteration: int) -> int:
    """Return the next iteration that has a picture: at first every one, then a fixed number per doubling."""
    later = iteration + 1
    step = 1 if later < _EVERY_ITERATION else (1 << (later.bit_length() - 1)) // _PER_DOUBLING
    return -(-later // step) * step


#: Approximate number of bytes per city in an iteration's explanation, and maximum number of bytes of all explanations.
_CITY_BYTES, _ALL_BYTES = 90, 16 << 20
#: Minimum and maximum number of cities for which iterations are explained; with more, an explanation takes too long.
_MIN_CITIES, _MAX_CITIES = 3, 5_000


def is_explainable(n: int) -> bool:
    """Return whether iterations on n cities can be explained."""
    return _MIN_CITIES <= n <= _MAX_CITIES


def is_explained(iteration: int, n: int) -> bool:
    """Return whether the record explains an iteration, counted from 1; some iterations with a picture are explained."""
    fits = iteration * n * _CITY_BYTES <= _ALL_BYTES
    return fits and is_explainable(n) and find_next_picture(iteration - 1) == iteration
