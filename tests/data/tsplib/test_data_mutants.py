"""Thousands of damaged files, always the same: no uncaught error, no time-out, no silent repair."""

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from data.tsplib.instances import read, read_checked
from fuzz.judge import Broken, judge
from fuzz.mutants import make_mutants, make_seeds
from fuzz.planted import PLANTED

EACH = 100


def test_seeds_are_valid():
    for raw in make_seeds():
        assert judge(raw)
        assert not [note for note in read(raw, "folder").warnings if "coarse" not in note]


@pytest.mark.parametrize("examples", [10, pytest.param(100, marks=pytest.mark.long)])
def test_mutants_are_refused_or_read_correctly(examples):
    tally = {True: 0, False: 0}
    given_seeds = set()

    # A damaged file is not shrunk by its seed: the first that fails is told as it is.
    @settings(max_examples=examples, derandomize=True, database=None, phases=[Phase.generate])
    @given(st.integers(0, 2**64))
    def go(seed):
        given_seeds.add(seed)
        for raw in make_mutants(seed, EACH):
            try:
                tally[judge(raw)] += 1
            except Broken as broken:
                raise AssertionError(f"{broken}: {raw!r}") from broken

    go()
    assert len(given_seeds) >= 0.9 * examples
    assert sum(tally.values()) == examples * EACH
    # Neither all refused nor all taken: the damage reaches into the reader.
    assert min(tally.values()) > examples * EACH / 10


@pytest.mark.long
@pytest.mark.parametrize("defect", PLANTED, ids=lambda defect: defect.__name__)
def test_planted_defect_is_found(defect):
    with pytest.raises(Broken):  # noqa: PT012  # the first of many
        for raw in make_mutants(1, 10_000):
            judge(raw, defect)


def test_damage_ignored_by_lenient_readers_is_refused():
    """Two readers that agree on a repair are still wrong: the judge's own reader must accept the file too."""
    for raw in make_seeds()[:1]:
        with pytest.raises(Broken, match="accepted without a warning"):
            judge(raw.replace(b"4 .25 7", b"4 .25 7_0"), lambda arguments: read_checked(arguments.replace(b"_0", b"0")))
