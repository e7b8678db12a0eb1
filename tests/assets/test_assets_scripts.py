"""Runs the JavaScript tests of the scripts, as does `node --test tests/assets/*.test.js`."""

import re

import pytest

from tests.assets.node import run_tests


@pytest.mark.slow
def test_script_tests_pass():
    answers = run_tests()
    if failed := [output for passed, output in answers if not passed]:
        pytest.fail("\n".join(failed), pytrace=False)
    assert sum(int(re.search(r"pass (\d+)", output)[1]) for _, output in answers) > 500
