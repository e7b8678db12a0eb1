"""Which values of a parametrized test `make test` runs; the others are `long`."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest


def shortened(values: Iterable[Any], is_short: Callable[[Any], bool]) -> list[Any]:
    """Values to parametrize a test by, of which those that `is_short` refuses are `long`; a tuple is several."""
    cases = [(value if isinstance(value, tuple) else (value,), is_short(value)) for value in values]
    return [pytest.param(*case, marks=[pytest.mark.long] * (not short)) for case, short in cases]
