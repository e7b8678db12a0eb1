"""The list of faults stays valid: each can still be planted, and has tests that could find it."""

from tests.mutation.plant import ROOT
from tests.mutation.rows import MUTATIONS
from tests.tables import each_row


@each_row("mutation", MUTATIONS)
def test_fault_can_be_planted_and_has_tests(mutation):
    assert (ROOT / mutation.path).read_text("utf-8").count(mutation.old) == 1
    assert mutation.old != mutation.new
    tests = f"{mutation.tests} {mutation.browser}".split()
    assert tests
    for each in tests:
        assert (ROOT / "tests" / each.partition("::")[0]).exists(), each
