"""The core pairs of the two-core benchmark."""

import pytest

from benchmarks.core_pairs import choose_pairs


def test_one_pair_stays_free_if_there_are_several():
    assert choose_pairs([0, 1], 0) == [[0, 1]]
    assert choose_pairs([0, 1, 2, 3, 4, 5, 6], 0) == [[2, 3], [4, 5]]


def test_number_of_pairs_matches_the_request():
    assert choose_pairs([0, 1, 4, 5, 8, 9], 2) == [[4, 5], [8, 9]]
    assert choose_pairs([0, 1, 4, 5], 2) == [[0, 1], [4, 5]]
    with pytest.raises(SystemExit, match="3 pairs need 6 cores; this process may run on 4"):
        choose_pairs([0, 1, 4, 5], 3)
