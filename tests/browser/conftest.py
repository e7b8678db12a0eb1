"""A real server, started as a user starts it, and a real Chromium looking at it."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from chromium import ARGUMENTS, MODULES, executable
from serving import Server, start_server, stop_server
from visiting import assert_faultless, visiting, watch
from watching import at, link, opened, started, wait_state

#: Whether a page shows more than it did when its run had ended.
LEFT_OPEN = """() => {
    const { predict, hand } = document.querySelector('.stage').dataset;
    const isOpen = document.querySelector('dialog[open], #how, #keys') || document.documentElement.dataset.present;
    return Boolean(isOpen || [predict, hand].some((phase) => phase && phase !== 'off'));
}"""


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
    """One browser for all files of this process: scripts are fetched and compiled once, a page loads in two thirds.

    Little motion is wanted in it: nothing plays by itself, which would take as long as a test takes, and a core.
    """
    shared = playwright.chromium.launch_persistent_context(
        tmp_path_factory.mktemp("profile"),
        executable_path=executable(),
        args=list(ARGUMENTS),
        viewport={"width": 1440, "height": 860},
        reduced_motion="reduce",
    )
    shared.add_init_script(path=MODULES)
    shared.add_init_script("try { localStorage.setItem('guide', 'closed'); } catch { /* a page without storage */ }")
    yield shared
    shared.close()


@pytest.fixture(scope="package")
def context(shared_context):
    """What the pages of all files share."""
    return shared_context


@pytest.fixture
def page(context, server):
    """A page of a fresh visitor."""
    with visiting(context, server) as view:
        yield view


class FinishedClimb:
    """A page with a finished run of 2-opt that the tests of a process share, since a page takes a second to load."""

    def __init__(self, context, server: Server) -> None:
        self._page = opened(watch(context.new_page(), server), link(server, "burma14", climbers=10))
        started(self._page)
        wait_state(self._page, "finished")
        self._address = self._page.url

    def show(self):
        """The page, its player at the first start; whatever a test has left open is gone."""
        page = self._page
        page.set_viewport_size({"width": 1440, "height": 860})
        if page.url != self._address or page.evaluate(LEFT_OPEN):
            page.goto(self._address)
            page.wait_for_function("() => window.TourScope?.player?.shown()")
        page.evaluate("() => { document.activeElement?.blur(); window.TourScope.player.playClimb(0, false); }")
        at(page, 0, 0)
        return page


@pytest.fixture(scope="package")
def finished_climb(shared_context, shared_server) -> FinishedClimb:
    """The page for `climb`."""
    return FinishedClimb(shared_context, shared_server)


@pytest.fixture
def climb(finished_climb, shared_server):
    """A page of a run of ten climbers on burma14 that has ended, for what leaves the run as it is."""
    page = finished_climb.show()
    yield page
    assert_faultless(page, shared_server)
