"""Gaps between lengths. Plain Python; `assets/common/format.js` has the same rule for pages."""


def gap_percent(length: int, reference: int | None) -> float | None:
    """The gap of a length to a reference (a bound or the best known length) in percent; None if undefined.

    Nothing is a percentage of a reference that is not above 0: only the same length has a gap then, of 0.

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
    """The gap in plain English: in percent, or as a length where the reference is not above 0."""
    percent = gap_percent(length, reference)
    return f"{length - reference:,}" if percent is None else f"{percent:.2f} %"
