"""A real server, started as a user starts it, and a real Chromium looking at it."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from chromium import ARGUMENTS, MODULES, executable
from serving import Server, start_server, stop_server
from visiting import visiting


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory) -> Iterator[Server]:
    """One server for all files of this process that do not need a folder of their own."""
    running = start_server(tmp_path_factory.mktemp("home"))
    yield running
    stop_server(running)


@pytest.fixture(scope="module")
def own_server(tmp_path_factory) -> Iterator[Server]:
    """A server for one file, which looks at all that is in the home folder: as its `server`."""
    running = start_server(tmp_path_factory.mktemp("home"))
    yield running
    stop_server(running)


@pytest.fixture(scope="module")
def server(shared_server) -> Server:
    """The server of a file."""
    return shared_server


@pytest.fixture(scope="package")
def playwright():
    """Playwright for this folder alone: it has an event loop, and tests of others could not run their own beside it."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as found:
        yield found


@pytest.fixture(scope="package")
def chromium(playwright):
    """A browser whose contexts share nothing, for files that make their own."""
    browser = playwright.chromium.launch(executable_path=executable(), args=list(ARGUMENTS))
    yield browser
    browser.close()


@pytest.fixture(scope="package")
def shared_context(playwright, tmp_path_factory):
    """One browser for all files of this process: scripts are fetched and compiled once, a page loads in two thirds."""
    shared = playwright.chromium.launch_persistent_context(
        tmp_path_factory.mktemp("profile"),
        executable_path=executable(),
        args=list(ARGUMENTS),
        viewport={"width": 1440, "height": 860},
    )
    shared.add_init_script(path=MODULES)
    shared.add_init_script("try { localStorage.setItem('guide', 'closed'); } catch { /* a page without storage */ }")
    yield shared
    shared.close()


@pytest.fixture(scope="module")
def context(shared_context):
    """What the pages of one file share; the next file finds none of them open."""
    kept = set(shared_context.pages)
    yield shared_context
    for page in set(shared_context.pages) - kept:
        page.close()


@pytest.fixture
def page(context, server):
    """A page of a fresh visitor."""
    with visiting(context, server) as view:
        yield view
