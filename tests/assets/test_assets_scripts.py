"""The tests that the scripts have in JavaScript: `node --test tests/assets/*.test.js` runs them by themselves."""

import re

import pytest

from tests.assets.node import run_tests


def test_script_tests_pass():
    passed, answer = run_tests()
    if not passed:
        pytest.fail(answer, pytrace=False)
    assert int(re.search(r"pass (\d+)", answer)[1]) > 200
