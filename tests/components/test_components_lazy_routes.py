"""Routes added at their first request come before the catch-all routes."""

import threading

from fastapi import FastAPI

from components.document.pages import LazyRoutes, mark_first_page

HERE = __name__


def add_one(server, during):
    """Add a route while another thread adds others; it may have to wait for them."""
    server.add_api_route("/one", lambda: 1)
    other = threading.Thread(target=during)
    other.start()
    other.join(0.3)
    OTHERS.append(other)


def add_two(server):
    server.add_api_route("/two", lambda: 2)


OTHERS: list[threading.Thread] = []


def test_routes_of_two_concurrent_requests_precede_the_last():
    server = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    server.add_api_route("/first", lambda: 0)
    mark_first_page(server)
    two = LazyRoutes(server, f"{HERE}:add_two", lambda: ())
    one = LazyRoutes(server, f"{HERE}:add_one", lambda: (two.make,))
    for path in ("/page", "/{whatever:path}"):
        server.add_api_route(path, lambda: "page")
    one.make()
    OTHERS.pop().join()
    paths = [route.path for route in server.router.routes]
    assert paths[0] == "/first"
    assert sorted(paths[1:3]) == ["/one", "/two"]
    assert paths[3:] == ["/page", "/{whatever:path}"]
    one.make()
    assert len(server.router.routes) == len(paths)
