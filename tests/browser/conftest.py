"""A real server, started as a user starts it, and a real Chromium looking at it."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from chromium import ARGUMENTS, executable
from serving import PATIENCE, Server, start_server, stop_server


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


def is_fault(message) -> bool:
    """Whether a line of the console tells an error; the browser also writes one for each request that is refused."""
    return message.type == "error" and "with a status of 400" not in message.text


@pytest.fixture
def page(chromium, server):
    """A page of a fresh visitor, 1440 x 860; fails the test if it asked another host, or logged an error."""
    context = chromium.new_context(viewport={"width": 1440, "height": 860})
    context.set_default_timeout(PATIENCE)
    view = context.new_page()
    foreign, errors = [], []

    def watch(request) -> None:
        if not request.url.startswith((server.url, "data:", "blob:", server.url.replace("http", "ws"))):
            foreign.append(request.url)

    view.on("request", watch)
    view.on("console", lambda message: errors.append(message.text) if is_fault(message) else None)
    view.on("pageerror", lambda error: errors.append(str(error)))
    yield view
    context.close()
    assert not foreign, f"asked another host: {foreign}"
    assert not errors, f"errors in the browser's console: {errors}"
