"""The values of parametrized tests in `make test`; the others are `long`."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest


def mark_parameters(values: Iterable[Any], mark: pytest.MarkDecorator, is_marked: Callable[[Any], bool]) -> list[Any]:
    """Parameters of a test, some of them marked; a tuple is several values."""
    return [
        pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=[mark] * is_marked(value))
        for value in values
    ]


def shorten(values: Iterable[Any], is_short: Callable[[Any], bool]) -> list[Any]:
    """Values of a test's parameters; those that `is_short` rejects are marked `long`."""
    return mark_parameters(values, pytest.mark.long, lambda value: not is_short(value))
