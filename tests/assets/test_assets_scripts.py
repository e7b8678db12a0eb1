"""The tests that the scripts have in JavaScript: `node --test tests/assets/*.test.js` runs them by themselves."""

import re

import pytest

from tests.assets.node import run_tests


def test_script_tests_pass():
    answers = run_tests()
    if failed := [output for passed, output in answers if not passed]:
        pytest.fail("\n".join(failed), pytrace=False)
    assert sum(int(re.search(r"pass (\d+)", output)[1]) for _, output in answers) > 500
