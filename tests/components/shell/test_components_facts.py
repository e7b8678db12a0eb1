"""Numbers and units as written by the page."""

from components.shell import facts
from components.shell.numbers import MINUS, THIN, format_integer, format_signed
from tests.tables import each_row


def test_thousands_are_grouped():
    assert format_integer(1234567) == f"1{THIN}234{THIN}567"
    assert facts.format_city_count(1) == "1 city"
    assert facts.format_city_count(1002) == f"1{THIN}002 cities"


@each_row("value", [0.5, 2.5, 43516.5, 43516.49, 43516])
def test_reversed_difference_changes_only_its_sign(value):
    assert format_signed(value).startswith("+")
    assert format_signed(-value) == format_signed(value).replace("+", MINUS)
    assert format_integer(-value) == MINUS + format_integer(value)


@each_row(
    ("length", "proven", "text"),
    [
        (None, False, "no optimum known"),
        (None, True, "no optimum known"),
        (426, True, "optimum 426"),
        (9, False, "best known 9"),
    ],
)
def test_known_facts_about_the_optimum(length, proven, text):
    assert facts.describe_optimum(length, proven) == text


@each_row(("unit", "units"), [("climber", "climbers"), ("try", "tries"), ("day", "days"), ("pass", "passes")])
def test_plurals(unit, units):
    assert facts.translate_plural(unit) == units


@each_row(("percent", "text"), [(None, ""), (0.0, f"+0.00{THIN}%"), (-1.5, f"−1.50{THIN}%")])
def test_gaps_are_signed(percent, text):
    assert facts.format_gap(percent) == text


def test_proven_tour_has_a_word():
    assert facts.format_gap(0.0, proven=True) == "optimal"
    assert facts.format_gap(0.1, proven=True) == f"+0.10{THIN}%"


def test_recent_line_omits_unknown_values():
    run = {"created": 1.7e9, "state": "running", "length": None, "gap_percent": None}
    assert facts.describe_recent(run).endswith("· running")
