"""The wheel, built once for all tests of a process."""

import pytest

from tests.tourscope.packages import build


@pytest.fixture(scope="session")
def wheel_file(tmp_path_factory):
    return build("wheel", tmp_path_factory.mktemp("wheel"))
