"""Tick positions on a logarithmic axis."""

import math
from collections.abc import Sequence

#: From this many powers of ten on, only these are labelled.
_DECADES = 2.5


def choose_log_ticks(values: Sequence[float]) -> list[float]:
    """Return ticks at powers of ten and, if these are few, at two and five times them."""
    low, high = (math.log10(extreme(values)) for extreme in (min, max))
    steps = (1, 2, 5) if high - low < _DECADES else (1,)
    powers = range(math.floor(low) - 1, math.ceil(high) + 1)
    return [step * 10.0**power for power in powers for step in steps]
