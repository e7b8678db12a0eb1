"""A real server, started as a user starts it, and a real Chromium looking at it."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from chromium import ARGUMENTS, executable
from serving import Server, start_server, stop_server
from visiting import visiting


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Server]:
    running = start_server(tmp_path_factory.mktemp("home"))
    yield running
    stop_server(running)


@pytest.fixture(scope="module")
def chromium():
    """A browser for one file: Playwright has an event loop, and no other test could run its own beside it."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=list(ARGUMENTS))
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def context(chromium):
    """What the pages of one file share: scripts that are fetched and compiled already."""
    shared = chromium.new_context()
    yield shared
    shared.close()


@pytest.fixture
def page(context, server):
    """A page of a fresh visitor."""
    with visiting(context, server) as view:
        yield view
