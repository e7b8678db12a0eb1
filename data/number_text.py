"""Formats numbers for pages and pictures, with a point as decimal mark, which other languages may replace."""

import math
from decimal import ROUND_HALF_UP, Context, Decimal

#: Narrow no-break space, between thousands and between a number and its unit.
THIN = "\u202f"
MINUS = "\u2212"
_SUPERSCRIPTS = str.maketrans("0123456789\u2212", "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b")


def integer(value: int) -> str:
    """Format an integer with thin spaces between thousands, such as 24 022."""
    return f"{value:,}".replace(",", THIN).replace("-", MINUS)


def fixed(value: float, digits: int) -> str:
    """Format a number with a fixed number of decimals, such as 0.60."""
    rounded = Decimal(value).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    return f"{rounded:f}".replace("-", MINUS)


def precise(value: float, digits: int) -> str:
    """Format a number with a fixed number of significant digits, including trailing zeros."""
    rounded = _round(value, digits)
    return fixed(float(rounded), max(0, digits - 1 - rounded.adjusted()))


def _round(value: float, digits: int) -> Decimal:
    return Context(prec=digits, rounding=ROUND_HALF_UP).create_decimal(value)


def strip_zeros(digits: str) -> str:
    """Strip trailing zeros from decimals."""
    return digits.rstrip("0").rstrip(".") if "." in digits else digits


def measure(value: float, digits: int = 3, superscripts: bool = True) -> str:
    """Format a number of any size with a few significant digits, such as 0.0123, 4.56·10⁻⁷ or 4.56·10^−7."""
    rounded = _round(value, digits)
    power = rounded.adjusted() if value else 0
    if -3 <= power < 5:
        return strip_zeros(precise(value, digits))
    raised = integer(power).translate(_SUPERSCRIPTS) if superscripts else f"^{integer(power)}"
    return f"{strip_zeros(fixed(float(rounded.scaleb(-power)), digits - 1))}\u00b710{raised}"


def percent(size: float) -> str:
    """Format a percentage without sign; a nonzero one never reads as zero."""
    if size >= 999.5:
        return f"{integer(math.floor(size + 0.5))}{THIN}%"
    digits = 1 if size >= 9.995 else 2
    if 0 < size < 0.005:
        digits = min(20, math.ceil(-math.log10(size)))
    return f"{fixed(size, digits)}{THIN}%"
