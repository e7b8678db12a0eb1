"""Addresses of the library that people have kept are read as they were."""

import pytest
from chromium import executable

from tests.saved import house
from tests.saved.releases import RELEASES, saved

pytestmark = [pytest.mark.browser, pytest.mark.skipif(executable() is None, reason="there is no Chromium")]


@pytest.mark.parametrize("release", RELEASES)
def test_addresses_of_the_library_ask_for_what_they_asked_for(chromium, release):
    page = chromium.new_page()
    read = house.library_reader()
    rows = saved(release, "links.json")["library"]
    for row in rows:
        assert page.evaluate(read, row["search"]) == row["query"], row["search"]
    page.close()
