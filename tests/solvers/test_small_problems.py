"""Proofs of random problems agree with brute force, and no algorithm finds a shorter solution."""

import pytest

from tests.solvers.small_problems import PROVING, check

pytestmark = pytest.mark.slow

#: Problems of the short test, all, and those of a part.
FEW, ALL, PART = 20, 10_000, 100


def check_part(first: int, count: int) -> None:
    """Check some problems, most of which have a solution, which every exact algorithm finds."""
    answered = check(range(first, first + count))
    assert all(answered[name] == answered["solved"] > count * 3 // 5 for name in PROVING)


def test_twenty_problems():
    check_part(0, FEW)


@pytest.mark.long
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("first", range(0, ALL, PART))
def test_ten_thousand_problems(first):
    check_part(first, PART)
