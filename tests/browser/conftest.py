"""Fixtures of the browser tests: a real server, started as users start it, and a real Chromium."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from chromium import ARGUMENTS, MODULES, executable
from serving import Server, start_server, stop_server
from visiting import STATE, VIEWS, assert_faultless, visiting, watch
from watching import DRAWN, at, link, open_address, open_form, start_run, wait_state

#: Whether a page shows more than it did when its run had ended.
LEFT_OPEN = """() => {
    const { predict, hand } = document.querySelector('.stage').dataset;
    const isOpen = document.querySelector('dialog[open], #how, #keys') || document.documentElement.dataset.present;
    return Boolean(isOpen || [predict, hand].some((phase) => phase && phase !== 'off'));
}"""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Add the state of the open pages to the report of a failed test."""
    report = yield
    if report.when == "call" and report.failed and item.get_closest_marker("browser"):
        report.sections += [("Open page", f"{view.url} {view.evaluate(STATE)}") for view in VIEWS]
    return report


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory) -> Iterator[Server]:
    """A server shared by all test files of this process that need no folder of their own."""
    running = start_server(tmp_path_factory.mktemp("home"))
    yield running
    stop_server(running)


@pytest.fixture(scope="module")
def own_server(tmp_path_factory) -> Iterator[Server]:
    """A separate server for one file, named `server`; checks everything in its home folder."""
    running = start_server(tmp_path_factory.mktemp("home"))
    yield running
    stop_server(running)


@pytest.fixture(scope="module")
def server(shared_server) -> Server:
    """The server of a file."""
    return shared_server


@pytest.fixture(scope="package")
def playwright():
    """Playwright for this folder only: other tests could not start an event loop beside its own."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as found:
        yield found


@pytest.fixture(scope="package")
def chromium(playwright):
    """A browser for files that create their own, isolated contexts."""
    browser = playwright.chromium.launch(executable_path=executable(), args=list(ARGUMENTS))
    yield browser
    browser.close()


@pytest.fixture(scope="package")
def shared_context(playwright, tmp_path_factory):
    """A browser shared by all files of this process: scripts are fetched and compiled once, which saves a third of each
    page load.

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
    first = shared.pages[0]  # stays open, and with it the process
    first.route("http://127.0.0.1/", lambda route: route.fulfill(body=""))
    first.goto("http://127.0.0.1/")
    yield shared
    shared.close()


@pytest.fixture(scope="package")
def context(shared_context):
    """The browser context shared by the pages of all files."""
    return shared_context


@pytest.fixture
def page(context, server):
    """A page of a fresh visitor."""
    with visiting(context, server) as view:
        yield view


class WatchPage:
    """A Watch page shared by the tests of a process, because loading a page takes seconds of processor time.

    Tests navigate as by the browser's Back and Forward buttons, which do not reload it.
    """

    def __init__(self, context, server: Server) -> None:
        self._server = server
        self._page = open_form(watch(context.new_page(), server), link(server, "burma14", climbers=10))
        self._run = start_run(self._page)
        wait_state(self._page, "finished")
        self._address = self._page.url

    def show_run(self):
        """The page with its first, finished run; the player is at the first start."""
        page = self._tidy()
        if page.evaluate("() => window.TourScope.run.id") != self._run:
            open_address(page, self._address)
        ended = "run => (({ run: { id, state } }) => id === run && state === 'finished')(window.TourScope)"
        page.wait_for_function(ended, arg=self._run)
        page.wait_for_function("() => window.TourScope.player.shown()")
        page.evaluate("() => { document.activeElement?.blur(); window.TourScope.player.playClimb(0, false); }")
        at(page, 0, 0)
        return page

    def show_form(self):
        """The page without a run."""
        page = self._tidy()
        open_address(page, link(self._server, "ulysses16"))
        page.wait_for_function("() => !window.TourScope.run.id && window.TourScope.tour.map()?.n === 16")
        return page

    def _tidy(self):
        """Remove everything that a test left open on the page."""
        page = self._page
        page.set_viewport_size({"width": 1440, "height": 860})
        if page.evaluate(LEFT_OPEN):
            page.reload()
            page.wait_for_function(DRAWN)
        page.evaluate("() => window.dash_clientside.set_props('view', { value: 'tour' })")
        return page


@pytest.fixture(scope="package")
def shared_page(shared_context, shared_server) -> WatchPage:
    """The page for `climb` and `watch_page`."""
    return WatchPage(shared_context, shared_server)


@pytest.fixture
def climb(shared_page, shared_server):
    """A page of a finished run of ten climbers on burma14, for tests that do not change the run."""
    page = shared_page.show_run()
    yield page
    assert_faultless(page, shared_server)


@pytest.fixture
def watch_page(shared_page, shared_server):
    """A Watch page without a run, which tests navigate with `open_address`; for tests that do not change the browser's
    storage."""
    page = shared_page.show_form()
    yield page
    assert_faultless(page, shared_server)
