"""Gaps between lengths, in plain Python; `assets/common/format.js` has the same rule."""


def gap_percent(length: int, reference: int | None) -> float | None:
    """Return a length's gap to a reference (a bound or the best known length) in percent; None if undefined.

    Percentages of a reference that is not positive are undefined, except for an equal length, whose gap is 0.

    Parameters
    ----------
    length : int
    reference : int or None
        None if none is known.
    """
    if length == reference:
        return 0.0
    return None if reference is None or reference <= 0 else 100.0 * (length - reference) / reference


def gap_text(length: int, reference: int) -> str:
    """Return the gap in English: in percent, or as a length if the reference is not positive."""
    percent = gap_percent(length, reference)
    return f"{length - reference:,}" if percent is None else f"{percent:.2f} %"
