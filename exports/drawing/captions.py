"""The texts of pictures: numbers as on the page, and the gap of a tour."""

import numpy as np

from data.gaps import gap_percent
from data.instance import Instance
from solvers.result import uses_missing

MINUS = "\u2212"


def number(value: int) -> str:
    """Format an integer, with its thousands grouped as on the page."""
    return f"{value:,}".replace(",", "\u202f").replace("-", MINUS)


def measure(value: float) -> str:
    """Format a number of any size with two significant digits: 0.012, 4.6·10^−7; the typeface lacks superscripts."""
    digits, _, power = f"{value:.1e}".partition("e")
    if value == 0 or -3 <= int(power) < 5:
        return f"{float(f'{value:.1e}'):.12g}"
    return f"{float(digits):g}\u00b710^{power[0].replace('-', MINUS).replace('+', '')}{int(power[1:])}"


def describe_gap(length: int, instance: Instance) -> str:
    """Describe the gap of a length: "optimal", "12.9 % above optimal"; empty if no optimum is known.

    A tour that uses missing edges has no gap; the result is their number.
    """
    if uses := uses_missing(instance, length):
        return uses
    if instance.optimum is None:
        return ""
    reference = "optimal" if instance.proven else "best known"
    if length == instance.optimum:
        return reference
    gap = gap_percent(length, instance.optimum)
    size = number(abs(length - instance.optimum)) if gap is None else _percent(abs(gap))
    return f"{size} {'above' if length > instance.optimum else 'below'} {reference}"


def _percent(size: float) -> str:
    """Format a percentage without a sign; a nonzero percentage never reads as zero."""
    digits = 1 if size >= 9.995 else 2 if size >= 0.005 else int(np.ceil(-np.log10(size)))
    return f"{size:.{digits}f}\u202f%"


def line(*parts: str) -> str:
    """Join the nonempty parts of a line of text."""
    return " \u00b7 ".join(part for part in parts if part)
