"""Monitored pages of a browser: a request to another host or a logged error fails the test."""

from collections.abc import Iterator
from contextlib import contextmanager

from serving import LOG, PATIENCE, Server

#: Whether the page is no longer than its window, or ends with its panels; and is as wide as its window.
ENDS = """() => {
    const { scrollHeight, scrollWidth } = document.documentElement;
    const { bottom } = document.querySelector('main').getBoundingClientRect();
    return scrollHeight < Math.max(window.innerHeight, bottom) + 1 && scrollWidth === window.innerWidth;
}"""
#: What a page shows of its run, and whether its browser draws.
STATE = """() => Promise.race([
    new Promise((done) => requestAnimationFrame(() => done(true))),
    new Promise((done) => setTimeout(done, 3000, false)),
]).then((draws) => {
    const { id, state, reason, rows } = window.TourScope?.run || {};
    const start = document.getElementById('start')?.disabled ? 'disabled' : 'enabled';
    return JSON.stringify({ draws, ...document.body.dataset, id, state, reason, rows, start });
})"""
#: The pages that are open.
VIEWS: list = []


def is_fault(message) -> bool:
    """Whether a line of the console is an error; the browser also writes one for each refused request."""
    return message.type == "error" and "with a status of 400" not in message.text


@contextmanager
def visiting(context, server: Server) -> Iterator:
    """A page of a new visitor, 1440 x 860, without stored data from earlier ones."""
    view = watch(context.new_page(), server)
    yield view
    if view.url.startswith(server.url):
        view.evaluate("() => window.localStorage.clear()")
    view.close()
    assert_faultless(view, server)


def watch(view, server: Server):
    """Collect a page's errors and its requests to other hosts for `assert_faultless`; return the page."""
    view.set_default_timeout(PATIENCE)
    VIEWS.append(view)
    view.on("close", lambda closed: VIEWS.remove(closed))
    view.set_viewport_size({"width": 1440, "height": 860})
    view.foreign, view.errors = [], []

    def listen(request) -> None:
        if not request.url.startswith((server.url, "data:", "blob:", server.url.replace("http", "ws"))):
            view.foreign.append(request.url)

    view.on("request", listen)
    view.on(
        "console", lambda answer: view.errors.append(f"{answer.text} {answer.location}") if is_fault(answer) else None
    )
    view.on("pageerror", lambda error: view.errors.append(str(error)))
    return view


def assert_faultless(view, server: Server) -> None:
    """Fail if a page has requested something from another host or logged an error since the last call."""
    foreign, errors = view.foreign[:], view.errors[:]
    view.foreign.clear()
    view.errors.clear()
    assert not foreign, f"asked another host: {foreign}"
    log = (server.home / LOG).read_text()
    assert not errors, f"errors in the browser's console: {errors}; what the server said: {log[-4000:]}"
