"""Formats numbers for the page: units, thin spaces between thousands, significant digits only.

Thin spaces between thousands are usual in all languages (ISO 80000-1); the decimal mark depends on the language. The
scripts use the same formats, in ``assets/common/format.js``; a test compares the two.
"""

import math

from components.shell.catalogues import current_texts
from data import number_text
from data.gaps import gap_percent
from data.number_text import MINUS, THIN

#: Shown instead of a missing number.
NONE = "\u2013"
_PREFIXES = ("", "k", "M", "G", "T", "P", "E")
#: Units of a duration: minimum seconds, key of the text, and the unit's length in seconds.
_SPANS = ((63113904, "time.years", 31556952), (172800, "time.days", 86400), (7200, "time.hours", 3600))


def format_integer(value: float) -> str:
    """Format a whole number with thin spaces between thousands, such as 24 022.

    Halves are rounded away from 0, so that a difference and its negative differ only in their sign.
    """
    return number_text.integer(_round(value) if isinstance(value, float) else int(value))


def format_fixed(value: float, digits: int) -> str:
    """Format a number with a fixed number of decimals, such as 0.60."""
    return localise_point(number_text.fixed(value, digits))


def localise_point(digits: str) -> str:
    """Replace the decimal point by the language's mark: 0.60 is 0,60 in German."""
    return digits.replace(".", decimal_mark())


def format_short(value: float) -> str:
    """Format a number with at most six significant digits, without trailing zeros, such as 0.05 or 12."""
    return localise_point(f"{value:g}".replace("-", MINUS))


def format_value(value: float) -> str:
    """Format a parameter's value without rounding whole numbers, such as 0.9995 or 100 000."""
    return format_integer(float(value)) if float(value).is_integer() else format_short(value)


def decimal_mark() -> str:
    """Return the language's decimal mark."""
    return current_texts("common")["number.decimal"]


def _round(value: float) -> int:
    rounded = math.floor(abs(value) + 0.5)
    return -rounded if value < 0 else rounded


def format_signed(value: float) -> str:
    """Format a whole number with a sign, such as −1 204, +34 or ±0."""
    rounded = _round(value)
    return "\u00b10" if rounded == 0 else f"{'+' if rounded > 0 else ''}{format_integer(rounded)}"


def format_percent(value: float) -> str:
    """Format a percentage with a sign; a non-zero gap is never rounded to zero."""
    return f"{MINUS if value < 0 else '+'}{localise_point(number_text.percent(abs(value)))}"


def format_gap(length: int, reference: int) -> str:
    """Format a length's gap with a sign: in percent, or as a length if the reference is not positive."""
    value = gap_percent(length, reference)
    return format_signed(length - reference) if value is None else format_percent(value)


def format_si(value: float) -> str:
    """Format a number with three significant digits and an SI prefix, such as 1.24 G or 812 k."""
    if not math.isfinite(value):
        return NONE
    power = 0
    while abs(value) >= 999.5 and power < len(_PREFIXES) - 1:
        value /= 1000
        power += 1
    digits = str(int(value)) if power == 0 and float(value).is_integer() else _format_precise(value, 3)
    return f"{digits}{THIN}{_PREFIXES[power]}" if power else digits


def format_measure(value: float) -> str:
    """Format a number of any size with three significant digits, such as 0.0123 or 4.56·10⁻⁷."""
    return localise_point(number_text.measure(value)) if math.isfinite(value) else NONE


def format_seconds(value: float) -> str:
    """Format a time with a suitable unit, such as 12 µs, 1.5 ms, 3.20 s or 2 min 05 s."""
    if not math.isfinite(value):
        return NONE
    if value >= 59.95:
        rounded = math.floor(value + 0.5)
        return f"{rounded // 60}{THIN}min {rounded % 60:02}{THIN}s"
    if value >= 0.9995:
        return f"{_format_precise(value, 3)}{THIN}s"
    if value >= 0.000995:
        return f"{_format_precise(value * 1e3, 2 if value < 0.01 else 3)}{THIN}ms"
    return f"{_trim(value * 1e6)}{THIN}\u00b5s" if value > 0 else f"0{THIN}s"


def format_span(value: float) -> str:
    """Format a duration in everyday units, such as 3.20 s, 4.1 hours, 5.6 days or 230 years."""
    if not math.isfinite(value) or value < _SPANS[-1][0]:
        return format_seconds(value)
    name, unit = next((name, unit) for least, name, unit in _SPANS if value >= least)
    count = _trim(value / unit)
    return f"{count if value / unit < 9.95 else format_integer(float(count))}{THIN}{current_texts('common')[name]}"


def format_bytes(value: float) -> str:
    """Format an amount of memory, such as 3.64 GB."""
    return f"{format_si(value)}{THIN if value < 999.5 else ''}B"


def _format_precise(value: float, digits: int) -> str:
    return localise_point(number_text.precise(value, digits))


def _trim(value: float) -> str:
    return localise_point(number_text.strip_zeros(number_text.precise(value, 2)))
