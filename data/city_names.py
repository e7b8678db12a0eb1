"""Names of cities: one line of text for each city, or no names at all."""

from collections.abc import Iterable

from data.limits import MAX_CITY_NAME
from data.tsplib.normal_form import reduce_to_line


def format_city_count(n: int) -> str:
    """Format a number of cities for a sentence, such as "52 cities"."""
    return "1 city" if n == 1 else f"{n:,} cities"


def shorten_names(texts: Iterable[str]) -> tuple[str, ...]:
    """Shorten texts to names that fit on a line; return no names if all texts are empty."""
    names = tuple(reduce_to_line(text, MAX_CITY_NAME) for text in texts)
    return names if any(names) else ()


def check_names(value: object, n: int) -> tuple[str, ...]:
    """Validate the names that a file declares for n cities.

    Raises
    ------
    ValueError
        If the value is neither a list of n names nor an empty list.
    """
    texts = isinstance(value, list | tuple) and all(isinstance(name, str) for name in value)
    if not isinstance(value, list | tuple) or not texts or len(value) not in (0, n):
        raise ValueError("the names of the cities are not one text for each city")
    if any(reduce_to_line(name, MAX_CITY_NAME) != name for name in value):
        raise ValueError(f"the name of a city is one line of at most {MAX_CITY_NAME} characters")
    return tuple(value)
