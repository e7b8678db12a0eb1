"""Pages of a browser that is watched: who asks another host, or logs an error, fails."""

from collections.abc import Iterator
from contextlib import contextmanager

from serving import LOG, PATIENCE, Server

#: Whether the page is no longer than its window, or ends with its panels; and is as wide as its window.
ENDS = """() => {
    const { scrollHeight, scrollWidth } = document.documentElement;
    const { bottom } = document.querySelector('main').getBoundingClientRect();
    return scrollHeight < Math.max(window.innerHeight, bottom) + 1 && scrollWidth === window.innerWidth;
}"""


def is_fault(message) -> bool:
    """Whether a line of the console tells an error; the browser also writes one for each request that is refused."""
    return message.type == "error" and "with a status of 400" not in message.text


@contextmanager
def visiting(context, server: Server) -> Iterator:
    """A page of a fresh visitor, 1440 x 860; nothing of what it kept is there for the next one."""
    view = context.new_page()
    view.set_default_timeout(PATIENCE)
    view.set_viewport_size({"width": 1440, "height": 860})
    foreign, errors = [], []

    def watch(request) -> None:
        if not request.url.startswith((server.url, "data:", "blob:", server.url.replace("http", "ws"))):
            foreign.append(request.url)

    view.on("request", watch)
    view.on("console", lambda told: errors.append(f"{told.text} {told.location}") if is_fault(told) else None)
    view.on("pageerror", lambda error: errors.append(str(error)))
    yield view
    if view.url.startswith(server.url):
        view.evaluate("() => window.localStorage.clear()")
    view.close()
    assert not foreign, f"asked another host: {foreign}"
    log = (server.home / LOG).read_text()
    assert not errors, f"errors in the browser's console: {errors}; what the server said: {log[-4000:]}"
